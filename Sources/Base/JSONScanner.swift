/// Why a text is not JSON: where and what was expected.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, for people.
  public let message: String
  /// Both from 1; the column counts bytes.
  public let line: Int
  /// In bytes, from 1.
  public let column: Int

  public var description: String { "line \(line), column \(column): \(message)" }
}

/// A strict reader of RFC 8259 that keeps every number's own digits.
///
/// Refused: trailing commas, raw control characters in strings, lone surrogates, invalid UTF-8, duplicate keys,
/// anything after the value, more than 512 levels.
public struct JSONScanner {
  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0
  static let deepest = 512

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one whole text.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    var scanner = JSONScanner(bytes)
    scanner.skipSpace()
    let value = try scanner.value()
    scanner.skipSpace()
    if scanner.at < bytes.count { throw scanner.error("nothing more may follow the value") }
    return value
  }

  /// Reads one whole text.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  private func error(_ message: String, at place: Int? = nil) -> JSONError {
    let end = min(place ?? at, bytes.count)
    var line = 1
    var column = 1
    for byte in bytes[..<end] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return JSONError(message: message, line: line, column: column)
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
  }

  private mutating func value() throws(JSONError) -> JSON {
    guard at < bytes.count else { throw error("a value was expected, the text ends here") }
    switch bytes[at] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("a value was expected")
    }
  }

  private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for offset in 0..<word.utf8CodeUnitCount {
      guard at + offset < bytes.count, bytes[at + offset] == word.utf8Start[offset] else {
        throw error("\(word) was expected")
      }
    }
    at += word.utf8CodeUnitCount
    return value
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    if depth > Self.deepest { throw error("deeper than \(Self.deepest) levels") }
    at += 1
    skipSpace()
  }

  private mutating func object() throws(JSONError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var members: [JSONObject.Member] = []
    var seen = Set<[UInt8]>()
    if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
      at += 1
      return .object(JSONObject())
    }
    while true {
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
        throw error("a member's name in quotes was expected")
      }
      let place = at
      let key = try string()
      if !seen.insert(Array(key.utf8)).inserted {
        throw error("the key \"\(key)\" is there twice", at: place)
      }
      skipSpace()
      guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw error("':' was expected") }
      at += 1
      skipSpace()
      members.append(JSONObject.Member(key: key, value: try value()))
      if try closes(UInt8(ascii: "}"), "',' or '}' was expected") { return .object(JSONObject(members)) }
    }
  }

  private mutating func array() throws(JSONError) -> JSON {
    try enter()
    defer { depth -= 1 }
    var elements: [JSON] = []
    if at < bytes.count, bytes[at] == UInt8(ascii: "]") {
      at += 1
      return .array([])
    }
    while true {
      elements.append(try value())
      if try closes(UInt8(ascii: "]"), "',' or ']' was expected") { return .array(elements) }
    }
  }

  /// After a member or an element: true at the end, false past a comma.
  private mutating func closes(_ end: UInt8, _ expected: String) throws(JSONError) -> Bool {
    skipSpace()
    guard at < bytes.count else { throw error(expected + ", the text ends here") }
    if bytes[at] == end {
      at += 1
      return true
    }
    guard bytes[at] == UInt8(ascii: ",") else { throw error(expected) }
    at += 1
    skipSpace()
    return false
  }

  private mutating func number() throws(JSONError) -> String {
    let start = at
    if bytes[at] == UInt8(ascii: "-") { at += 1 }
    let whole = digits()
    guard whole > 0 else { throw error("a digit was expected") }
    if whole > 1, bytes[at - whole] == UInt8(ascii: "0") {
      throw error("a number may not begin with 0", at: start)
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      at += 1
      guard digits() > 0 else { throw error("a digit was expected after the point") }
    }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[at]) { at += 1 }
      guard digits() > 0 else { throw error("a digit was expected in the exponent") }
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = at
    while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
    return at - start
  }

  private mutating func string() throws(JSONError) -> String {
    let start = at
    at += 1
    var text: [UInt8] = []
    var plain = at
    while true {
      guard at < bytes.count else { throw error("the string is not closed", at: start) }
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw error("a control character must be escaped in a string") }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: bytes[plain..<at])
        try escape(into: &text)
        plain = at
      } else {
        at += 1
      }
    }
    text.append(contentsOf: bytes[plain..<at])
    at += 1
    guard let string = String(validating: text, as: UTF8.self) else {
      throw error("the string is not valid UTF-8", at: start)
    }
    return string
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard at + 1 < bytes.count else { throw error("the string is not closed") }
    let place = at
    let letter = bytes[at + 1]
    at += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try fourHex(place)
      if (0xD800..<0xDC00).contains(code), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
        bytes[at + 1] == UInt8(ascii: "u")
      {
        at += 2
        let low = try fourHex(place)
        guard (0xDC00..<0xE000).contains(low) else { throw error("half a surrogate pair", at: place) }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair", at: place) }
      text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    default: throw error("no such escape", at: place)
    }
  }

  private mutating func fourHex(_ place: Int) throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count else { throw error("four hex digits were expected", at: place) }
    var code: UInt32 = 0
    for byte in bytes[at..<at + 4] {
      guard let digit = Hex.value(of: byte) else { throw error("four hex digits were expected", at: place) }
      code = code << 4 | UInt32(digit)
    }
    at += 4
    return code
  }
}
