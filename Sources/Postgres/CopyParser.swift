/// Reads binary COPY: a header, rows, a trailer (https://www.postgresql.org/docs/15/sql-copy.html, "Binary Format").
///
/// The server sends whole rows in a frame, the header before the first and the trailer alone or after the last; a row
/// cut in two would be malformed.
struct CopyParser {
  static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

  private var hasHeader = false
  /// The trailer was seen: no row is missing.
  private(set) var isComplete = false
  private var extents: [CopyFields.Extent] = []

  /// Calls `row` for each row of the frame.
  /// - Throws: `PostgresError` `.protocolViolation` when the frame is malformed; what `row` throws.
  mutating func frameArrived(_ frame: UnsafeRawBufferPointer, row: (CopyFields) throws -> Void) throws {
    var offset = 0
    if !hasHeader {
      offset = try Self.headerLength(of: frame)
      hasHeader = true
    }
    while offset < frame.count {
      guard !isComplete, let fields = frame.bigEndian(Int16.self, at: offset) else { throw Self.malformed(offset) }
      offset += 2
      if fields == -1 {
        isComplete = true
      } else {
        offset = try readFields(Int(fields), of: frame, at: offset)
        try extents.withUnsafeBufferPointer { try row(CopyFields(frame, $0)) }
      }
    }
  }

  /// - Returns: where the row ends.
  private mutating func readFields(
    _ count: Int, of frame: UnsafeRawBufferPointer, at start: Int
  ) throws(PostgresError) -> Int {
    guard count >= 0 else { throw Self.malformed(start) }
    var offset = start
    extents.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      guard let length = frame.bigEndian(Int32.self, at: offset).map(Int.init) else { throw Self.malformed(offset) }
      offset += 4
      guard length >= -1, length <= frame.count - offset else { throw Self.malformed(offset) }
      extents.append(CopyFields.Extent(offset: offset, length: length))
      offset += max(length, 0)
    }
    return offset
  }

  /// Signature, flags, and an extension that readers skip. Bits 16 to 31 of the flags are for what a reader must know.
  private static func headerLength(of frame: UnsafeRawBufferPointer) throws(PostgresError) -> Int {
    guard frame.starts(with: signature),
      let flags = frame.bigEndian(UInt32.self, at: signature.count), flags < 1 << 16,
      let more = frame.bigEndian(Int32.self, at: signature.count + 4).map(Int.init),
      more >= 0, more <= frame.count - signature.count - 8
    else { throw malformed(0) }
    return signature.count + 8 + more
  }

  private static func malformed(_ offset: Int) -> PostgresError {
    PostgresError(.protocolViolation, "the server sent a malformed row of binary COPY (byte \(offset) of its frame)")
  }
}
