/// Takes the fields of a journal's record one after the other; nil where they end too early.
struct JournalReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func integer<Integer: FixedWidthInteger>() -> Integer? {
    bytes(MemoryLayout<Integer>.size)?.reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
  }

  /// `.some(nil)` where there was no text.
  mutating func text() -> String?? {
    guard let length: UInt16 = integer() else { return nil }
    if length == .max { return .some(nil) }
    guard let bytes = bytes(Int(length)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func runs() -> [Int]? {
    guard let count: UInt16 = integer() else { return nil }
    var messages: [Int] = []
    for _ in 0..<count {
      guard let first: UInt16 = integer(), let length: UInt16 = integer() else { return nil }
      messages.append(contentsOf: Int(first)..<(Int(first) + Int(length)))
    }
    return messages
  }
}

extension [UInt8] {
  mutating func appendInteger(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// 2 bytes length, 0xFFFF for no text, then UTF-8; a provider's words are cut at 1,000 bytes.
  mutating func appendText(_ text: String?) {
    guard let text else { return appendInteger(UInt16.max) }
    let bytes = text.utf8.prefix(1_000)
    appendInteger(UInt16(bytes.count))
    append(contentsOf: bytes)
  }

  /// Numbers of messages as runs: how many, then 2 bytes first and 2 bytes length each. A window has 5,000 at most.
  mutating func appendRuns(_ messages: [Int]) {
    let start = count
    appendInteger(UInt16(0))
    var runs: UInt16 = 0
    var at = 0
    while at < messages.count {
      var end = at + 1
      while end < messages.count, messages[end] == messages[end - 1] + 1 { end += 1 }
      appendInteger(UInt16(truncatingIfNeeded: messages[at]))
      appendInteger(UInt16(truncatingIfNeeded: end - at))
      runs += 1
      at = end
    }
    self[start] = UInt8(runs >> 8)
    self[start + 1] = UInt8(runs & 0xFF)
  }
}
