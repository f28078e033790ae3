import Base
import Campaign
import Foundation
import Postgres
import Store
import Testing

@Suite("Quiet hours and local times", .database)
struct QuietHoursTests {
  /// Hours, zone, a moment, and when they are over then; nil when it isn't quiet.
  private static let hours: [(from: String, to: String, zone: String, at: String, until: String?)] = [
    ("22:00", "08:00", "Europe/Moscow", "2026-11-30T18:59:59Z", nil),
    ("22:00", "08:00", "Europe/Moscow", "2026-11-30T19:00:00Z", "2026-12-01T05:00:00Z"),
    ("22:00", "08:00", "Europe/Moscow", "2026-12-01T04:59:59Z", "2026-12-01T05:00:00Z"),
    ("22:00", "08:00", "Europe/Moscow", "2026-12-01T05:00:00Z", nil),
    ("13:00", "15:00", "Asia/Kolkata", "2026-06-03T07:29:00Z", nil),
    ("13:00", "15:00", "Asia/Kolkata", "2026-06-03T07:30:00Z", "2026-06-03T09:30:00Z"),
    ("13:00", "15:00", "Asia/Kolkata", "2026-06-03T09:30:00Z", nil),
    // The night is an hour shorter, or longer.
    ("22:00", "08:00", "Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T06:00:00Z"),
    ("22:00", "08:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T07:00:00Z"),
    // Their end is skipped: an hour later by the clock. Their end comes twice: the second ends them.
    ("22:00", "02:30", "Europe/Berlin", "2026-03-29T00:59:00Z", "2026-03-29T01:30:00Z"),
    ("22:00", "02:30", "Europe/Berlin", "2026-10-25T00:20:00Z", "2026-10-25T01:30:00Z"),
    ("22:00", "02:30", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
    ("00:00", "08:00", "Nowhere/AtAll", "2026-10-25T01:10:00Z", "2026-10-25T08:00:00Z"),
  ]

  @Test("by the recipient's wall clock, whatever zone the session is in", arguments: ["UTC", "Asia/Singapore"])
  func quietUntil(_ session: String) async throws {
    try await StoreFixture.with(zone: session) { fixture in
      for row in Self.hours {
        let until = row.until.map { "'\($0)'::timestamptz" } ?? "null"
        let hours = #"{"from": "\#(row.from)", "to": "\#(row.to)"}"#
        // The same hours in a zone of the launch's own.
        let own = #"{"from": "\#(row.from)", "to": "\#(row.to)", "zone": "\#(row.zone)"}"#
        for (options, zone) in [(hours, row.zone), (own, "Asia/Tokyo")] {
          let answer = try await fixture.rows(
            "select salvo.quiet_until('\(options)', '\(zone)', '\(row.at)') is not distinct from \(until)")
          #expect(answer == ["t"], "\(row), zone \(zone)")
        }
      }
      #expect(try await fixture.rows("select salvo.quiet_until(null, 'UTC', now()) is null") == ["t"])
    }
  }

  /// Options, zone, when the plan is made for 1 December 2026, and when the zone's chunks are due.
  private static let dues: [(options: String, zone: String, at: String, due: String)] = [
    (#"{"local_time": "09:00"}"#, "Asia/Kamchatka", "2026-11-30T19:00:00Z", "2026-11-30T21:00:00Z"),
    (#"{"local_time": "09:00"}"#, "Europe/Berlin", "2026-11-30T19:00:00Z", "2026-12-01T08:00:00Z"),
    (#"{"local_time": "09:00"}"#, "America/New_York", "2026-11-30T19:00:00Z", "2026-12-01T14:00:00Z"),
    // An hour late at most: at once. Later: that time of the next day.
    (#"{"local_time": "09:00"}"#, "Europe/Berlin", "2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
    (#"{"local_time": "09:00"}"#, "Europe/Berlin", "2026-12-01T09:00:01Z", "2026-12-02T08:00:00Z"),
    (
      #"{"local_time": "09:00", "catch_up_minutes": 0}"#, "Asia/Kamchatka", "2026-11-30T21:00:01Z",
      "2026-12-01T21:00:00Z"
    ),
    // Two days late, in the morning.
    (#"{"local_time": "09:00"}"#, "Europe/Berlin", "2026-12-03T07:00:00Z", "2026-12-03T08:00:00Z"),
    (
      #"{"local_time": "23:00", "quiet_hours": {"from": "22:00", "to": "08:00"}}"#, "Europe/Berlin",
      "2026-12-01T00:00:00Z",
      "2026-12-02T07:00:00Z"
    ),
    (
      #"{"quiet_hours": {"from": "22:00", "to": "08:00"}}"#, "Asia/Tokyo", "2026-12-01T00:00:00Z",
      "2026-12-01T00:00:00Z"
    ),
    (
      #"{"quiet_hours": {"from": "22:00", "to": "08:00"}}"#, "Europe/London", "2026-12-01T00:00:00Z",
      "2026-12-01T08:00:00Z"
    ),
    ("{}", "Europe/London", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
  ]

  @Test("a chunk is due at its zone's local time and out of its quiet hours", arguments: ["UTC", "Asia/Singapore"])
  func chunkDue(_ session: String) async throws {
    try await StoreFixture.with(zone: session) { fixture in
      for row in Self.dues {
        let answer = try await fixture.rows(
          "select salvo.chunk_due('\(row.options)', '\(row.zone)', '2026-12-01', '\(row.at)') = '\(row.due)'")
        #expect(answer == ["t"], "\(row)")
      }
    }
  }

  private static let zones = """
    update salvo.profile set time_zone = case id % 5 when 0 then 'Europe/Moscow' when 1 then 'Asia/Tokyo'
      when 2 then 'Mars/Olympus' when 3 then '' else null end;
    update salvo.account set settings = '{"time_zone": "Europe/Berlin"}';
    """

  @Test("zones are frozen into the recipients, chunks cut by zone in key order, duplicates skipped in their own chunk")
  func planned() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...10, channel: 1)
      try await fixture.script(
        Self.zones
          + "update salvo.subscription set token = 'same' where id in (1, 5, 6, 7); update salvo.profile set time_zone = null where id = 10"
      )
      let launch = try await fixture.launch(options: #"{"quiet_hours": {"from": "22:00", "to": "08:00"}}"#)
      try await fixture.clock("2026-12-01 20:00Z")
      try await fixture.script("update salvo.launch set started_at = '2026-12-01 20:00Z'")
      try await fixture.plan(launch, window: 3)
      #expect(
        try await fixture.rows("select profile_id, zone from salvo.recipient order by 1") == [
          "1 Asia/Tokyo", "2 Europe/Berlin", "3 Europe/Berlin", "4 Europe/Berlin", "5 Europe/Moscow", "6 Asia/Tokyo",
          "7 Europe/Berlin", "8 Europe/Berlin", "9 Europe/Berlin", "10 Europe/Berlin",
        ])
      #expect(
        try await fixture.rows(
          """
          select chunk_no, zone, lo_profile, hi_profile, planned, to_char(not_before at time zone 'UTC', 'DD') as day,
            to_char(not_before at time zone 'UTC', 'HH24:MI') as at, encode(skip_ids, 'hex') as skip
          from salvo.chunk order by 1
          """) == [
            // 05:00 in Tokyo and 23:00 in Moscow: quiet. 21:00 in Berlin: not yet.
            "0 Asia/Tokyo 0 6 2 01 23:00 00000000000000060000000000000006", "1 Europe/Berlin 0 4 3 01 20:00 ",
            "2 Europe/Berlin 4 9 3 01 20:00 00000000000000070000000000000007", "3 Europe/Berlin 9 10 1 01 20:00 ",
            "4 Europe/Moscow 0 5 1 02 05:00 00000000000000050000000000000005",
          ])
      // A profile that moves stays in its chunk, and a chunk holds those of its zone alone.
      try await fixture.script("update salvo.profile set time_zone = 'Asia/Tokyo'")
      try await fixture.clock("2026-12-02 09:00Z")
      var read: [[Int64]] = []
      // A time to live counts from when a chunk was due: the plan's moment, or when its zone's quiet hours end.
      let dues = [
        "Asia/Tokyo": "2026-12-01T23:00:00Z", "Europe/Berlin": "2026-12-01T20:00:00Z",
        "Europe/Moscow": "2026-12-02T05:00:00Z",
      ]
      for _ in 0..<5 {
        let lease = try await fixture.lease(launch)
        let zone = try await fixture.rows("select zone from salvo.chunk where chunk_no = \(lease.chunkNo)")[0]
        let due = try Date(#require(dues[zone]), strategy: .iso8601)
        #expect(lease.dueAt?.value == Int64(due.timeIntervalSince1970) * 1000, "\(zone)")
        read.append(try await fixture.chunks.read(lease, columns: []).rows.map(\.key.profileID))
      }
      #expect(read.sorted { $0[0] < $1[0] } == [[1, 6], [2, 3, 4], [5], [7, 8, 9], [10]])
    }
  }

  @Test("no window opens in quiet hours: the chunk waits for their end, the lane's others go on, retries wait too")
  func opening() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1)
      try await fixture.script(
        "update salvo.profile set time_zone = case id when 1 then 'Europe/Moscow' else 'Asia/Tokyo' end")
      let launch = try await fixture.launch(options: #"{"quiet_hours": {"from": "22:00", "to": "08:00"}}"#)
      // 15:00 in Moscow, 21:00 in Tokyo.
      try await fixture.clock("2026-12-01 12:00Z")
      try await fixture.plan(launch, window: 10)
      var leases: [ChunkLease] = []
      for _ in 0..<2 { leases.append(try await fixture.lease(launch)) }
      let moscow = try #require(leases.first { $0.upper.profileID == 1 })
      let tokyo = try #require(leases.first { $0.upper.profileID == 2 })
      try await fixture.clock("2026-12-01 13:00Z")
      guard case .halted(.quiet) = try await fixture.windows.open(tokyo, keys: keys(2...2)) else {
        Issue.record("a window opened at 22:00")
        return
      }
      let waiting = "select state, owner, to_char(not_before at time zone 'UTC', 'HH24:MI') as at from salvo.chunk"
      #expect(try await fixture.rows("\(waiting) where zone = 'Asia/Tokyo'") == ["0  23:00"])

      // Moscow's message is put off by its provider until it is quiet there.
      let window = try await fixture.open(moscow, keys(1...1))
      var results = WindowResultBuilder()
      results.add(key(1), .deferred)
      _ = try await fixture.windows.close(window, of: moscow, result: results.make(cursor: key(1)))
      try await fixture.chunks.complete(moscow)
      #expect(try await fixture.rows("select zone from salvo.chunk where kind = 'retry'") == ["Europe/Moscow"])
      try await fixture.clock("2026-12-01 20:00Z")
      let retry = try await fixture.lease(launch)
      guard case .halted(.quiet) = try await fixture.windows.open(retry, keys: keys(1...1)) else {
        Issue.record("a window opened at 23:00")
        return
      }
      #expect(try await fixture.rows("\(waiting) where kind = 'retry'") == ["0  05:00"])
      // The next is Tokyo's, in three hours by the runner's own clock.
      guard case .nothing(let next?) = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("something is due at 20:00")
        return
      }
      let hours = Double(next.value - EpochMilliseconds.now.value) / 3_600_000
      #expect((2.9...3).contains(hours))
      try await fixture.clock("2026-12-01 23:00Z")
      #expect(try await fixture.lease(launch).upper == key(2))
    }
  }

  @Test("messages that are sent again keep their zone's quiet hours")
  func resent() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1)
      try await fixture.script(
        "update salvo.profile set time_zone = case id when 1 then 'Europe/Moscow' else 'Asia/Tokyo' end")
      let launch = try await fixture.launch(options: #"{"quiet_hours": {"from": "22:00", "to": "08:00"}}"#)
      try await fixture.clock("2026-12-01 12:00Z")
      try await fixture.plan(launch, window: 10)
      for _ in 0..<2 {
        let lease = try await fixture.lease(launch)
        let window = try await fixture.open(lease, [lease.upper])
        var results = WindowResultBuilder()
        results.add(lease.upper, .unknown, reason: "no_answer")
        _ = try await fixture.windows.close(window, of: lease, result: results.make(cursor: lease.upper))
        try await fixture.chunks.complete(lease)
      }
      #expect(try await fixture.launches.finish(launch) == .finished)
      #expect(
        try await LaunchCommands(fixture.database).retry(
          launch: launch, outcomes: [.unknown], reason: nil, channel: nil) == 2)
      #expect(
        try await fixture.rows("select zone, hi_profile, planned from salvo.chunk where kind = 'resend' order by 1")
          == ["Asia/Tokyo 2 1", "Europe/Moscow 1 1"])
      #expect(try await LaunchAudit(fixture.database).check(launch).allSatisfy { $0.violations == 0 })
    }
  }

  @Test("a local time without a day and a zone that is none are refused, and the launch is left as it was")
  func refused() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      for (options, words) in [
        (
          #"{"local_time": "09:00"}"#, "options.local_time needs a day: give the launch a not_before, whose date counts"
        ),
        (
          #"{"quiet_hours": {"from": "22:00", "to": "08:00", "zone": "Europe/Atlantis"}}"#,
          #"options.quiet_hours.zone: there is no time zone "Europe/Atlantis"; recipient or a name as Europe/Berlin"#
        ),
      ] {
        let launch = try await fixture.launch(options: options)
        let error = await #expect(throws: StoreError.self) { try await fixture.plan(launch, window: 10) }
        #expect(error?.code == .content)
        #expect(error?.description == "launch \(launch): \(words)")
        #expect(try await fixture.launches.load(launch).state == .draft)
      }
    }
  }
}
