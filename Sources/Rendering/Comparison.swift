internal import Base

/// Compares values as Go's text/template does, but that there is one kind of numbers: JSON doesn't tell 1 from 1.0.
enum Comparison {
  /// Nothing equals nothing alone.
  static func areEqual(_ left: Value, _ right: Value, _ function: Function) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.data(.null), _), (_, .data(.null)): return left.isNull == right.isNull
    case (.data(.bool(let a)), .data(.bool(let b))): return a == b
    case (.data(.number(let a)), .data(.number(let b))): return Decimal(a).order(Decimal(b)) == 0
    case (.data(.string(let a)), .data(.string(let b))): return a.utf8.elementsEqual(b.utf8)
    default: throw incompatible(left, right, function)
    }
  }

  /// Below, at or above 0; nil when one is nothing, which is in no order.
  static func order(_ left: Value, _ right: Value, _ function: Function) throws(EvaluationError) -> Int? {
    switch (left, right) {
    case (.data(.null), _), (_, .data(.null)): return nil
    case (.data(.number(let a)), .data(.number(let b))): return Decimal(a).order(Decimal(b))
    case (.data(.string(let a)), .data(.string(let b))):
      if a.utf8.elementsEqual(b.utf8) { return 0 }
      return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    default: throw incompatible(left, right, function)
    }
  }

  private static func incompatible(_ left: Value, _ right: Value, _ function: Function) -> EvaluationError {
    EvaluationError("\(function.rawValue) can't compare \(left.kind) with \(right.kind)")
  }
}

/// A number by its own digits, of any size: doubles would take 9007199254740993 for 9007199254740992.
private struct Decimal {
  private var isNegative: Bool
  /// Without zeros at either end; empty for 0.
  private var digits: [UInt8] = []
  /// Where the point stands, counted from before the first digit.
  private var point = 0

  /// - Parameter text: as JSON writes numbers.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    isNegative = bytes.first == UInt8(ascii: "-")
    let end = bytes.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? bytes.count
    var isFraction = false
    for byte in bytes[..<end] {
      if byte == UInt8(ascii: ".") { isFraction = true }
      guard (0x30...0x39).contains(byte) else { continue }
      if byte != 0x30 || !digits.isEmpty {
        digits.append(byte)
        if !isFraction { point += 1 }
      } else if isFraction {
        point -= 1
      }
    }
    while digits.last == 0x30 { digits.removeLast() }
    guard !digits.isEmpty else {
      isNegative = false
      return
    }
    // An exponent that doesn't fit is beyond all that do.
    let exponent = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
    let most = Int.max / 4
    point +=
      exponent.isEmpty
      ? 0 : max(-most, min(Int(exponent) ?? (exponent.hasPrefix("-") ? -most : most), most))
  }

  func order(_ other: Decimal) -> Int {
    let signs = (sign, other.sign)
    if signs.0 != signs.1 { return signs.0 < signs.1 ? -1 : 1 }
    if signs.0 == 0 { return 0 }
    if point != other.point { return (point < other.point) == isNegative ? 1 : -1 }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) == isNegative ? 1 : -1
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
