import Base

// PostgreSQL's binary formats are in network order, and nothing in a message is aligned.

extension [UInt8] {
  mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Replaces the four bytes at `offset`, which must have been written before: a length known only afterwards.
  mutating func setBigEndian(_ value: Int32, at offset: Int) {
    Swift.withUnsafeBytes(of: value.bigEndian) { replaceSubrange(offset..<offset + 4, with: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// The integer at `offset`, nil when the bytes end before it does.
  func bigEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int = 0) -> Value? {
    guard offset >= 0, count - offset >= MemoryLayout<Value>.size else { return nil }
    return Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

/// timestamptz on the wire: microseconds since 2000-01-01T00:00:00Z, the greatest and the least Int64 for ±infinity.
enum Timestamp {
  /// 2000-01-01T00:00:00Z in milliseconds since 1970.
  private static let epoch: Int64 = 946_684_800_000
  /// ±infinity as milliseconds: further than any timestamptz (year 294276), near enough to calculate with.
  private static let latest = Int64.max / 1000 + epoch
  private static let earliest = Int64.min / 1000 + epoch

  /// Rounded down to the millisecond.
  static func decode(_ microseconds: Int64) -> EpochMilliseconds {
    let milliseconds = microseconds / 1000
    return EpochMilliseconds((microseconds % 1000 < 0 ? milliseconds - 1 : milliseconds) + epoch)
  }

  /// Moments beyond what the format holds become ±infinity.
  static func encode(_ moment: EpochMilliseconds) -> Int64 {
    if moment.value >= latest { return .max }
    if moment.value <= earliest { return .min }
    return (moment.value - epoch) * 1000
  }
}
