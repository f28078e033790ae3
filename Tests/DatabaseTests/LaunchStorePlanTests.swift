import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("The plan", .database)
struct LaunchStorePlanTests {
  private func error(_ body: () async throws -> Void) async -> StoreError? {
    await #expect(throws: StoreError.self) { try await body() }
  }

  @Test("chunks cover each lane's keys in order, without gap or overlap")
  func chunks() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...25, channel: 1)
      try await fixture.subscribe(26...29, channel: 2)
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 10)
      #expect(
        try await fixture.rows(
          """
          select channel_id, chunk_no, kind, attempt, lo_profile, lo_subscription, hi_profile, hi_subscription,
            cursor_profile, cursor_subscription, planned, state from salvo.chunk order by 1, 2
          """)
          == [
            "1 0 first 1 0 0 10 10 0 0 10 0", "1 1 first 1 10 10 20 20 10 10 10 0", "1 2 first 1 20 20 25 25 20 20 5 0",
            "2 0 first 1 0 0 29 29 0 0 4 0",
          ])
      #expect(
        try await fixture.rows("select channel_id, state, planned, next_chunk from salvo.lane order by 1")
          == ["1 running 25 3", "2 running 4 1"])
      let loaded = try await fixture.launches.load(launch)
      #expect(loaded.state == .running)
      #expect(loaded.startedAt != nil)
      #expect(
        try await fixture.rows("select started_at = date_trunc('milliseconds', started_at) from salvo.launch") == ["t"])
    }
  }

  @Test("a chunk is an eighth of what each of the runner's leases gets, within a window and 5,000")
  func sizes() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        insert into salvo.profile (id, account_id) select n, 1 from generate_series(1, 13000) n;
        insert into salvo.subscription (profile_id, id, channel_id, token)
          select n, n, case when n <= 4800 then 1 when n <= 9000 then 2 else 3 end, 'token-' || n
          from generate_series(1, 13000) n;
        """)
      let launch = try await fixture.launch()
      try await fixture.launches.plan(
        launch,
        sizing: [
          LaneSizing(channelID: 1, window: 100, depth: 3), LaneSizing(channelID: 2, window: 1_000, depth: 3),
          LaneSizing(channelID: 3, window: 5_000, depth: 1),
        ])
      // 4,800 / 24 = 200; 4,200 / 24 = 175, less than a window; 4,000 fit into one window of 5,000.
      #expect(
        try await fixture.rows(
          "select channel_id, max(planned), count(*), sum(planned) from salvo.chunk group by 1 order by 1")
          == ["1 200 24 4800", "2 1000 5 4200", "3 4000 1 4000"])
    }
  }

  @Test("of one token in a lane the lowest active key keeps it; the others are skipped, chunk by chunk")
  func duplicates() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...12, channel: 1)
      try await fixture.subscribe(13...14, channel: 2)
      try await fixture.script(
        """
        update salvo.subscription set token = 'same' where id in (2, 3, 4, 8, 12, 13);
        update salvo.subscription set token = 'other' where id in (5, 6);
        update salvo.subscription set token = 'twice' where id in (7, 9);
        """)
      let launch = try await fixture.launch()
      // Retired and unsubscribed after they were chosen: they keep nothing, and are no duplicates either.
      try await fixture.script(
        """
        update salvo.subscription set state = 'retired' where id = 2;
        update salvo.subscription set state = 'unsubscribed' where id = 5;
        update salvo.subscription set channel_id = 2 where id = 7;
        """)
      try await fixture.plan(launch, window: 4)
      var skipped: [[RecipientKey]] = []
      for _ in 0..<3 { skipped.append(try await fixture.lease(launch).skip) }
      #expect(skipped.flatMap { $0 }.sorted() == [key(4), key(8), key(12)])
      #expect(
        try await fixture.rows("select channel_id, chunk_no, octet_length(skip_ids) from salvo.chunk order by 1, 2")
          == ["1 0 16", "1 1 16", "1 2 16", "2 0 "])
    }
  }

  @Test("a launch without recipients, with too many, cancelled or unknown is refused and left as it was")
  func refused() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script("insert into salvo.launch (campaign_id, state) values (1, 'scheduled')")
      let empty = await error { try await fixture.plan(1, window: 10) }
      #expect(empty?.code == .state)
      #expect(
        empty?.description
          == "launch 1 has no recipients: add them with `salvo audience` or salvo.add_recipients")
      #expect(try await fixture.launches.load(1).state == .scheduled)
      #expect(try await fixture.launches.load(1).startedAt == nil)

      try await fixture.subscribe(1...3, channel: 1)
      let limited = try await fixture.launch(options: #"{"max_recipients": 2}"#)
      let many = await error { try await fixture.plan(limited, window: 10) }
      #expect(many?.code == .state)
      #expect(many?.description == "launch \(limited) has 3 recipients, its option max_recipients allows 2")
      #expect(try await fixture.launches.load(limited).state == .draft)

      try await fixture.script("update salvo.launch set state = 'cancelled' where id = \(limited)")
      let cancelled = await error { try await fixture.plan(limited, window: 10) }
      #expect(cancelled?.code == .state)
      #expect(cancelled?.description == "launch \(limited) is cancelled: it can't run")
      #expect(await error { try await fixture.plan(55, window: 10) }?.code == .notFound)
      #expect(try await fixture.rows("select count(*) from salvo.chunk") == ["0"])
    }
  }

  @Test("planning again changes nothing, four runners at once plan once")
  func once() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...20, channel: 1)
      let launch = try await fixture.launch()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await fixture.plan(launch, window: 5) } }
        try await group.waitForAll()
      }
      let chunks = try await fixture.rows("select chunk_no, planned from salvo.chunk order by 1")
      #expect(chunks == ["0 5", "1 5", "2 5", "3 5"])
      let started = try await fixture.launches.load(launch).startedAt
      try await fixture.plan(launch, window: 7)
      #expect(try await fixture.rows("select chunk_no, planned from salvo.chunk order by 1") == chunks)
      #expect(try await fixture.launches.load(launch).startedAt == started)
    }
  }

  @Test("a launch whose planner died is planned by the next, with the start that was fixed")
  func resumed() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      let launch = try await fixture.launch()
      try await fixture.script(
        "update salvo.launch set state = 'planning', started_at = '2026-03-10T12:00:00.123Z' where id = \(launch)")
      try await fixture.plan(launch, window: 10)
      let loaded = try await fixture.launches.load(launch)
      #expect(loaded.state == .running)
      #expect(loaded.startedAt?.value == 1_773_144_000_123)
      #expect(try await fixture.launches.progress(of: launch).map(\.planned) == [3])
    }
  }
}
