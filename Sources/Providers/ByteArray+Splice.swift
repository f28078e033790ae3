internal import Base

extension [UInt8] {
  /// Appends `source[range]`.
  mutating func append(_ source: [UInt8], _ range: Range<Int>) {
    append(contentsOf: source[range])
  }

  /// Appends `text` and says where it lies.
  mutating func place(_ text: [UInt8]) -> ByteRange {
    let start = count
    append(contentsOf: text)
    return ByteRange(lower: start, upper: count)
  }

  /// Appends JSON text as the inside of a JSON string. Runs are copied whole, and quotes, of which JSON has dozens,
  /// are escaped on the spot: one call for every byte would cost as much as rendering the payload did.
  mutating func appendEscaped(_ source: [UInt8], _ range: Range<Int>) {
    var plain = range.lowerBound
    for at in range {
      let byte = source[at]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      append(contentsOf: source[plain..<at])
      if byte < 0x20 {
        appendJSONEscaped(CollectionOfOne(byte))
      } else {
        append(UInt8(ascii: "\\"))
        append(byte)
      }
      plain = at + 1
    }
    append(contentsOf: source[plain..<range.upperBound])
  }
}

extension ByteRange {
  /// Lies within `outer` and isn't empty.
  func isPart(of outer: ByteRange) -> Bool {
    lower < upper && lower >= outer.lower && upper <= outer.upper
  }
}
