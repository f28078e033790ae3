import Testing

extension Runs {
  /// Runners need no session of their own.
  @Suite struct PoolerTests {
    @Test("C36: five runners share two connections of PgBouncer in transaction mode and leave nothing in a session")
    func transactionMode() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "50")
      let launch = try await TestLaunch.make(
        stack,
        [
          .firebase(2_000, ["connections": 1, "streams": 50, "rate": 1_000]), .apns(500), .hms(200), .appMetrica(200),
        ])
      try await Pooler.with(stack) { pooler in
        let environment = stack.environment.merging(pooler.environment) { $1 }
        let runners = try (1...5).map { _ in try Shell.start(Shell.salvo, ["run", "\(launch.id)"], environment) }
        for runner in runners {
          let ended = try await runner.ended()
          #expect(ended.code == 0, "\(ended.err)")
          #expect(
            ended.outLines.last
              == "all lanes: planned 2900 sent 2900 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0"
          )
        }
        let verified = try await stack.trySalvo(["verify", "\(launch.id)"], pooler.environment)
        #expect(verified.code == 0, "\(verified.out)\(verified.err)")
        let maintained = try await stack.trySalvo(["maintain"], pooler.environment)
        #expect(maintained.code == 0, "\(maintained.err)")

        // Whatever a session keeps beyond its transaction would be here, in one that was everybody's. PgBouncer itself
        // sets the first five for each client; the last two are each transaction's own.
        let left = """
          select 'statement ' || name from pg_prepared_statements
          union all select 'cursor ' || name from pg_cursors
          union all select 'channel ' || pg_listening_channels()
          union all select 'lock ' || objid from pg_locks where locktype = 'advisory'
          union all select 'table ' || relname from pg_class where relpersistence = 't'
          union all select 'setting ' || name from pg_settings where source = 'session' and lower(name) not in (
            'application_name', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings',
            'transaction_isolation', 'transaction_read_only')
          """
        let psql = ["-X", "-q", "-A", "-t", "-c", "begin", "-c", "select pg_sleep(0.5)", "-c", left, "-c", "commit"]
        // Two at once, so that each has one of the two.
        async let one = Shell.run("/usr/bin/psql", psql, environment)
        async let other = Shell.run("/usr/bin/psql", psql, environment)
        for ended in [try await one, try await other] {
          #expect(ended.code == 0 && ended.outLines == [], "\(ended.out)\(ended.err)")
        }
      }
      let ledger = try await stack.ledger()
      #expect(ledger.count == 2_900)
      #expect(Set(ledger.map { "\($0.provider) \($0.token)" }).count == 2_900)
      #expect(try await launch.unfinishedBusiness() == 0)
    }
  }
}
