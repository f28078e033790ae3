import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("What a content asks of the store: most recent devices, targets, the notification centre", .serialized)
struct ContentStoreTests {
  /// Profile 1 has three Android devices and one of Apple's, profile 2 one.
  static let devices = """
    insert into salvo.profile (id, account_id) values (1, 1), (2, 1);
    insert into salvo.subscription (profile_id, id, channel_id, token, registered_at, last_seen_at) values
      (1, 11, 1, 'same', '2026-01-01', '2026-02-01'), (1, 12, 1, 'same', '2026-01-01', '2026-03-01'),
      (1, 13, 1, 'c', '2026-02-15', null), (1, 14, 2, 'd', '2026-01-01', '2026-01-01'),
      (2, 21, 1, 'e', '2026-01-01', null);
    """

  @Test("one device a profile and provider, the one seen last, which an older one with its token doesn't take away")
  func mostRecent() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(Self.devices)
      let launch = try await fixture.launch(options: #"{"most_recent_only":true}"#)
      try await fixture.plan(launch, window: 10)
      let lease = try await fixture.lease(launch)
      #expect(lease.older.map(\.subscriptionID) == [11, 13])
      #expect(lease.skip == [])
      #expect(try await fixture.lease(launch, channel: 2).older == [])
    }
  }

  @Test("Braze's push object asks for it on Apple's devices alone")
  func mostRecentApple() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        Self.devices + "insert into salvo.subscription (profile_id, id, channel_id, token) values (1, 15, 2, 'f');")
      let launch = try await fixture.launch(
        content: #"{"apple_push":{"alert":"B","send_to_most_recent_device_only":true}}"#)
      try await fixture.plan(launch, window: 10)
      let android = try await fixture.lease(launch)
      #expect(android.older == [] && android.skip.map(\.subscriptionID) == [12])
      // 15 was registered now, 14 was last seen in January.
      #expect(try await fixture.lease(launch, channel: 2).older.map(\.subscriptionID) == [14])
    }
  }

  private func draft(_ fixture: StoreFixture, _ options: String) async throws -> Int64 {
    try await fixture.script("insert into salvo.launch (campaign_id, options) values (1, '\(options)')")
    return Int64(try await fixture.rows("select max(id) from salvo.launch")[0]) ?? 0
  }

  @Test("targets are recipients of profile 0, a lane for each channel; beside an audience they are refused")
  func targets() async throws {
    try await StoreFixture.with { fixture in
      let options = #"{"targets":[{"channel_id":1,"topic":"news"},{"channel_id":1,"condition":"x"}]}"#
      let launch = try await draft(fixture, options)
      #expect(try await fixture.launches.channels(of: launch).map(\.id) == [1])
      try await fixture.plan(launch, window: 10)
      let page = try await fixture.chunks.read(try await fixture.lease(launch), columns: [])
      #expect(page.rows.map(\.key.profileID) == [0, 0] && page.rows.map(\.key.subscriptionID) == [1, 2])
      let loaded = try await fixture.launches.load(launch)
      let channel = try #require(await fixture.launches.channels(of: launch).first)
      let addressed = try #require(TopicTargets(of: loaded, at: channel)).addressing(page)
      #expect(
        addressed.rows.map { String(decoding: addressed.bytes[$0.token.range], as: UTF8.self) }
          == ["'news' in topics", "x"])
      #expect(addressed.rows.allSatisfy { $0.state == .active })

      try await fixture.subscribe(1...1, channel: 1)
      let both = try await fixture.launch(options: options)
      let error = await #expect(throws: StoreError.self) { try await fixture.plan(both, window: 10) }
      #expect(
        error?.description
          == "launch \(both) has recipients and options.targets; its targets take their place, so use one")
      let foreign = try await draft(fixture, #"{"targets":[{"channel_id":4,"topic":"news"}]}"#)
      await #expect(throws: (any Error).self) { try await fixture.plan(foreign, window: 10) }
      #expect(try await fixture.launches.load(foreign).state == .draft)
    }
  }

  @Test("a person's row is written with the window, once for all devices; what was opened waits to be forwarded, once")
  func inbox() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 3)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...3))
      var result = WindowResult.sent(keys(1...3))
      result.inbox = [
        InboxRow(profileID: 2, content: #"{"title":"Да","push_name":"Osen","push_date":"2026-11-30T08:00:00Z"}"#),
        InboxRow(profileID: 1, content: "{}"), InboxRow(profileID: 2, content: #"{"title":"second device"}"#),
      ]
      #expect(try await fixture.windows.close(window, of: lease, result: result) == .closed)
      #expect(
        try await fixture.rows("select launch_id, content ->> 'title', opened_at from salvo.inbox_page(2)")
          == ["\(launch) Да "])
      #expect(try await fixture.rows("select count(*) from salvo.inbox_page(3)") == ["0"])
      #expect(try await fixture.rows("select salvo.inbox_mark_opened(2, \(launch))") == ["t"])
      #expect(try await fixture.rows("select salvo.inbox_mark_opened(2, \(launch))") == ["f"])
      #expect(try await fixture.rows("select salvo.inbox_mark_opened(3, \(launch))") == ["f"])
      try await fixture.script("select salvo.inbox_centre_opened(1); select salvo.inbox_centre_opened(1);")
      let feed = "select profile_id, external_id, kind, push_name, push_date from salvo.inbox_feed"
      #expect(
        try await fixture.rows(feed) == [
          "2 customer-2 opened Osen 2026-11-30T08:00:00Z", "1 customer-1 centre_opened  ",
          "1 customer-1 centre_opened  ",
        ])
      let forward = """
        select salvo.inbox_forwarded(array_agg(profile_id), array_agg(event_id)) from salvo.inbox_feed
        """
      #expect(try await fixture.rows(forward) == ["3"])
      #expect(try await fixture.rows(feed) == [])
      #expect(try await fixture.rows("select opened_at is not null from salvo.inbox_page(2)") == ["t"])
    }
  }

  @Test("pages go on where the last one ended")
  func pages() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        insert into salvo.inbox (profile_id, launch_id, at, content)
          select 1, n, '2026-01-01T00:00:00Z'::timestamptz + make_interval(hours => n / 2), '{}' from generate_series(1, 5) n;
        """)
      #expect(try await fixture.rows("select launch_id from salvo.inbox_page(1, 2)") == ["5", "4"])
      #expect(
        try await fixture.rows("select launch_id from salvo.inbox_page(1, 2, '2026-01-01T02:00:00Z', 4)") == ["3", "2"])
    }
  }
}
