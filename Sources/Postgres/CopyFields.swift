public import Base

/// The fields of one row of COPY, read in place. Valid only during the call it was given to.
///
/// COPY says nothing about types: whoever reads must ask for what the query selects. Nil = SQL null, another width than
/// asked for, or no such field.
public struct CopyFields {
  /// Where a field's bytes lie in the frame; a negative length is SQL null.
  struct Extent {
    var offset: Int
    var length: Int
  }

  private let frame: UnsafeRawBufferPointer
  private let extents: UnsafeBufferPointer<Extent>

  init(_ frame: UnsafeRawBufferPointer, _ extents: UnsafeBufferPointer<Extent>) {
    self.frame = frame
    self.extents = extents
  }

  /// Fields of the row.
  public var count: Int { extents.count }
  /// Whether it has no value, or isn't there.
  public func isNull(_ field: Int) -> Bool { bytes(field) == nil }
  /// A bigint; nil for null or another size.
  public func int8(_ field: Int) -> Int64? { integer(field) }
  /// An integer; nil for null or another size.
  public func int4(_ field: Int) -> Int32? { integer(field) }
  /// A smallint; nil for null or another size.
  public func int2(_ field: Int) -> Int16? { integer(field) }

  /// timestamptz, rounded down to the millisecond.
  public func timestamp(_ field: Int) -> EpochMilliseconds? { int8(field).map(Timestamp.decode) }

  /// Its UTF-8; nil for null.
  public func text(_ field: Int) -> String? {
    bytes(field).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends the field's bytes (text, bytea; jsonb without its version byte must be cast to text in the query).
  /// - Returns: where they lie in `out` now.
  public func appendBytes(_ field: Int, to out: inout [UInt8]) -> ByteRange? {
    guard let bytes = bytes(field) else { return nil }
    let lower = out.count
    out.append(contentsOf: bytes)
    return ByteRange(lower: lower, upper: out.count)
  }

  private func integer<Value: FixedWidthInteger>(_ field: Int) -> Value? {
    guard let bytes = bytes(field), bytes.count == MemoryLayout<Value>.size else { return nil }
    return bytes.bigEndian(Value.self)
  }

  private func bytes(_ field: Int) -> UnsafeRawBufferPointer? {
    guard extents.indices.contains(field), extents[field].length >= 0 else { return nil }
    let extent = extents[field]
    return UnsafeRawBufferPointer(rebasing: frame[extent.offset..<extent.offset + extent.length])
  }
}
