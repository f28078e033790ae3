internal import Base

/// A word of an action, with where it begins in the source.
struct Token: Equatable {
  enum Kind: Equatable {
    /// `.` alone.
    case dot
    /// `.Title`
    case field(String)
    /// `$button`; the empty name is `$`.
    case variable(String)
    case word(String)
    /// A quoted text, or a number with its own digits.
    case constant(JSON)
    case declare, assign, comma, pipe, open, close
  }

  let kind: Kind
  let offset: Int
  /// No white space before it: `.A.B` is one operand, `.A .B` are two.
  let isGlued: Bool
}

/// Splits a template into literal text and actions as Go's text/template does, trim markers (`{{- ` and ` -}}`) and
/// comments included.
struct Lexer {
  enum Segment: Equatable {
    case text(Range<Int>)
    case action([Token], offset: Int, end: Int)
  }

  private let source: SourceText
  private var at = 0

  private init(_ source: SourceText) { self.source = source }

  static func segments(of source: SourceText) throws(TemplateError) -> [Segment] {
    var lexer = Lexer(source)
    return try lexer.segments()
  }

  private var bytes: [UInt8] { source.bytes }

  private func starts(with text: StaticString, at place: Int) -> Bool {
    guard place >= 0, place + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[place + index] != text.utf8Start[index] { return false }
    return true
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private mutating func segments() throws(TemplateError) -> [Segment] {
    var segments: [Segment] = []
    var textStart = 0
    while at < bytes.count {
      guard starts(with: "{{", at: at) else {
        at += 1
        continue
      }
      let open = at
      var textEnd = open
      at += 2
      if starts(with: "-", at: at), at + 1 < bytes.count, Self.isSpace(bytes[at + 1]) {
        while textEnd > textStart, Self.isSpace(bytes[textEnd - 1]) { textEnd -= 1 }
        at += 2
      }
      if textEnd > textStart { segments.append(.text(textStart..<textEnd)) }
      if let tokens = try comment(open) ? nil : action(open) {
        segments.append(.action(tokens, offset: open, end: at))
      }
      if closesWithTrim { while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 } }
      textStart = at
    }
    if textStart < bytes.count { segments.append(.text(textStart..<bytes.count)) }
    return segments
  }

  /// Whether the action that ends here ended with ` -}}`.
  private var closesWithTrim: Bool { starts(with: "-}}", at: at - 3) && at >= 4 && Self.isSpace(bytes[at - 4]) }

  /// Past a comment and its `}}`; false when there is none.
  private mutating func comment(_ open: Int) throws(TemplateError) -> Bool {
    var start = at
    while start < bytes.count, start > open + 2, Self.isSpace(bytes[start]) { start += 1 }
    guard starts(with: "/*", at: start) else { return false }
    at = start + 2
    while at < bytes.count, !starts(with: "*/", at: at) { at += 1 }
    guard at < bytes.count else { throw source.error(at: open, "the comment that begins here has no '*/'") }
    at += 2
    guard try skipClose(open) else { throw source.error(at: at, "'}}' was expected right after the comment") }
    return true
  }

  /// Past `}}` or ` -}}`, if the action ends here.
  private mutating func skipClose(_ open: Int) throws(TemplateError) -> Bool {
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    if starts(with: "-}}", at: at), Self.isSpace(bytes[at - 1]) {
      at += 3
      return true
    }
    if starts(with: "}}", at: at) {
      at += 2
      return true
    }
    guard at < bytes.count else { throw source.error(at: open, "the action that begins here has no '}}'") }
    return false
  }

  private mutating func action(_ open: Int) throws(TemplateError) -> [Token] {
    var tokens: [Token] = []
    while true {
      let before = at
      if try skipClose(open) { return tokens }
      let start = at
      let kind = try token()
      tokens.append(Token(kind: kind, offset: start, isGlued: before == start && !tokens.isEmpty))
    }
  }

  private mutating func token() throws(TemplateError) -> Token.Kind {
    let byte = bytes[at]
    switch byte {
    case UInt8(ascii: "."):
      at += 1
      let name = name()
      return name.isEmpty ? .dot : .field(name)
    case UInt8(ascii: "$"):
      at += 1
      return .variable(name())
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return .constant(.string(try quoted()))
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .constant(.number(try number()))
    case UInt8(ascii: ","): return symbol(.comma, 1)
    case UInt8(ascii: "|"): return symbol(.pipe, 1)
    case UInt8(ascii: "("): return symbol(.open, 1)
    case UInt8(ascii: ")"): return symbol(.close, 1)
    case UInt8(ascii: ":") where starts(with: ":=", at: at): return symbol(.declare, 2)
    case UInt8(ascii: "="): return symbol(.assign, 1)
    default:
      let place = at
      let name = name()
      if name.isEmpty { throw source.error(at: place, "this character means nothing in an action") }
      return .word(name)
    }
  }

  private mutating func symbol(_ kind: Token.Kind, _ count: Int) -> Token.Kind {
    at += count
    return kind
  }

  /// Letters, digits and `_`; a letter outside ASCII is a letter too.
  private mutating func name() -> String {
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        at += 1
        continue
      default: break
      }
      break
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func number() throws(TemplateError) -> String {
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        at += 1
        continue
      default: break
      }
      break
    }
    let digits = Array(bytes[start..<at])
    guard case .number(let text)? = try? JSONScanner.parse(digits) else {
      throw source.error(at: start, "a number was expected, as JSON writes it")
    }
    return text
  }

  /// `"…"` with backslash escapes, or `` `…` `` taken as it is.
  private mutating func quoted() throws(TemplateError) -> String {
    let start = at
    let quote = bytes[at]
    at += 1
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != quote {
      if quote == UInt8(ascii: "\""), bytes[at] == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    guard at < bytes.count else { throw source.error(at: start, "the text that begins here is not closed") }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape(into text: inout [UInt8]) throws(TemplateError) {
    let place = at
    at += 2
    guard at <= bytes.count else { return }
    switch bytes[at - 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"): text.append(bytes[at - 1])
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    default: throw source.error(at: place, "of the escapes there are \\\" \\\\ \\' \\n \\r \\t")
    }
  }
}
