import Base
import Testing

@testable import Postgres

/// Bytes as https://www.postgresql.org/docs/15/sql-copy.html ("Binary Format") spells them.
@Suite("CopyParser")
struct PostgresCopyParserTests {
  static let header: [UInt8] = [
    0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
  static let trailer: [UInt8] = [0xFF, 0xFF]
  /// Three fields: int4 258, null, text "hi".
  static let row: [UInt8] = [0, 3, 0, 0, 0, 4, 0, 0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 2, 0x68, 0x69]

  /// Feeds the frames and returns each row's three fields.
  private func read(_ frames: [[UInt8]]) throws -> (rows: [String], isComplete: Bool) {
    var parser = CopyParser()
    var rows: [String] = []
    for frame in frames {
      try frame.withUnsafeBytes { bytes in
        try parser.frameArrived(bytes) { fields in
          rows.append("\(fields.count) \(fields.int4(0) ?? -1) \(fields.isNull(1)) \(fields.text(2) ?? "nil")")
        }
      }
    }
    return (rows, parser.isComplete)
  }

  @Test("header with the first row, a row a frame, the trailer alone: as the server sends it")
  func asServer() throws {
    let read = try read([Self.header + Self.row, Self.row, Self.trailer])
    #expect(read.rows == ["3 258 true hi", "3 258 true hi"])
    #expect(read.isComplete)
  }

  @Test("several rows in one frame, and a header with an extension to skip")
  func together() throws {
    var header = Self.header
    header[18] = 3
    let read = try read([header + [9, 9, 9] + Self.row + Self.row + Self.trailer])
    #expect(read.rows == ["3 258 true hi", "3 258 true hi"])
    #expect(read.isComplete)
  }

  @Test("without a trailer it is not complete")
  func cut() throws {
    #expect(try read([Self.header + Self.row]).isComplete == false)
  }

  @Test("fields of another width, beyond the row, or null are nil, and nothing is appended")
  func wrongAccess() throws {
    var parser = CopyParser()
    try (Self.header + Self.row).withUnsafeBytes { bytes in
      try parser.frameArrived(bytes) { fields in
        #expect(fields.int8(0) == nil)
        #expect(fields.int2(0) == nil)
        #expect(fields.timestamp(0) == nil)
        #expect(fields.int4(1) == nil)
        #expect(fields.int4(3) == nil)
        #expect(fields.isNull(3))
        #expect(fields.int4(-1) == nil)
        var arena: [UInt8] = [1]
        #expect(fields.appendBytes(1, to: &arena) == nil)
        #expect(fields.appendBytes(7, to: &arena) == nil)
        #expect(arena == [1])
        #expect(fields.appendBytes(2, to: &arena) == ByteRange(lower: 1, upper: 3))
        #expect(arena == [1, 0x68, 0x69])
      }
    }
  }

  @Test(
    "a malformed frame throws",
    arguments: [
      [],
      [0x50, 0x47],
      Array("PGCOPY\r".utf8) + header.dropFirst(7) + row,
      // Critical flags: bit 16 once said that the rows carry OIDs.
      Array(header[..<12]) + [1, 0, 0, 0, 0, 0, 0] + row,
      // The extension is longer than the frame; negative.
      Array(header[..<15]) + [0, 0, 0, 1],
      Array(header[..<15]) + [0xFF, 0xFF, 0xFF, 0xFF] + row,
      header + [0],
      // -2 fields.
      header + [0xFF, 0xFE],
      // One field: without its length, cut in its length, longer than the frame, of length -2, of the greatest length.
      header + [0, 1],
      header + [0, 1, 0, 0, 0],
      header + [0, 1, 0, 0, 0, 4, 1, 2, 3],
      header + [0, 1, 0xFF, 0xFF, 0xFF, 0xFE],
      header + [0, 1, 0x7F, 0xFF, 0xFF, 0xFF, 1],
      // 32,767 fields announced, one there.
      header + [0x7F, 0xFF, 0, 0, 0, 1, 1],
      // A row after the trailer.
      header + trailer + row,
    ] as [[UInt8]])
  func malformed(frame: [UInt8]) {
    let error = #expect(throws: PostgresError.self) { try read([frame]) }
    #expect(error?.code == .protocolViolation)
  }

  @Test("what the row closure throws comes through")
  func closure() {
    #expect(throws: CancellationError.self) {
      var parser = CopyParser()
      try (Self.header + Self.row).withUnsafeBytes { try parser.frameArrived($0) { _ in throw CancellationError() } }
    }
  }
}

@Suite("CopyWriter")
struct PostgresCopyWriterTests {
  @Test("rows, values and trailer have the documented bytes")
  func bytes() throws {
    var sent: [UInt8] = []
    var writer = CopyWriter { bytes in
      sent.append(contentsOf: bytes)
      return true
    }
    writer.row(fields: 3)
    writer.int4(258)
    writer.null()
    writer.text("hi")
    try writer.finish()
    #expect(
      sent == PostgresCopyParserTests.header + PostgresCopyParserTests.row + PostgresCopyParserTests.trailer)
  }

  @Test("2000-01-01T00:00:01Z is one million microseconds")
  func timestamp() throws {
    var sent: [UInt8] = []
    var writer = CopyWriter { bytes in
      sent.append(contentsOf: bytes)
      return true
    }
    writer.row(fields: 2)
    writer.timestamp(EpochMilliseconds(946_684_801_000))
    writer.int2(-2)
    try writer.finish()
    #expect(
      Array(sent.dropFirst(19)) == [
        0, 2, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0x0F, 0x42, 0x40, 0, 0, 0, 2, 0xFF, 0xFE, 0xFF, 0xFF,
      ])
  }

  @Test(
    "a row with fewer or more values than announced, or impossibly many, is refused", arguments: [-1, 0, 1, 3, 40_000])
  func wrongCount(announced: Int) {
    var writer = CopyWriter { _ in true }
    writer.row(fields: announced)
    writer.int8(1)
    writer.int8(2)
    let error = #expect(throws: PostgresError.self) { try writer.finish() }
    #expect(error?.code == .protocolViolation)
  }

  @Test("what libpq doesn't take is remembered, and nothing is sent after it")
  func refused() throws {
    var calls = 0
    var writer = CopyWriter { _ in
      calls += 1
      return false
    }
    for _ in 0..<100_000 {
      writer.row(fields: 1)
      writer.int8(1)
    }
    try writer.finish()
    #expect(calls == 1)
    #expect(writer.isRefused)
  }
}
