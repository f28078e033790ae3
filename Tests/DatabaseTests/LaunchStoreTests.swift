import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("LaunchStore", .database)
struct LaunchStoreTests {
  private func error(_ body: () async throws -> Void) async -> StoreError? {
    await #expect(throws: StoreError.self) { try await body() }
  }

  @Test("a launch is loaded with its campaign and account, texts and options")
  func load() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        update salvo.account set settings = '{"ttl": 60, "time_zone": "Asia/Almaty"}' where id = 1;
        insert into salvo.launch (campaign_id, content, options, not_before, not_after) values (1,
          '{"title": "Привет 😀", "badge": 0, "ttl": 3600}', '{"tracking": "group", "attempts": 5}',
          '2026-03-10T12:00:00.250Z', '2026-03-11T12:00:00Z');
        """)
      let launch = try await fixture.launches.load(1)
      #expect(launch.state == .draft)
      #expect(launch.account.name == "Shop")
      #expect(launch.account.settings == AccountSettings(ttlMilliseconds: 60_000, timeZone: "Asia/Almaty"))
      #expect(launch.campaignID == 1)
      #expect(launch.campaignName == "Autumn")
      #expect(launch.content.title == "Привет 😀")
      #expect(launch.content.badge == 0)
      #expect(launch.content.ttlMilliseconds == 3_600_000)
      #expect(launch.options.tracking == .group)
      #expect(launch.options.attempts == 5)
      #expect(launch.notBefore == EpochMilliseconds(1_773_144_000_250))
      #expect(launch.notAfter == EpochMilliseconds(1_773_230_400_000))
      #expect(launch.startedAt == nil)
    }
  }

  @Test("a launch that isn't there, and content, options and settings that are refused, are named")
  func refused() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id, content, options) values (1, '{"badge": 1000}', '{}'),
          (1, '{}', '{"atempts": 3}'), (1, '{}', '{}');
        """)
      let missing = await error { _ = try await fixture.launches.load(9) }
      #expect(missing?.code == .notFound)
      #expect(missing?.description == "there is no launch 9")
      let content = await error { _ = try await fixture.launches.load(1) }
      #expect(content?.code == .content)
      #expect(content?.description.hasPrefix("launch 1: content.badge: ") == true)
      let options = await error { _ = try await fixture.launches.load(2) }
      #expect(options?.code == .content)
      #expect(options?.description.hasPrefix("launch 2: options.atempts: ") == true)
      try await fixture.script("update salvo.account set settings = '{\"ttl\": -1}' where id = 1")
      let account = await error { _ = try await fixture.launches.load(3) }
      #expect(account?.code == .configuration)
      #expect(account?.description.hasPrefix("account 1: settings.ttl: ") == true)
    }
  }

  @Test("the channels of a launch are those with recipients, read with their settings")
  func channels() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 2)
      try await fixture.subscribe(3...4, channel: 3)
      let launch = try await fixture.launch()
      let channels = try await fixture.launches.channels(of: launch)
      #expect(channels.map(\.id) == [2, 3])
      #expect(channels[0].provider == "ios-apns")
      #expect(channels[0].name == "ios")
      #expect(channels[0].resourceID == 12)
      #expect(channels[0].profile == .altcraft)
      #expect(channels[0].isEnabled)
      #expect(channels[0].template == nil)
      #expect(channels[0].settings.topic == "com.example.shop")
      #expect(channels[0].credential == .file("apns.p8"))
      #expect(channels[1].settings.groupID == 7)
      #expect(channels[1].credential == .environment("METRICA"))

      try await fixture.script("update salvo.channel set settings = '{\"topik\": \"x\"}' where id = 2")
      let refused = await error { _ = try await fixture.launches.channels(of: launch) }
      #expect(refused?.code == .configuration)
      #expect(refused?.description.hasPrefix("channel 2 (ios): settings.topik: ") == true)
    }
  }

  @Test("lanes stop for a reason, cool to the latest word, and run again with new counters")
  func lanes() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 10)
      let launches = fixture.launches
      try await fixture.script("update salvo.lane set verdicts = 40, dead = 30")
      try await launches.coolLane(launch, channel: 1, until: EpochMilliseconds(1_773_144_000_000))
      try await launches.coolLane(launch, channel: 1, until: EpochMilliseconds(1_773_143_000_000))
      try await launches.stopLane(launch, channel: 1, reason: "30 of 40 tokens are dead")
      var lane = try #require(try await launches.lanes(of: launch).first)
      #expect(lane.channelID == 1)
      #expect(lane.state == .stopped)
      #expect(lane.stopReason == "30 of 40 tokens are dead")
      #expect(lane.coolUntil == EpochMilliseconds(1_773_144_000_000))
      #expect(lane.planned == 3)
      #expect([lane.verdicts, lane.dead] == [40, 30])
      guard case .halted(let reason) = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("a stopped lane gives no chunks")
        return
      }
      #expect(reason == .laneStopped("30 of 40 tokens are dead"))

      try await launches.resumeLanes(launch)
      lane = try #require(try await launches.lanes(of: launch).first)
      #expect(lane.state == .running)
      #expect(lane.stopReason == nil)
      #expect(lane.coolUntil == nil)
      #expect([lane.verdicts, lane.dead] == [0, 0])
    }
  }

  @Test("a launch finishes when its count balances, and not before")
  func finish() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      try await fixture.subscribe(5...5, channel: 2)
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 4)
      let launches = fixture.launches
      #expect(try await launches.finish(launch) == .running)

      let first = try await fixture.lease(launch)
      let window = try await fixture.open(first, keys(1...4))
      #expect(try await launches.finish(launch) == .running)
      _ = try await fixture.windows.close(window, of: first, result: .sent(keys(1...4)))
      #expect(try await launches.finish(launch) == .running)
      try await fixture.chunks.complete(first)
      // Its own lane is done, the other isn't.
      #expect(try await launches.finish(launch) == .running)
      #expect(try await launches.lanes(of: launch).map(\.state) == [.done, .running])

      let other = try await fixture.lease(launch, channel: 2)
      let last = try await fixture.open(other, keys(5...5))
      _ = try await fixture.windows.close(last, of: other, result: .sent(keys(5...5)))
      try await fixture.chunks.complete(other)
      #expect(try await launches.finish(launch) == .finished)
      #expect(try await fixture.rows("select finished_at is not null from salvo.launch") == ["t"])
      #expect(try await launches.finish(launch) == .finished)
      let progress = try await launches.progress(of: launch)
      #expect(
        progress == [
          LaneProgress(
            channelID: 1, provider: "android-firebase", channelName: "android", planned: 4, sent: 4, tokenRetired: 0,
            rejected: 0, expired: 0, skipped: 0, unknown: 0, remaining: 0),
          LaneProgress(
            channelID: 2, provider: "ios-apns", channelName: "ios", planned: 1, sent: 1, tokenRetired: 0, rejected: 0,
            expired: 0, skipped: 0, unknown: 0, remaining: 0),
        ])
    }
  }

  @Test("a lane whose windows balance but whose rows are missing is not done")
  func missingRows() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      try await fixture.chunks.complete(lease)
      try await fixture.script("delete from salvo.delivery where profile_id = 2")
      #expect(try await fixture.launches.finish(launch) == .running)
      #expect(try await fixture.launches.lanes(of: launch).map(\.state) == [.running])
    }
  }

  @Test("launches are created as drafts after a look at their content, and listed newest first")
  func admin() async throws {
    try await StoreFixture.with { fixture in
      let admin = LaunchAdmin(fixture.database)
      let content = try JSONScanner.parse(#"{"title": "Sale", "badge": 5}"#)
      let none = JSON.object(JSONObject())
      let id = try await admin.create(
        campaign: 1, content: content, options: none, notBefore: "2026-03-10T12:00:00Z", notAfter: nil)
      let other = try await admin.create(campaign: 2, content: none, options: none, notBefore: nil, notAfter: nil)
      #expect(try await fixture.launches.load(id).content.badge == 5)
      #expect(try await fixture.launches.load(id).notBefore == EpochMilliseconds(1_773_144_000_000))

      try await fixture.subscribe(1...3, channel: 1)
      try await fixture.subscribe(4...4, channel: 2)
      #expect(try await admin.audienceAll(launch: id, channels: [1]) == 3)
      #expect(try await admin.audienceAll(launch: id, channels: []) == 1)
      try await fixture.plan(id, window: 10)
      try await fixture.script("update salvo.launch set created_at = '2026-03-10T12:00:00Z' where id = \(id)")
      let list = try await admin.list(limit: 10)
      #expect(list.map(\.id) == [other, id])
      #expect(list.map(\.state) == [.draft, .running])
      #expect(list.map(\.campaignName) == ["Foreign", "Autumn"])
      #expect(list.map(\.planned) == [0, 4])
      #expect(list.map(\.remaining) == [0, 4])
      #expect(list[1].createdAt == EpochMilliseconds(1_773_144_000_000))
      #expect(try await admin.list(limit: 1).map(\.id) == [other])

      let refused = await error {
        _ = try await admin.create(
          campaign: 1, content: try JSONScanner.parse(#"{"titel": "x"}"#), options: none, notBefore: nil, notAfter: nil)
      }
      #expect(refused?.code == .content)
      #expect(refused?.description.hasPrefix("content.titel: ") == true)
      let lost = await error {
        _ = try await admin.create(campaign: 77, content: none, options: none, notBefore: nil, notAfter: nil)
      }
      #expect(lost?.code == .notFound)
      #expect(lost?.description == "there is no campaign 77")
      let never = await error {
        _ = try await admin.create(campaign: 1, content: none, options: none, notBefore: "soon", notAfter: nil)
      }
      #expect(never?.code == .content)
      let running = await error { _ = try await admin.audienceAll(launch: id, channels: []) }
      #expect(running?.code == .state)
      let foreign = await error { _ = try await admin.audienceAll(launch: other, channels: [1]) }
      #expect(foreign?.code == .content)
      let nowhere = await error { _ = try await admin.audienceAll(launch: 99, channels: []) }
      #expect(nowhere?.code == .notFound)
    }
  }
}
