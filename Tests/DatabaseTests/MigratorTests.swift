import Postgres
import Store
import Testing

@Suite("Migrator", .database)
struct MigratorTests {
  private static let versions = "select version, name from salvo.schema_version order by version"

  @Test("an empty database has no schema, then it has this binary's, once")
  func once() async throws {
    try await TestDatabase.with { test in
      let migrator = Migrator(test.database)
      let missing = await #expect(throws: StoreError.self) { try await migrator.check() }
      #expect(missing?.code == .version)
      #expect(missing?.description == "the database \(test.database.place) has no Salvo schema: run `salvo migrate`")
      let applied = try await migrator.migrate()
      #expect(applied.first == "0001_schema")
      try await migrator.check()
      #expect(try await migrator.migrate() == [])
      let recorded = try await test.database.run { try $0.execute(Self.versions).map { $0.text(1) } }
      #expect(recorded == applied)
    }
  }

  @Test("two at once apply each migration once")
  func twoAtOnce() async throws {
    try await TestDatabase.with(connections: 4) { test in
      let migrator = Migrator(test.database)
      let applied = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<4 { group.addTask { try await migrator.migrate() } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let recorded = try await test.database.run { try $0.execute(Self.versions).compactMap { $0.text(1) } }
      #expect(applied.sorted() == recorded)
      #expect(Set(applied).count == applied.count)
      try await migrator.check()
    }
  }

  @Test("a schema newer than the binary is refused by both versions' numbers, and left alone")
  func newer() async throws {
    try await TestDatabase.with { test in
      let migrator = Migrator(test.database)
      _ = try await migrator.migrate()
      let known = try await test.database.run { connection in
        try connection.execute("select max(version) from salvo.schema_version")[0].int(0)!
      }
      try await test.database.run { connection in
        try connection.execute("insert into salvo.schema_version (version, name) values (9001, '9001_future')")
      }
      for attempt in [migrator.check, { _ = try await migrator.migrate() }] {
        let error = await #expect(throws: StoreError.self) { try await attempt() }
        #expect(error?.code == .version)
        #expect(error?.description.contains("has version 9001, this salvo knows \(known)") == true)
      }
    }
  }

  @Test("an older schema is told with the advice to migrate")
  func older() async throws {
    try await TestDatabase.with { test in
      try await test.database.run { connection in
        try connection.script(
          Array(
            """
            create schema salvo;
            create table salvo.schema_version (version int primary key, name text, applied_at timestamptz);
            insert into salvo.schema_version values (-1, 'before the first', now());
            """.utf8))
      }
      let error = await #expect(throws: StoreError.self) { try await Migrator(test.database).check() }
      #expect(error?.code == .version)
      #expect(error?.description.contains("has version -1, this salvo needs ") == true)
      #expect(error?.description.hasSuffix(": run `salvo migrate`") == true)
    }
  }

  @Test("a migration that fails leaves nothing behind and names itself")
  func failing() async throws {
    try await TestDatabase.with { test in
      // In the way of the first migration, which makes this table.
      try await test.database.run { connection in
        try connection.script(Array("create schema salvo; create table salvo.launch (in_the_way int)".utf8))
      }
      let error = await #expect(throws: StoreError.self) { try await Migrator(test.database).migrate() }
      #expect(error?.code == .refused)
      #expect(error?.description.hasPrefix("migration 0001_schema: ") == true)
      let tables = try await test.database.run { connection in
        try connection.execute("select tablename from pg_tables where schemaname = 'salvo'").map { $0.text(0) }
      }
      #expect(tables == ["launch"])
    }
  }

  @Test("every role may ask for the version")
  func otherRole() async throws {
    try await TestDatabase.with(connections: 1) { test in
      _ = try await Migrator(test.database).migrate()
      let isReadable = try await test.database.run { connection in
        try connection.execute("select has_table_privilege('pg_monitor', 'salvo.schema_version', 'select')")[0].bool(0)
      }
      #expect(isReadable == true)
    }
  }
}

@Suite("StoreError from PostgreSQL")
struct MigratorStoreErrorTests {
  @Test(
    "a refusal that passes, a schema too old, and the rest have their codes",
    arguments: [
      (PostgresError(.connection, "gone"), StoreError.Code.away),
      (PostgresError(.server, "disk full", sqlState: "53100"), .away),
      (PostgresError(.server, "deadlock", sqlState: "40P01"), .away),
      (PostgresError(.server, "read-only", sqlState: "25006"), .away),
      (PostgresError(.server, "cancelled", sqlState: "57014"), .away),
      (PostgresError(.server, "no table", sqlState: "42P01"), .version),
      (PostgresError(.server, "no column", sqlState: "42703"), .version),
      (PostgresError(.server, "twice", sqlState: "23505", detail: "Key (token)=(secret)"), .refused),
      (PostgresError(.server, "not allowed", sqlState: "42501"), .configuration),
      (PostgresError(.protocolViolation, "malformed"), .refused),
    ])
  func codes(error: PostgresError, code: StoreError.Code) {
    let error = StoreError(error, doing: "closing a window", at: "app@db.example:5432/mail")
    #expect(error.code == code)
    #expect(error.description.hasPrefix("closing a window: the database app@db.example:5432/mail "))
    #expect(error.description.contains("secret") == false)
  }

  @Test("a lost COMMIT says that it may have been done")
  func lostCommit() {
    let error = StoreError(
      PostgresError(.connection, "gone", isCommitUnknown: true), doing: "opening a window", at: "app@db:5432/mail")
    #expect(error.code == .away)
    #expect(
      error.description
        == "opening a window: the database app@db:5432/mail broke off at COMMIT, which may have been done: gone")
  }

  @Test("a database that is away is told with its place")
  func away() async {
    let database = Database(
      conninfo: "host=127.0.0.1 port=1 user=app dbname=mail", applicationName: "salvo", connections: 1)
    let error = await #expect(throws: StoreError.self) { try await Migrator(database).check() }
    #expect(error?.code == .away)
    #expect(error?.description.contains("app@127.0.0.1:1/mail is away") == true)
  }
}
