import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("What is due", .database)
struct DueStoreTests {
  /// A launch for one subscription, scheduled for noon of 1 May 2026 in UTC.
  private func scheduled(_ fixture: StoreFixture, options: String = "{}", notAfter: String = "null") async throws
    -> Int64
  {
    let launch = try await fixture.launch(options: options)
    try await fixture.script(
      "update salvo.launch set state = 'scheduled', not_before = '2026-05-01 12:00Z', not_after = \(notAfter) where id = \(launch)"
    )
    return launch
  }

  @Test("a scheduled launch is due from its minute on, an hour long, and missed then; a human lets it go on")
  func missed() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      let due = DueStore(fixture.database)
      let launch = try await scheduled(fixture)
      try await fixture.clock("2026-05-01 11:59:50Z")
      #expect(try await due.launches() == [])
      guard case .later(let seconds) = try await due.judge(launch, planned: nil) else {
        Issue.record("not later")
        return
      }
      #expect((0...10).contains(seconds))
      try await fixture.clock("2026-05-01 12:00Z")
      #expect(try await due.launches() == [launch])
      #expect(try await due.judge(launch, planned: nil) == .due)
      try await fixture.clock("2026-05-01 12:59Z")
      #expect(try await due.missLate() == [])
      try await fixture.clock("2026-05-01 13:00Z")
      let missed = try await due.missLate()
      #expect(missed == [DueStore.Missed(launch: launch, due: EpochMilliseconds(1_777_636_800_000))])
      #expect(missed.first?.words.hasSuffix("salvo resume \(launch) sends it all the same") == true)
      #expect(try await due.missLate() == [])
      #expect(try await due.launches() == [])
      #expect(try await due.judge(launch, planned: nil) == .missed(missed[0]))
      #expect(
        try await fixture.rows("select launch_id, from_state, to_state from salvo.control_log")
          == ["\(launch) scheduled missed"])
      let refused = await #expect(throws: StoreError.self) { try await fixture.plan(launch, window: 10) }
      #expect(refused?.description == "launch \(launch) is missed: salvo resume \(launch) makes it due at once")

      let done = try await LaunchCommands(fixture.database).say(.resume, launch: launch, channel: nil)
      #expect([done.from, done.to] == ["missed", "scheduled"])
      #expect(try await due.missLate() == [])
      #expect(try await due.launches() == [launch])
    }
  }

  @Test("not_after alone decides where it is given; what is worthless by then can't be revived, only copied")
  func notAfter() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      let due = DueStore(fixture.database)
      let launch = try await scheduled(fixture, notAfter: "'2026-05-01 18:00Z'")
      try await fixture.clock("2026-05-01 17:59Z")
      #expect(try await due.missLate() == [])
      #expect(try await due.launches() == [launch])
      try await fixture.clock("2026-05-01 18:00Z")
      #expect(try await due.missLate().map(\.launch) == [launch])
      let refused = await #expect(throws: StoreError.self) {
        try await LaunchCommands(fixture.database).say(.resume, launch: launch, channel: nil)
      }
      #expect(refused?.code == .state)
      #expect(try await fixture.launches.load(launch).state == .missed)
    }
  }

  @Test("catch_up_minutes says how late a launch may begin; a job's own time counts for a launch without one")
  func catchUp() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      let due = DueStore(fixture.database)
      let launch = try await scheduled(fixture, options: #"{"catch_up_minutes": 5}"#)
      let draft = try await fixture.launch()
      try await fixture.clock("2026-05-01 12:05Z")
      #expect(try await due.missLate().map(\.launch) == [launch])
      let asked = EpochMilliseconds(1_777_636_800_000)
      #expect(try await due.judge(draft, planned: asked) == .due)
      try await fixture.clock("2026-05-01 13:01Z")
      #expect(try await due.judge(draft, planned: nil) == .due)
      #expect(try await due.judge(draft, planned: asked) == .missed(DueStore.Missed(launch: draft, due: asked)))
      #expect(try await fixture.launches.load(draft).state == .missed)
    }
  }

  @Test("with a local time: due when the first zone has it, missed an hour after the last one had it")
  func localTime() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      let due = DueStore(fixture.database)
      let launch = try await scheduled(fixture, options: #"{"local_time": "09:00"}"#)
      for (clock, isDue) in [
        ("2026-04-30 18:59Z", false), ("2026-04-30 19:00Z", true), ("2026-05-01 21:59Z", true),
      ] {
        try await fixture.clock(clock)
        #expect(try await due.missLate() == [])
        #expect(try await due.launches() == (isDue ? [launch] : []), "\(clock)")
      }
      try await fixture.clock("2026-05-01 22:00Z")
      #expect(try await due.missLate().map(\.launch) == [launch])
    }
  }

  @Test("a running launch is due while a chunk is free, a transfer may be asked about, or only its end is missing")
  func running() async throws {
    try await StoreFixture.with { fixture in
      let due = DueStore(fixture.database)
      let launch = try await fixture.planned(3, window: 3)
      #expect(try await due.launches() == [launch])
      let lease = try await fixture.lease(launch)
      // Somebody is at it, and there is nothing else.
      #expect(try await due.launches() == [])
      try await fixture.script("update salvo.chunk set lease_until = now() - interval '1 second'")
      #expect(try await due.launches() == [launch])
      try await fixture.script("update salvo.lane set state = 'stopped'")
      #expect(try await due.launches() == [])
      try await fixture.script("update salvo.lane set state = 'running', cool_until = now() + interval '1 minute'")
      #expect(try await due.launches() == [])
      try await fixture.script("update salvo.lane set cool_until = null; update salvo.channel set enabled = false")
      #expect(try await due.launches() == [])
      try await fixture.script("update salvo.channel set enabled = true; update salvo.account set enabled = false")
      #expect(try await due.launches() == [])
      try await fixture.script("update salvo.account set enabled = true")
      let window = try await fixture.open(lease, keys(1...3))
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...3)))
      try await fixture.chunks.complete(lease)
      #expect(try await due.launches() == [launch])
      #expect(try await fixture.launches.finish(launch) == .finished)
      #expect(try await due.launches() == [])
    }
  }

  @Test("launches with fewer runners come first, and those that enough are at are left out")
  func shared() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...30, channel: 1)
      let (first, second) = (try await fixture.launch(), try await fixture.launch())
      for launch in [first, second] { try await fixture.plan(launch, window: 10) }
      _ = try await fixture.lease(first)
      _ = try await fixture.lease(first, by: ChunkStore(fixture.database, owner: "runner-2"))
      let due = DueStore(fixture.database)
      #expect(try await due.launches() == [second, first])
      #expect(try await due.launches(with: 2) == [second])
      #expect(try await due.launches(with: 3) == [second, first])
    }
  }

  @Test("an account or a channel that is disabled sends nothing from the next window on, and goes on when enabled")
  func killSwitches() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(20, window: 10)
      let lease = try await fixture.lease(launch)
      for (table, words) in [("account", "account 1 is disabled"), ("channel", "channel 1 is disabled")] {
        try await fixture.script("update salvo.\(table) set enabled = false where id = 1")
        guard case .halted(let reason) = try await fixture.windows.open(lease, keys: keys(1...10)),
          case .halted(let other) = try await fixture.chunks.claim(launch: launch, channel: 1)
        else {
          Issue.record("\(table) doesn't halt")
          return
        }
        #expect(reason == .switchedOff(words))
        #expect(other == .switchedOff(words))
        try await fixture.script("update salvo.\(table) set enabled = true where id = 1")
      }
      _ = try await fixture.open(lease, keys(1...10))
    }
  }

  @Test("a copy has campaign, content and options, and with its audience the recipients who are still there")
  func cloned() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      let launch = try await fixture.launch(content: #"{"title": "Hi"}"#, options: #"{"rate": 7}"#)
      try await fixture.script(
        """
        update salvo.recipient set variables = '{"code": "A"}' where profile_id = 1;
        delete from salvo.subscription where id = 2; update salvo.subscription set channel_id = 2 where id = 3;
        """)
      let admin = LaunchAdmin(fixture.database)
      #expect(try await admin.clone(launch, withAudience: false) == 2)
      #expect(try await admin.clone(launch, withAudience: true) == 3)
      #expect(
        try await fixture.rows(
          "select id, state, campaign_id, content ->> 'title' as t, options ->> 'rate' as r, not_before from salvo.launch order by 1"
        )
          == ["1 draft 1 Hi 7 ", "2 draft 1 Hi 7 ", "3 draft 1 Hi 7 "])
      #expect(
        try await fixture.rows(
          "select launch_id, channel_id, profile_id, variables ->> 'code' as c from salvo.recipient where launch_id > 1 order by 2"
        )
          == ["3 1 1 A", "3 2 3 "])
      let error = await #expect(throws: StoreError.self) { try await admin.clone(99, withAudience: true) }
      #expect(error?.code == .notFound && error?.description == "there is no launch 99")
    }
  }
}
