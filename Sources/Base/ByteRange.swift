/// Where a value lies in an arena of bytes: 8 bytes instead of an array of its own.
public struct ByteRange: Sendable, Hashable {
  /// Of its first byte.
  public var lower: UInt32
  /// Behind its last byte.
  public var upper: UInt32

  /// From array indices, each below 4 GiB: only the lower 32 bits are kept.
  public init(lower: Int, upper: Int) {
    self.lower = UInt32(truncatingIfNeeded: lower)
    self.upper = UInt32(truncatingIfNeeded: upper)
  }

  /// Bytes in it.
  public var count: Int { Int(upper) - Int(lower) }
  /// Whether it has no byte.
  public var isEmpty: Bool { lower == upper }
  /// As array indices.
  public var range: Range<Int> { Int(lower)..<Int(upper) }
}
