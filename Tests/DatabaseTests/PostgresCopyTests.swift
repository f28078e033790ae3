import Base
import Postgres
import Testing

@Suite("COPY", .database)
struct PostgresCopyTests {
  private static let table =
    "create table public.t (id int8 primary key, n int4, s int2, at timestamptz, text text, raw bytea)"
  private static let copyIn = "copy public.t from stdin (format binary)"

  private struct Refused: Error {}

  private static func write(_ id: Int64, to writer: inout CopyWriter) {
    writer.row(fields: 6)
    writer.int8(id)
    writer.int4(Int32(truncatingIfNeeded: id * 2))
    writer.int2(Int16(truncatingIfNeeded: id))
    writer.timestamp(EpochMilliseconds(1_700_000_000_000 + id))
    if id % 3 == 0 { writer.null() } else { writer.text("Grüße \u{1F680} \u{1} \(id)") }
    writer.bytes([0, 255, UInt8(truncatingIfNeeded: id)])
  }

  @Test("100,000 rows in and out again")
  func bothWays() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      let taken = try connection.copyIn(Self.copyIn) { writer in
        for id in 1...100_000 as ClosedRange<Int64> { Self.write(id, to: &writer) }
      }
      #expect(taken == 100_000)
      // The server's own view of one row, and of all.
      let row = try connection.execute(
        "select n, s, extract(epoch from at)::float8, text, encode(raw, 'hex') from public.t where id = 70000")[0]
      #expect(row.int(0) == 140_000)
      #expect(row.int(1) == 4464)
      #expect(row.double(2) == 1_700_000_070)
      #expect(row.text(3) == "Grüße \u{1F680} \u{1} 70000")
      #expect(row.text(4) == "00ff70")
      let counts = try connection.execute("select count(*), count(text), sum(n) from public.t where n = id * 2")[0]
      #expect(counts.int(0) == 100_000)
      #expect(counts.int(1) == 66_667)

      var next: Int64 = 1
      var wrong = 0
      var arena: [UInt8] = []
      try connection.copyOut(
        "copy (select id, n, s, at, text, raw from public.t order by id) to stdout (format binary)"
      ) { fields in
        let isRight =
          fields.count == 6 && fields.int8(0) == next && fields.int4(1) == Int32(next * 2)
          && fields.int2(2) == Int16(truncatingIfNeeded: next)
          && fields.timestamp(3) == EpochMilliseconds(1_700_000_000_000 + next)
          && fields.text(4) == (next % 3 == 0 ? nil : "Grüße \u{1F680} \u{1} \(next)")
        if !isRight { wrong += 1 }
        arena.removeAll(keepingCapacity: true)
        let range = fields.appendBytes(5, to: &arena)
        if range?.count != 3 || arena != [0, 255, UInt8(truncatingIfNeeded: next)] { wrong += 1 }
        next += 1
      }
      #expect(next == 100_001)
      #expect(wrong == 0)
    }
  }

  @Test("no rows at all, both ways")
  func none() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      #expect(try connection.copyIn(Self.copyIn) { _ in } == 0)
      var rows = 0
      try connection.copyOut("copy public.t to stdout (format binary)") { _ in rows += 1 }
      #expect(rows == 0)
    }
  }

  @Test("a unique violation midway: nothing is taken, the row is numbered, the connection goes on")
  func uniqueViolation() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      let session = try connection.execute("select pg_backend_pid()")[0].int(0)
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn(Self.copyIn) { writer in
          for id in 1...50_000 as ClosedRange<Int64> { Self.write(id == 30_000 ? 17 : id, to: &writer) }
        }
      }
      #expect(error?.code == .server)
      #expect(error?.sqlState == "23505")
      #expect(error?.constraint == "t_pkey")
      #expect(error?.detail?.contains("COPY t, line 30000") == true)
      #expect(error?.description.contains("\n") == false)
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
      #expect(try connection.execute("select pg_backend_pid()")[0].int(0) == session)
    }
  }

  @Test("a closure that gives up while writing: nothing is taken, its error comes back, the connection goes on")
  func writerGivesUp() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      #expect(throws: Refused.self) {
        try connection.copyIn(Self.copyIn) { writer in
          for id in 1...20_000 as ClosedRange<Int64> { Self.write(id, to: &writer) }
          throw Refused()
        }
      }
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
      #expect(
        try connection.copyIn(Self.copyIn) { writer in Self.write(1, to: &writer) } == 1)
    }
  }

  @Test("a row with a value missing is refused here, and nothing is taken")
  func valueMissing() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn(Self.copyIn) { writer in
          Self.write(1, to: &writer)
          writer.row(fields: 6)
          writer.int8(2)
        }
      }
      #expect(error?.code == .protocolViolation)
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
    }
  }

  @Test("a closure that gives up while reading ends the COPY, and the connection goes on")
  func readerGivesUp() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      let session = try connection.execute("select pg_backend_pid()")[0].int(0)
      var rows = 0
      #expect(throws: Refused.self) {
        // So many that the test would not end if they were all read.
        try connection.copyOut("copy (select generate_series(1::int8, 1000000000000)) to stdout (format binary)") {
          _ in
          rows += 1
          if rows == 1000 { throw Refused() }
        }
      }
      #expect(rows == 1000)
      for _ in 0..<100 { try connection.execute("select 1") }
      #expect(try connection.execute("select pg_backend_pid()")[0].int(0) == session)
    }
  }

  @Test("an error of the query midway comes back, and the connection goes on")
  func queryFails() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      var rows = 0
      let error = #expect(throws: PostgresError.self) {
        try connection.copyOut(
          "copy (select 1 / (5000 - g) from generate_series(1, 10000) g) to stdout (format binary)"
        ) { _ in rows += 1 }
      }
      #expect(error?.sqlState == "22012")
      #expect(rows == 4999)
      let next = try connection.execute("select 7")[0].int(0)
      #expect(next == 7)
    }
  }

  @Test("a statement that is no binary COPY of that direction is refused, and the connection goes on")
  func wrongStatement() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute(Self.table)
      for sql in ["select 1", "copy public.t to stdout", "copy public.t from stdin", Self.copyIn] {
        let error = #expect(throws: PostgresError.self) { try connection.copyOut(sql) { _ in } }
        #expect(error?.code == .protocolViolation)
      }
      for sql in ["select 1", "copy public.t to stdout (format binary)", "copy public.t from stdin"] {
        let error = #expect(throws: PostgresError.self) { try connection.copyIn(sql) { _ in } }
        #expect(error?.code == .protocolViolation)
      }
      let error = #expect(throws: PostgresError.self) { try connection.execute(Self.copyIn) }
      #expect(error?.code == .protocolViolation)
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
    }
  }

  @Test("the session ended midway is a lost connection, both ways")
  func sessionEnds() async throws {
    try await TestDatabase.with(connections: 2) { test in
      try await test.database.run { try $0.execute(Self.table) }
      let kill = "select pg_terminate_backend($1::int4)"
      let reading = await #expect(throws: PostgresError.self) {
        try await test.database.run { connection in
          let session = try connection.execute("select pg_backend_pid()")[0].int(0)
          var rows = 0
          try connection.copyOut("copy (select generate_series(1::int8, 1000000000000)) to stdout (format binary)") {
            _ in
            rows += 1
            if rows == 1000 {
              try Connection(conninfo: test.conninfo, applicationName: "killer")
                .execute(kill, [.int4(Int32(session ?? 0))])
            }
          }
        }
      }
      #expect(reading?.code == .connection)
      let writing = await #expect(throws: PostgresError.self) {
        try await test.database.run { connection in
          let session = try connection.execute("select pg_backend_pid()")[0].int(0)
          try connection.copyIn(Self.copyIn) { writer in
            for id in 1...100_000 as ClosedRange<Int64> {
              Self.write(id, to: &writer)
              if id == 50_000 {
                try Connection(conninfo: test.conninfo, applicationName: "killer")
                  .execute(kill, [.int4(Int32(session ?? 0))])
              }
            }
          }
        }
      }
      #expect(writing?.code == .connection)
      #expect(try await test.database.run { try $0.execute("select count(*) from public.t")[0].int(0) } == 0)
    }
  }
}
