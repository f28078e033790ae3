internal import Base
internal import Glibc

/// A format of `printf`: text and verbs. Of Go's verbs there are those that mean something for JSON's values: `%s`
/// `%v` `%q` `%d` `%t` `%f` `%e` `%%`, with `-` `+` `0`, a width and a precision.
struct Format {
  private enum Piece {
    case text(String)
    case verb(Verb)
  }

  fileprivate struct Verb {
    var letter: Unicode.Scalar
    var isLeft = false
    var hasPlus = false
    var hasZeros = false
    var width = 0
    var precision: Int?
  }

  private var pieces: [Piece] = []
  /// How many values it writes.
  private(set) var count = 0

  private static let widest = 1000

  init(_ text: String) throws(EvaluationError) {
    // By scalars: a mark behind the % would make one character of both.
    var rest = text.unicodeScalars[...]
    while let at = rest.firstIndex(of: "%") {
      if at > rest.startIndex { pieces.append(.text(String(rest[..<at]))) }
      rest = rest[at...].dropFirst()
      pieces.append(try Self.piece(&rest))
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    count = pieces.count { if case .verb = $0 { true } else { false } }
  }

  private static func piece(_ rest: inout Substring.UnicodeScalarView) throws(EvaluationError) -> Piece {
    var verb = Verb(letter: "%")
    while let flag = rest.first, "-+0".unicodeScalars.contains(flag) {
      switch flag {
      case "-": verb.isLeft = true
      case "+": verb.hasPlus = true
      default: verb.hasZeros = true
      }
      rest.removeFirst()
    }
    verb.width = try number(&rest) ?? 0
    if rest.first == "." {
      rest.removeFirst()
      verb.precision = try number(&rest) ?? 0
    }
    guard let letter = rest.popFirst() else { throw EvaluationError("printf: the format ends within a verb") }
    verb.letter = letter
    switch letter {
    case "%": return .text("%")
    case "s", "v", "q", "t":
      if verb.hasZeros || verb.hasPlus { throw EvaluationError("printf: %\(letter) takes no + and no 0") }
    case "d":
      if verb.precision != nil { throw EvaluationError("printf: %d takes no precision") }
    case "f", "e": break
    default: throw EvaluationError("printf has no %\(letter); there are %s %v %q %d %t %f %e %%")
    }
    return .verb(verb)
  }

  private static func number(_ rest: inout Substring.UnicodeScalarView) throws(EvaluationError) -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    if digits.isEmpty { return nil }
    rest.removeFirst(digits.count)
    guard let number = Int(String(digits)), number <= widest else {
      throw EvaluationError("printf: a width or precision above \(widest)")
    }
    return number
  }

  /// Whether it is `%q` and nothing else: the value as a JSON string, which as a bare value is the text itself.
  var isQuoteAlone: Bool {
    if pieces.count == 1, case .verb(let verb) = pieces[0] { return verb.letter == "q" && verb.width == 0 }
    return false
  }

  /// The text; nil when one of the values is nothing.
  func text(of values: [Value]) throws(EvaluationError) -> String? {
    if values.contains(where: \.isNull) { return nil }
    guard values.count == count else {
      throw EvaluationError("printf: the format takes \(count) values, here are \(values.count)")
    }
    var text = ""
    var rest = values[...]
    for piece in pieces {
      switch piece {
      case .text(let run): text += run
      case .verb(let verb): if let value = rest.popFirst() { text += try verb.text(of: value) }
      }
    }
    return text
  }
}

extension Format.Verb {
  fileprivate func text(of value: Value) throws(EvaluationError) -> String {
    switch (letter, value) {
    case ("s", _), ("v", _), ("q", _):
      guard let written = value.text else { break }
      // As Go: a precision and a width count code points.
      let cut = precision.map { String(String.UnicodeScalarView(written.unicodeScalars.prefix($0))) } ?? written
      return padded(letter == "q" ? JSON.string(cut).text : cut)
    case ("t", .data(.bool(let flag))): return padded(flag ? "true" : "false")
    case ("d", .data(.number(let digits))) where digits.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }):
      return padded(number: digits)
    case ("f", .data(.number(let digits))), ("e", .data(.number(let digits))):
      guard let number = Double(digits), number.isFinite else { break }
      return padded(number: Self.decimal(letter == "f" ? "%.*f" : "%.*e", precision ?? 6, number))
    default: break
    }
    throw EvaluationError("printf: %\(letter) can't write \(value.kind)")
  }

  /// The C library rounds as Go does: the exact binary value, halves to even.
  private static func decimal(_ format: String, _ precision: Int, _ number: Double) -> String {
    // 309 digits before the point, the precision behind it, sign and exponent.
    var buffer = [CChar](repeating: 0, count: 320 + precision)
    let count = withVaList([Int32(precision), number]) { vsnprintf(&buffer, buffer.count, format, $0) }
    return String(decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func padded(_ text: String) -> String {
    let space = String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    return isLeft ? text + space : space + text
  }

  private func padded(number digits: String) -> String {
    let isNegative = digits.hasPrefix("-")
    let sign = isNegative ? "-" : hasPlus ? "+" : ""
    let number = isNegative ? String(digits.dropFirst()) : digits
    guard hasZeros, !isLeft else { return padded(sign + number) }
    return sign + String(repeating: "0", count: max(0, width - sign.count - number.count)) + number
  }
}
