import Campaign
import Postgres
import Store
import Testing

@Suite("Roles", .database)
struct SchemaRoleTests {
  /// SQLSTATE of the statement under the role, nil when it went through.
  private func outcome(_ role: String, _ sql: String, _ fixture: StoreFixture) async throws -> String? {
    try await fixture.database.run { connection in
      do {
        try connection.transaction { connection in
          try connection.execute("set local role \(role)")
          try connection.execute(sql)
        }
        return nil
      } catch let error as PostgresError {
        return error.sqlState
      }
    }
  }

  @Test("none may do what is another's, and nobody may change or delete a result")
  func refused() async throws {
    try await StoreFixture.with { fixture in
      for (role, sql) in [
        ("salvo_runner", "delete from salvo.delivery"),
        ("salvo_runner", "update salvo.delivery set outcome = 1"),
        ("salvo_runner", "truncate salvo.delivery"),
        ("salvo_runner", "delete from salvo.chunk"),
        ("salvo_runner", "delete from salvo.send_window"),
        ("salvo_runner", "delete from salvo.subscription"),
        ("salvo_runner", "update salvo.subscription set token = 'x'"),
        ("salvo_runner", "insert into salvo.recipient values (1, 1, 1, 1)"),
        ("salvo_runner", "update salvo.launch set content = '{}'"),
        ("salvo_platform", "insert into salvo.recipient values (1, 1, 1, 1)"),
        ("salvo_platform", "delete from salvo.recipient"),
        ("salvo_platform", "update salvo.launch set state = 'finished'"),
        ("salvo_platform", "update salvo.delivery set outcome = 1"),
        ("salvo_platform", "update salvo.send_window set state = 1"),
        ("salvo_platform", "select * from salvo.provider_token"),
        ("salvo_platform", "select salvo.make_partitions(1)"),
        ("salvo_settler", "update salvo.delivery set outcome = 1"),
        ("salvo_settler", "insert into salvo.delivery (launch_id) values (1)"),
        ("salvo_settler", "select * from salvo.provider_token"),
        ("salvo_settler", "select token from salvo.subscription"),
        ("salvo_reader", "select token from salvo.subscription"),
        ("salvo_reader", "select * from salvo.retired"),
        ("salvo_reader", "select * from salvo.provider_token"),
        ("salvo_reader", "update salvo.launch set state = 'cancelled'"),
        ("salvo_reader", "select salvo.audience_all(1)"),
      ] {
        let state = try await outcome(role, sql, fixture)
        #expect(state == "42501", "\(role): \(sql)")
      }
    }
  }

  @Test("each may do its work")
  func allowed() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 10)
      for (role, sql) in [
        ("salvo_platform", "insert into salvo.launch (campaign_id, content) values (1, '{}')"),
        ("salvo_platform", "insert into salvo.job (kind, launch_id) values ('pause', \(launch))"),
        ("salvo_platform", "delete from salvo.profile where id = 2"),
        ("salvo_platform", "select * from salvo.retired"),
        ("salvo_runner", "select * from salvo.provider_token"),
        ("salvo_runner", "select salvo.make_partitions(5000)"),
        (
          "salvo_settler",
          "insert into salvo.settlement (launch_id, channel_id, profile_id, subscription_id, attempt, "
            + "outcome, source) values (\(launch), 1, 1, 1, 1, 1, 'provider')"
        ),
        ("salvo_reader", "select * from salvo.launch_progress"),
        ("salvo_reader", "select * from salvo.message_log"),
        ("salvo_reader", "select state, retired_reason from salvo.subscription"),
      ] {
        #expect(try await outcome(role, sql, fixture) == nil, "\(role): \(sql)")
      }
    }
  }

  @Test("a runner plans, sends and finishes a launch under its own role")
  func runner() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      let launch = try await fixture.launch()
      let database = Database(
        conninfo: "\(fixture.test.conninfo) options='-c role=salvo_runner'", applicationName: "salvo-test",
        connections: 1)
      let launches = LaunchStore(database)
      let chunks = ChunkStore(database, owner: "runner")
      let windows = WindowStore(database)
      try await launches.plan(launch, sizing: [])
      guard case .leased(let lease) = try await chunks.claim(launch: launch, channel: 1) else {
        Issue.record("no lease")
        return
      }
      #expect(try await chunks.read(lease, columns: [.profile, .variables]).rows.map(\.key) == keys(1...3))
      guard case .opened(let window) = try await windows.open(lease, keys: keys(1...3)) else {
        Issue.record("no window")
        return
      }
      var result = WindowResult.sent(keys(1...3))
      result.rows[1] = DeliveryRow(key: key(2), outcome: .tokenRetired, requests: 1)
      result.retirements = [Retirement(key: key(2), token: "token-2", reason: "UNREGISTERED")]
      #expect(try await windows.close(window, of: lease, result: result) == .closed)
      try await chunks.complete(lease)
      #expect(try await launches.finish(launch) == .finished)
    }
  }

  @Test("two databases of one cluster migrate at the same time")
  func together() async throws {
    try await TestDatabase.with { first in
      try await TestDatabase.with { second in
        async let one = Migrator(first.database).migrate()
        async let other = Migrator(second.database).migrate()
        let applied = try await (one, other)
        #expect(applied.0 == applied.1)
        #expect(applied.0.first == "0001_schema")
      }
    }
  }

  @Test("the owner of the database may migrate it, if it may create roles")
  func owner() async throws {
    try await TestDatabase.with { test in
      let name = "salvo_test_owner_\(UInt64.random(in: 0 ... .max))"
      try await test.database.run { connection in
        try connection.execute("create role \(name) login createrole")
        try connection.execute("alter database \(test.name) owner to \(name)")
      }
      let database = Database(
        conninfo: "\(test.conninfo) options='-c role=\(name)'", applicationName: "salvo-test", connections: 1)
      let result: Result<[String], any Error>
      do { result = .success(try await Migrator(database).migrate()) } catch { result = .failure(error) }
      try await test.database.run { connection in
        try connection.script(
          Array(
            """
            reassign owned by \(name) to current_user;
            alter database \(test.name) owner to current_user;
            drop owned by \(name);
            drop role \(name);
            """.utf8))
      }
      #expect(try result.get().first == "0001_schema")
      let owners = try await test.database.run { connection in
        try connection.execute(
          """
          select distinct pg_get_userbyid(relowner)::text from pg_class
          where relnamespace = 'salvo'::regnamespace and relname <> 'schema_version' and relkind in ('r', 'p', 'v', 'S')
          """
        ).map { $0.text(0) }
      }
      #expect(owners == ["salvo_owner"])
    }
  }
}
