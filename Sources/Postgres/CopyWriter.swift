public import Base

/// Builds rows of binary COPY: for each row `row(fields:)`, then exactly that many values, each of its column's type.
public struct CopyWriter {
  /// Handed to libpq when it is about this full.
  private static let chunk = 64 * 1024

  private var buffer: [UInt8] = []
  /// Values that the current row still lacks.
  private var missing = 0
  /// A row had more or fewer values than it announced, or more than the format holds.
  private var isMalformed = false
  private let send: (UnsafeRawBufferPointer) -> Bool
  /// libpq took no more: the server has refused a row, or is gone. What follows is dropped.
  private(set) var isRefused = false

  /// - Parameter send: hands bytes over; false when they were not taken.
  init(send: @escaping (UnsafeRawBufferPointer) -> Bool) {
    self.send = send
    buffer.reserveCapacity(Self.chunk + 4096)
    buffer.append(contentsOf: CopyParser.signature)
    buffer.appendBigEndian(Int32(0))  // flags
    buffer.appendBigEndian(Int32(0))  // length of the header's extension
  }

  /// Begins a row.
  public mutating func row(fields: Int) {
    endRow()
    if buffer.count >= Self.chunk { flush() }
    guard let count = Int16(exactly: fields), count >= 0 else {
      isMalformed = true
      return
    }
    missing = fields
    buffer.appendBigEndian(count)
  }

  /// A field without a value.
  public mutating func null() { begin(length: -1) }

  /// A smallint.
  public mutating func int2(_ value: Int16) {
    begin(length: 2)
    buffer.appendBigEndian(value)
  }

  /// An integer.
  public mutating func int4(_ value: Int32) {
    begin(length: 4)
    buffer.appendBigEndian(value)
  }

  /// A bigint.
  public mutating func int8(_ value: Int64) {
    begin(length: 8)
    buffer.appendBigEndian(value)
  }

  /// timestamptz.
  public mutating func timestamp(_ value: EpochMilliseconds) { int8(Timestamp.encode(value)) }

  /// Text must be without NUL: `PostgresText.tidy` repairs what comes from the wire.
  public mutating func text(_ value: String) { bytes(value.utf8) }

  /// bytea, or text as UTF-8.
  public mutating func bytes(_ value: some Collection<UInt8>) {
    begin(length: value.count)
    buffer.append(contentsOf: value)
  }

  /// Hands over the rest and the trailer.
  /// - Throws: `.protocolViolation` when a row had another number of values than it announced.
  mutating func finish() throws(PostgresError) {
    endRow()
    guard !isMalformed else {
      throw PostgresError(.protocolViolation, "a row for COPY has another number of values than it announced")
    }
    buffer.appendBigEndian(Int16(-1))
    flush()
  }

  private mutating func begin(length: Int) {
    missing -= 1
    guard let length = Int32(exactly: length) else {
      isMalformed = true
      return
    }
    buffer.appendBigEndian(length)
  }

  private mutating func endRow() {
    if missing != 0 { isMalformed = true }
  }

  private mutating func flush() {
    if !isRefused { isRefused = !buffer.withUnsafeBytes(send) }
    buffer.removeAll(keepingCapacity: true)
  }
}
