import Base
import Campaign
import Postgres
import Store
import Testing

/// Keeping house, all of it under the runner's role, which may delete nothing by itself.
@Suite("Maintenance", .database)
struct MaintenanceTests {
  private func maintenance(_ fixture: StoreFixture) -> Maintenance {
    Maintenance(
      Database(
        conninfo: "\(fixture.test.conninfo) options='-c role=salvo_runner'", applicationName: "salvo-test",
        connections: 2))
  }

  /// Four messages of subscriptions 1…4: sent, rejected, unknown and, by a resend chunk that took it back, sent. It
  /// has late evidence, a settlement and what was left in the staging table.
  private func finished(_ fixture: StoreFixture) async throws -> Int64 {
    let launch = try await fixture.launch()
    try await fixture.plan(launch, window: 4)
    let lease = try await fixture.lease(launch)
    let window = try await fixture.open(lease, keys(1...4))
    var results = WindowResultBuilder()
    results.add(key(1), .sent)
    results.add(key(2), .rejected, reason: "payload")
    results.add(key(3), .unknown, reason: "no_answer")
    results.add(key(4), .unknown, reason: "lost")
    _ = try await fixture.windows.close(window, of: lease, result: results.make(cursor: key(4)))
    try await fixture.chunks.complete(lease)
    #expect(try await fixture.launches.finish(launch) == .finished)
    let commands = LaunchCommands(fixture.database)
    #expect(try await commands.retry(launch: launch, outcomes: [.unknown], reason: "lost", channel: nil) == 1)
    let again = try await fixture.lease(launch)
    let second = try await fixture.open(again, keys(4...4))
    _ = try await fixture.windows.close(second, of: again, result: .sent(keys(4...4)))
    try await fixture.chunks.complete(again)
    #expect(try await fixture.launches.finish(launch) == .finished)
    try await fixture.script(
      """
      insert into salvo.late_evidence (profile_id, subscription_id, launch_id, channel_id, attempt, outcome, source)
        values (3, 3, \(launch), 1, 1, 6, 'spool');
      insert into salvo.settlement (launch_id, channel_id, profile_id, subscription_id, attempt, outcome, source)
        values (\(launch), 1, 3, 3, 1, 6, 'person');
      insert into salvo.recipient_staging values (\(launch), 9, 9);
      """)
    return launch
  }

  /// As if everything about the launch had happened so long ago.
  private func age(_ launch: Int64, days: Int, _ fixture: StoreFixture) async throws {
    try await fixture.script(
      """
      alter table salvo.launch disable trigger fixed;
      update salvo.launch set created_at = created_at - interval '\(days) days',
        started_at = started_at - interval '\(days) days', finished_at = finished_at - interval '\(days) days'
        where id = \(launch);
      alter table salvo.launch enable trigger fixed;
      update salvo.send_window set opened_at = opened_at - interval '\(days) days',
        closed_at = closed_at - interval '\(days) days' where launch_id = \(launch);
      update salvo.control_log set at = at - interval '\(days) days' where launch_id = \(launch);
      """)
  }

  private static let bulk = ["recipient", "delivery", "recipient_staging", "late_evidence"]
  private static let all = bulk + ["settlement", "send_window", "chunk"]

  /// Rows of the launch in each of the tables.
  private func counts(_ launch: Int64, _ fixture: StoreFixture) async throws -> [String] {
    var counts: [String] = []
    for table in Self.all {
      counts += try await fixture.rows("select count(*) from salvo.\(table) where launch_id = \(launch)")
    }
    return counts
  }

  @Test("of a launch that ended long ago the sums stay and the rest goes; younger and unfinished ones lose nothing")
  func trim() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      let old = try await finished(fixture)
      let young = try await finished(fixture)
      let unfinished = try await fixture.launch()
      try await fixture.plan(unfinished, window: 4)
      try await age(old, days: 91, fixture)
      try await age(young, days: 89, fixture)
      try await age(unfinished, days: 91, fixture)
      let full = ["4", "5", "1", "1", "1", "2", "2"]
      #expect(try await counts(old, fixture) == full)
      let progress = "select * from salvo.launch_progress where launch_id = \(old)"
      let sums = try await fixture.rows(progress)
      // planned, sent, token_retired, rejected, expired, skipped, unknown, remaining
      #expect(sums == [#"\#(old) 1 android-firebase 4 2 0 1 0 0 1 0 android done "#])

      let maintenance = maintenance(fixture)
      let look = try await maintenance.look(keepDays: 90)
      #expect(look.launches == 1 && look.partitionsDropped == [])
      #expect(try await counts(old, fixture) == full)

      let done = try await maintenance.run(keepDays: 90)
      #expect(done.launches == 1)
      #expect(
        done.rows == [
          "recipient": 4, "delivery": 5, "recipient_staging": 1, "late_evidence": 1, "settlement": 1,
          "send_window": 2, "chunk": 2, "control_log": 1,
        ])
      #expect(try await counts(old, fixture) == ["0", "0", "0", "0", "0", "0", "0"])
      #expect(try await fixture.rows(progress) == sums)
      #expect(try await counts(young, fixture) == full)
      #expect(try await counts(unfinished, fixture) == ["4", "0", "0", "0", "0", "0", "1"])
      #expect(
        try await fixture.rows(
          "select trim_begun_at is not null and trimmed_at is not null from salvo.launch order by id")
          == ["t", "f", "f"])
      // Another time there is nothing to do.
      #expect(try await maintenance.run(keepDays: 90) == Maintenance.Summary())
    }
  }

  @Test("bites are bounded: 12,001 recipients go in three transactions, and what remains is gone on with")
  func bites() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...12_001, channel: 1)
      let launch = try await fixture.launch()
      _ = try await LaunchCommands(fixture.database).say(.cancel, launch: launch, channel: nil)
      try await age(launch, days: 2, fixture)
      let bite = "select what || ' ' || gone from salvo.trim_launch(\(launch), 1)"
      #expect(try await fixture.rows(bite) == [#""recipient 5000""#])
      #expect(try await fixture.rows("select count(*) from salvo.recipient") == ["7001"])
      #expect(try await maintenance(fixture).run(keepDays: 1).rows["recipient"] == 7_001)
      #expect(try await fixture.rows(bite) == [])
    }
  }

  @Test("partitions are made ahead of the newest launch and dropped behind, when none of their launches is young")
  func partitions() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      let old = try await finished(fixture)
      try await age(old, days: 91, fixture)
      let maintenance = maintenance(fixture)
      // The newest launch's own partition stays, however old.
      #expect(try await maintenance.look(keepDays: 90).partitionsDropped == [])
      try await fixture.script(
        """
        insert into salvo.launch (id, campaign_id) values (1500, 1), (3000, 1);
        drop table salvo.recipient_p4, salvo.delivery_p4;
        """)
      let sums = try await fixture.rows("select * from salvo.launch_progress where launch_id = \(old)")
      let done = try await maintenance.run(keepDays: 90)
      #expect(done.partitionsMade == ["delivery_p4", "recipient_p4"])
      // 1500 is a draft; nobody has a launch in the third thousand.
      #expect(done.partitionsDropped == ["delivery_p0", "recipient_p0", "delivery_p2", "recipient_p2"])
      #expect(done.bytesDropped > 0)
      #expect(done.rows["recipient"] == nil && done.rows["delivery"] == nil && done.rows["send_window"] == 2)
      #expect(try await fixture.rows("select * from salvo.launch_progress where launch_id = \(old)") == sums)
      #expect(
        try await fixture.rows(
          "select tablename from pg_tables where schemaname = 'salvo' and tablename ~ '_p[0-9]+$' order by 1") == [
            "delivery_p1", "delivery_p3", "delivery_p4", "recipient_p1", "recipient_p3", "recipient_p4",
          ])
    }
  }

  @Test("a partition that a report reads is left for the next run, and results are written while it is tried")
  func busy() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      let old = try await finished(fixture)
      try await age(old, days: 91, fixture)
      try await fixture.script("insert into salvo.launch (id, campaign_id) values (1500, 1)")
      let report = try fixture.test.connect()
      try report.execute("begin")
      try report.execute("select count(*) from salvo.delivery where launch_id = $1", [.int8(old)])
      async let tried = maintenance(fixture).run(keepDays: 90)
      for number in 1...20 {
        // Waits for less than the second that would make it fail.
        try await fixture.script(
          """
          set local lock_timeout = '1s';
          insert into salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, chunk_no, window_no,
            attempt, outcome) values (1500, \(number), 1, 1, now(), 0, 0, 1, 1)
          """)
      }
      let first = try await tried
      #expect(first.partitionsBusy == ["delivery_p0"])
      #expect(first.partitionsDropped == ["recipient_p0"])
      // Its rows needn't wait: they go one by one.
      #expect(first.rows["delivery"] == 5)
      try report.execute("rollback")
      #expect(try await maintenance(fixture).run(keepDays: 90).partitionsDropped == ["delivery_p0"])
    }
  }

  @Test("a trimmed launch can be neither sent again nor verified, and says why")
  func afterwards() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      let launch = try await finished(fixture)
      try await age(launch, days: 91, fixture)
      _ = try await maintenance(fixture).run(keepDays: 90)
      let commands = LaunchCommands(fixture.database)
      for attempt in [
        { _ = try await commands.retry(launch: launch, outcomes: [.unknown], reason: nil, channel: nil) },
        { _ = try await LaunchAudit(fixture.database).check(launch) },
      ] {
        let error = await #expect(throws: StoreError.self) { try await attempt() }
        #expect(error?.code == .state)
        #expect(error?.description.hasPrefix("launch \(launch) ended long ago and was trimmed") == true)
      }
    }
  }

  @Test("what somebody did about a launch lately keeps it, and one that runs again is left alone")
  func again() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      let launch = try await finished(fixture)
      try await age(launch, days: 91, fixture)
      let maintenance = maintenance(fixture)
      try await fixture.script(
        "insert into salvo.control_log (launch_id, command) values (\(launch), 'retry')")
      let first = try await maintenance.run(keepDays: 90)
      #expect(first.launches == 0 && first.rows == ["control_log": 1])
      try await fixture.script(
        "delete from salvo.control_log; update salvo.launch set state = 'running', finished_at = null")
      #expect(try await maintenance.run(keepDays: 90) == Maintenance.Summary())
      #expect(try await fixture.rows("select * from salvo.trim_launch(\(launch), 90)") == [])
      let refused = await #expect(throws: PostgresError.self) {
        try await fixture.script("select salvo.drop_partition('delivery_p0', 90)")
      }
      #expect(refused?.sqlState == "55000")
    }
  }

  @Test("records go by their age: jobs that ended, words, test sends, runners, days, tokens and idle shares of a rate")
  func records() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        insert into salvo.job (id, kind, state, created_at, finished_at) values
          (1, 'maintain', 'done', now() - interval '92 days', now() - interval '91 days'),
          (2, 'maintain', 'dead', now() - interval '92 days', now() - interval '89 days'),
          (3, 'maintain', 'queued', now() - interval '92 days', null);
        insert into salvo.control_log (command, at) values
          ('old', now() - interval '91 days'), ('new', now() - interval '89 days');
        insert into salvo.test_send (channel_id, outcome, at) values
          (1, 1, now() - interval '91 days'), (2, 1, now() - interval '89 days');
        insert into salvo.runner (owner, host, pid, version, seen_at) values
          ('old', 'h', 1, '1', now() - interval '91 days'), ('new', 'h', 1, '1', now() - interval '89 days');
        insert into salvo.rate_day (credential, day) values ('c', current_date - 92), ('c', current_date - 88);
        insert into salvo.provider_token (credential, token, renew_at, expires_at) values
          ('old', 't', now() - interval '91 days', now() - interval '91 days'),
          ('new', 't', now() - interval '89 days', now() - interval '89 days');
        insert into salvo.rate_slot (credential, slot_no, rate, owner, lease_until) values
          ('c', 0, 1, 'runner', now()), ('c', 1, 1, null, null), ('c', 5000, 1, 'gone', now() - interval '2 days');
        """)
      let maintenance = maintenance(fixture)
      let expected: [String: Int64] = [
        "job": 1, "control_log": 1, "test_send": 1, "runner": 1, "rate_day": 1, "provider_token": 1, "rate_slot": 2,
      ]
      #expect(try await maintenance.look(keepDays: 90).rows == expected)
      #expect(try await maintenance.run(keepDays: 90).rows == expected)
      #expect(try await fixture.rows("select id from salvo.job order by 1") == ["2", "3"])
      #expect(try await fixture.rows("select command from salvo.control_log") == ["new"])
      #expect(try await fixture.rows("select channel_id from salvo.test_send") == ["2"])
      #expect(try await fixture.rows("select owner from salvo.runner") == ["new"])
      #expect(try await fixture.rows("select current_date - day from salvo.rate_day") == ["88"])
      #expect(try await fixture.rows("select credential from salvo.provider_token") == ["new"])
      #expect(try await fixture.rows("select slot_no from salvo.rate_slot") == ["0"])
    }
  }

  @Test("less than a day, and nobody but the runner, is refused", arguments: [0, -1, 36_501])
  func refused(days: Int) async throws {
    try await StoreFixture.with { fixture in
      let error = await #expect(throws: StoreError.self) { try await maintenance(fixture).run(keepDays: days) }
      #expect(error?.code == .refused)
      #expect(error?.description.contains("keep_days is \(days): from 1 to 36500") == true)
      for role in ["salvo_platform", "salvo_reader", "salvo_settler"] {
        let refused = await #expect(throws: PostgresError.self) {
          try await fixture.script("set local role \(role); select * from salvo.trim_launch(1, 90)")
        }
        #expect(refused?.sqlState == "42501", "\(role)")
      }
    }
  }
}
