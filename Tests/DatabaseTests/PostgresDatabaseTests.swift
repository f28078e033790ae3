import Base
import Postgres
import Testing

@Suite("Database", .database)
struct PostgresDatabaseTests {
  private struct Refused: Error {}

  private static let pid = "select pg_backend_pid()"

  /// Waits until a session of this database is in the middle of `query`.
  private func waitUntilRunning(_ query: String, in test: TestDatabase) async throws {
    let observer = Database(conninfo: test.conninfo, applicationName: "observer", connections: 1)
    var isRunning = false
    while !isRunning {
      isRunning = try await observer.run { connection in
        try connection.execute(
          "select count(*) from pg_stat_activity where query = $1 and state = 'active' and datname = $2",
          [.text(query), .text(test.name)])[0].int(0) == 1
      }
    }
  }

  @Test("the limits hold on every session, and the user's own come before")
  func limits() async throws {
    try await TestDatabase.with(options: "options='-c lock_timeout=7s' application_name=mine") { test in
      let connection = try test.connect()
      let names = [
        "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "search_path",
        "client_encoding", "application_name",
      ]
      let values = try names.map { try connection.execute("show \($0)")[0].text(0) }
      #expect(values == ["10min", "7s", "30s", "", "UTF8", "mine"])
    }
  }

  @Test("a refusal has the server's SQLSTATE, message and constraint, and the connection goes on")
  func refusal() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute("create table public.t (a int8 constraint positive check (a > 0))")
      let error = #expect(throws: PostgresError.self) {
        try connection.execute("insert into public.t values ($1)", [.int8(-1)])
      }
      #expect(error?.code == .server)
      #expect(error?.sqlState == "23514")
      #expect(error?.constraint == "positive")
      #expect(error?.message == "new row for relation \"t\" violates check constraint \"positive\"")
      #expect(error?.detail == "Failing row contains (-1).")
      #expect(
        error?.description
          == "new row for relation \"t\" violates check constraint \"positive\" (SQLSTATE 23514)")
      #expect(try connection.execute("insert into public.t values ($1)", [.int8(1)]).affected == 1)
    }
  }

  @Test("a transaction commits when its body returns and rolls back when it throws")
  func transaction() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute("create table public.t (a int8)")
      let result = try connection.transaction { connection in
        try connection.execute("insert into public.t values (1)")
        return "done"
      }
      #expect(result == "done")
      #expect(throws: Refused.self) {
        try connection.transaction { connection in
          try connection.execute("insert into public.t values (2)")
          throw Refused()
        }
      }
      let error = #expect(throws: PostgresError.self) {
        try connection.transaction { try $0.transaction { _ in } }
      }
      #expect(error?.code == .protocolViolation)
      #expect(try connection.execute("select a from public.t").map { $0.int(0) } == [1])
    }
  }

  @Test("a body that goes on after a failed statement isn't told that it was committed")
  func swallowedError() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute("create table public.t (a int8)")
      let error = #expect(throws: PostgresError.self) {
        try connection.transaction { connection in
          try connection.execute("insert into public.t values (1)")
          _ = try? connection.execute("select 1 / 0")
        }
      }
      #expect(error?.code == .server)
      #expect(error?.sqlState == "25P02")
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
    }
  }

  @Test("a COMMIT that the server refuses is a refusal, one whose answer was lost is unknown")
  func commit() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.execute("create table public.t (a int8 unique deferrable initially deferred)")
      let error = #expect(throws: PostgresError.self) {
        try connection.transaction { try $0.execute("insert into public.t values (1), (1)") }
      }
      #expect(error?.sqlState == "23505")
      #expect(error?.isCommitUnknown == false)
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 0)
      let lost = await #expect(throws: PostgresError.self) {
        try await test.database.run { connection in
          try connection.transaction { connection in
            let session = try connection.execute(Self.pid)[0].int(0)
            try Connection(conninfo: test.conninfo, applicationName: "killer")
              .execute("select pg_terminate_backend($1::int4)", [.int4(Int32(session ?? 0))])
          }
        }
      }
      #expect(lost?.code == .connection)
      #expect(lost?.isCommitUnknown == true)
      // Lost before COMMIT: nothing was committed, and that is known.
      let before = await #expect(throws: PostgresError.self) {
        try await test.database.run { connection in
          try connection.transaction { try $0.execute("select pg_terminate_backend(pg_backend_pid())") }
        }
      }
      #expect(before?.code == .connection)
      #expect(before?.sqlState == "57P01")
      #expect(before?.isCommitUnknown == false)
    }
  }

  @Test("several statements of a script are one transaction")
  func script() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let connection = try test.connect()
      try connection.script(
        Array("create table public.t (a text); insert into public.t values ('ü; \u{1F680}');".utf8))
      #expect(try connection.execute("select a from public.t")[0].text(0) == "ü; \u{1F680}")
      let error = #expect(throws: PostgresError.self) {
        try connection.script(Array("insert into public.t values ('x'); select * from public.missing".utf8))
      }
      #expect(error?.sqlState == "42P01")
      #expect(try connection.execute("select count(*) from public.t")[0].int(0) == 1)
      #expect(throws: PostgresError.self) { try connection.script([0x3B, 0]) }
    }
  }

  @Test("a connection that the server closed while it was idle is opened anew without anybody noticing")
  func idleBreak() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let before = try await test.database.run { try $0.execute(Self.pid)[0].int(0) }
      let killer = Database(conninfo: test.conninfo, applicationName: "killer", connections: 1)
      try await killer.run { connection in
        try connection.execute("select pg_terminate_backend($1::int4)", [.int4(Int32(before ?? 0))])
        while try connection.execute("select from pg_stat_activity where pid = $1", [.int8(before ?? 0)]).count > 0 {}
      }
      let after = try await test.database.run { try $0.execute(Self.pid)[0].int(0) }
      #expect(after != nil)
      #expect(after != before)
      #expect(test.database.reconnects.value == 1)
      #expect(test.database.connectFailures.value == 0)
    }
  }

  @Test("what was running when the connection broke throws and isn't repeated; the next use works")
  func breakWhileRunning() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let calls = Guarded(0)
      let error = await #expect(throws: PostgresError.self) {
        try await test.database.run { connection in
          calls.withLock { $0 += 1 }
          try connection.execute("select pg_terminate_backend(pg_backend_pid())")
        }
      }
      #expect(error?.code == .connection)
      #expect(error?.sqlState == "57P01")
      #expect(calls.withLock { $0 } == 1)
      let next = try await test.database.run { try $0.execute("select 7")[0].int(0) }
      #expect(next == 7)
    }
  }

  @Test("a connection left inside a transaction goes to nobody else")
  func leftInside() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let before = try await test.database.run { connection in
        try connection.execute("begin")
        return try connection.execute(Self.pid)[0].int(0)
      }
      let after = try await test.database.run { connection in
        try connection.transaction { try $0.execute(Self.pid)[0].int(0) }
      }
      #expect(after != before)
    }
  }

  @Test("a cancelled task ends its statement at the server, and the connection goes on")
  func cancellation() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let before = try await test.database.run { try $0.execute(Self.pid)[0].int(0) }
      let query = "select pg_sleep(600)"
      let task = Task { try await test.database.run { try $0.execute(query).count } }
      try await waitUntilRunning(query, in: test)
      task.cancel()
      let error = await #expect(throws: PostgresError.self) { try await task.value }
      #expect(error?.sqlState == "57014")
      #expect(error?.code == .server)
      let after = try await test.database.run { try $0.execute(Self.pid)[0].int(0) }
      #expect(after == before)
    }
  }

  @Test("a cancelled task rolls its transaction back and sends no further statement")
  func cancellationInTransaction() async throws {
    try await TestDatabase.with(connections: 1) { test in
      try await test.database.run { try $0.execute("create table public.t (a int8)") }
      let query = "select pg_sleep(600)"
      let task = Task {
        try await test.database.run { connection in
          try connection.transaction { connection in
            try connection.execute("insert into public.t values (1)")
            _ = try? connection.execute(query)
            try connection.execute("rollback")
          }
        }
      }
      try await waitUntilRunning(query, in: test)
      task.cancel()
      let error = await #expect(throws: PostgresError.self) { try await task.value }
      #expect(error?.sqlState == "57014")
      #expect(error?.message == "cancelled before the statement was sent")
      #expect(try await test.database.run { try $0.execute("select count(*) from public.t")[0].int(0) } == 0)
    }
  }

  @Test("a task cancelled while it waits for a connection stops waiting, and its turn is not lost")
  func cancelledWait() async throws {
    try await TestDatabase.with(connections: 1) { test in
      let query = "select pg_sleep(600)"
      let holder = Task { try await test.database.run { try $0.execute(query).count } }
      try await waitUntilRunning(query, in: test)
      let waiter = Task { try await test.database.run { try $0.execute("select 1").count } }
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
      holder.cancel()
      await #expect(throws: PostgresError.self) { try await holder.value }
      let next = try await test.database.run { try $0.execute("select 7")[0].int(0) }
      #expect(next == 7)
    }
  }

  @Test("forty users share two connections, and all are served")
  func sharing() async throws {
    try await TestDatabase.with(connections: 2) { test in
      let sessions = try await withThrowingTaskGroup(of: Int64?.self) { group in
        for _ in 0..<40 {
          group.addTask { try await test.database.run { try $0.execute(Self.pid)[0].int(0) } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sessions.count == 40)
      #expect(Set(sessions).count <= 2)
    }
  }

  @Test("a server that isn't there is told in one line with its address")
  func unreachable() async {
    // Port 1 of the loopback: nobody listens.
    let database = Database(
      conninfo: "host=127.0.0.1 port=1 user=app dbname=mail password=hush", applicationName: "salvo", connections: 1)
    #expect(database.place == "app@127.0.0.1:1/mail")
    for _ in 0..<2 {
      let error = await #expect(throws: PostgresError.self) {
        try await database.run { try $0.execute("select 1").count }
      }
      #expect(error?.code == .connection)
      #expect(error?.description.contains("127.0.0.1") == true)
      #expect(error?.description.contains("Connection refused") == true)
      #expect(error?.description.contains("\n") == false)
      #expect(error?.description.contains("hush") == false)
    }
  }
}
