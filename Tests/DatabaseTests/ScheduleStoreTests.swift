import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("Schedules", .database)
struct ScheduleStoreTests {
  private func schedule(
    _ fixture: StoreFixture, _ cron: String, _ zone: String, since: String, catchUp: String = "latest",
    options: String = "{}"
  ) async throws {
    try await fixture.script(
      """
      insert into salvo.schedule (campaign_id, name, cron, time_zone, catch_up, content, options, audience, created_at)
      values (1, 'daily', '\(cron)', '\(zone)', '\(catchUp)', '{"title": "Hi"}', '\(options)', '{"channels": [1]}',
        '\(since)')
      """)
  }

  private static let planned = """
    select to_char(planned_at at time zone 'UTC', 'MM-DD') as day, to_char(planned_at at time zone 'UTC', 'HH24:MI') as at
    from salvo.schedule_run order by planned_at
    """

  /// Case C34's table, and what else happens on nights when clocks change: each row a schedule, when it is looked at,
  /// and all that is planned by then, in UTC.
  private static let changes: [(cron: String, zone: String, since: String, through: String, planned: [String])] = [
    // Skipped: an hour later by the clock, once. Neither before nor again.
    ("30 2 29 3 *", "Europe/Berlin", "2026-03-28 00:00Z", "2026-03-29 01:29Z", []),
    ("30 2 29 3 *", "Europe/Berlin", "2026-03-28 00:00Z", "2026-03-29 06:00Z", ["03-29 01:30"]),
    ("30 2 8 3 *", "America/New_York", "2026-03-07 00:00Z", "2026-03-08 12:00Z", ["03-08 07:30"]),
    // Twice on the clock: the second, in standard time.
    ("30 2 25 10 *", "Europe/Berlin", "2026-10-24 00:00Z", "2026-10-25 01:29Z", []),
    ("30 2 25 10 *", "Europe/Berlin", "2026-10-24 00:00Z", "2026-10-25 06:00Z", ["10-25 01:30"]),
    ("30 1 1 11 *", "America/New_York", "2026-10-31 00:00Z", "2026-11-01 12:00Z", ["11-01 06:30"]),
    (
      "0 9 * * *", "Europe/Berlin", "2026-03-27 12:00Z", "2026-03-30 12:00Z",
      ["03-28 08:00", "03-29 07:00", "03-30 07:00"]
    ),
    ("0 9 * * *", "Europe/Moscow", "2026-03-28 12:00Z", "2026-03-29 12:00Z", ["03-29 06:00"]),
    // Every hour: the skipped one and the one after it are one moment; the repeated one is made once.
    (
      "0 * * * *", "Europe/Berlin", "2026-03-28 23:30Z", "2026-03-29 02:30Z",
      ["03-29 00:00", "03-29 01:00", "03-29 02:00"]
    ),
    (
      "0 * * * *", "Europe/Berlin", "2026-10-24 22:30Z", "2026-10-25 02:30Z",
      ["10-24 23:00", "10-25 01:00", "10-25 02:00"]
    ),
    ("0 9 * * *", "Australia/Lord_Howe", "2026-10-03 00:00Z", "2026-10-04 00:00Z", ["10-03 22:00"]),
  ]

  @Test("C34: each planned time is one moment, whatever zone the session is in", arguments: ["UTC", "Asia/Singapore"])
  func changesOfClocks(_ zone: String) async throws {
    try await StoreFixture.with(zone: zone) { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      let schedules = ScheduleStore(fixture.database)
      for row in Self.changes {
        try await fixture.script(
          "truncate salvo.schedule_run, salvo.schedule restart identity cascade; delete from salvo.launch")
        try await schedule(
          fixture, row.cron, row.zone, since: row.since, catchUp: "all", options: #"{"catch_up_minutes": 10000}"#)
        try await fixture.clock(row.through)
        _ = try await schedules.makeDue()
        #expect(try await fixture.rows(Self.planned) == row.planned, "\(row)")
        #expect(try await schedules.makeDue() == [])
      }
    }
  }

  @Test("C34: times with an offset are the moments they name", arguments: ["UTC", "Asia/Singapore"])
  func offsets(_ zone: String) async throws {
    try await StoreFixture.with(zone: zone) { fixture in
      let admin = LaunchAdmin(fixture.database)
      let none = JSON.object(JSONObject())
      for (text, moment) in [
        ("2026-06-03T17:01:00+02:00", "2026-06-03 15:01"), ("2026-06-03T13:00:00-05:00", "2026-06-03 18:00"),
        ("2026-06-03T09:00:00+05:30", "2026-06-03 03:30"),
      ] {
        let launch = try await admin.create(campaign: 1, content: none, options: none, notBefore: text, notAfter: nil)
        #expect(
          try await fixture.rows(
            """
            select to_char(not_before at time zone 'UTC', 'YYYY-MM-DD') as day,
              to_char(not_before at time zone 'UTC', 'HH24:MI') as minute from salvo.launch where id = \(launch)
            """) == [moment])
      }
    }
  }

  @Test("a launch is made with the schedule's content, options and audience, due from the planned minute on")
  func made() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      try await fixture.subscribe(4...5, channel: 2)
      try await schedule(fixture, "0 9 * * *", "UTC", since: "2026-05-01 00:00Z", options: #"{"rate": 7}"#)
      try await fixture.clock("2026-05-01 09:00:30Z")
      #expect(
        try await ScheduleStore(fixture.database).makeDue() == [
          .launch(1, schedule: 1, planned: EpochMilliseconds(1_777_626_000_000), recipients: 3)
        ])
      #expect(
        try await fixture.rows(
          """
          select l.state, l.campaign_id, l.content ->> 'title' as title, l.options ->> 'rate' as rate,
            l.not_before = r.planned_at as at, r.launch_id from salvo.launch l, salvo.schedule_run r
          """) == ["scheduled 1 Hi 7 t 1"])
      #expect(try await DueStore(fixture.database).launches() == [1])
    }
  }

  @Test(
    "of times that nobody was there for: none, the latest or all that are not too late; what is too late is one missed launch",
    arguments: [
      ("none", "2026-05-01 12:04Z", ["05-01 12:00"], "scheduled"), ("none", "2026-05-01 12:06Z", [], nil),
      ("latest", "2026-05-01 12:30Z", ["05-01 12:00"], "scheduled"),
      ("all", "2026-05-01 12:30Z", ["05-01 10:00", "05-01 11:00", "05-01 12:00"], "scheduled"),
      ("latest", "2026-05-02 07:30Z", ["05-01 12:00"], "missed"),
      ("all", "2026-05-02 07:30Z", ["05-01 12:00"], "missed"),
    ] as [(String, String, [String], String?)])
  func catchUp(_ row: (String, String, [String], String?)) async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      try await schedule(
        fixture, "0 8-12 * * *", "UTC", since: "2026-05-01 09:30Z", catchUp: row.0,
        options: #"{"catch_up_minutes": 180}"#)
      try await fixture.clock(row.1)
      _ = try await ScheduleStore(fixture.database).makeDue()
      _ = try await DueStore(fixture.database).missLate()
      #expect(try await fixture.rows(Self.planned) == row.2)
      #expect(try await fixture.rows("select distinct state from salvo.launch") == (row.3.map { [$0] } ?? []))
    }
  }

  @Test("drill 9: schedulers of the same second make one launch of each planned minute")
  func atOnce() async throws {
    try await StoreFixture.with(connections: 8) { fixture in
      try await fixture.subscribe(1...100, channel: 1)
      try await schedule(
        fixture, "*/10 * * * *", "UTC", since: "2026-05-01 00:00Z", catchUp: "all",
        options: #"{"catch_up_minutes": 1000}"#)
      try await fixture.clock("2026-05-01 01:05Z")
      let made = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...8 { group.addTask { try await ScheduleStore(fixture.database).makeDue().count } }
        return try await group.reduce(0, +)
      }
      // Who met another at it left it to that one; nothing is made twice, and the next pass finds nothing left.
      #expect(made == 6)
      #expect(try await ScheduleStore(fixture.database).makeDue() == [])
      #expect(
        try await fixture.rows("select count(*), count(distinct launch_id) from salvo.schedule_run") == ["6 6"])
      #expect(try await fixture.rows("select count(*) from salvo.launch") == ["6"])
      #expect(try await fixture.rows("select count(*) from salvo.recipient") == ["600"])
    }
  }

  @Test("a schedule that can't be followed says why in its row, and keeps none of the others back")
  func refused() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      for cron in ["0 25 * * *", "0 9 * * *"] { try await schedule(fixture, cron, "UTC", since: "2026-05-01 00:00Z") }
      try await schedule(fixture, "0 9 * * *", "UTC", since: "2026-05-01 00:00Z")
      try await fixture.script("update salvo.schedule set audience = '{\"channels\": [4]}' where id = 3")
      try await fixture.clock("2026-05-01 09:00Z")
      let hour = "cron.hour: 0 to 23, as 5, 1-5, */5 or 1,3, not \"25\""
      let foreign = "launch 2: channel 4 is not one of its account's"
      let made = try await ScheduleStore(fixture.database).makeDue()
      #expect(made.count == 3)
      #expect(made.contains(.refused(schedule: 1, hour)))
      #expect(made.contains(.refused(schedule: 3, foreign)))
      #expect(
        try await fixture.rows("select id from salvo.schedule where last_error is not null order by 1")
          == ["1", "3"])
      #expect(try await fixture.rows("select schedule_id from salvo.schedule_run") == ["2"])
      // Mended.
      try await fixture.script("update salvo.schedule set audience = '{}' where id = 3")
      _ = try await ScheduleStore(fixture.database).makeDue()
      #expect(try await fixture.rows("select last_error from salvo.schedule where id = 3") == [""])
    }
  }

  @Test("a zone that is none, and a cron text without five fields, are refused when they are saved")
  func saved() async throws {
    try await StoreFixture.with { fixture in
      for (cron, zone, state) in [("0 9 * * *", "Europe/Atlantis", "22023"), ("0 9 * *", "UTC", "23514")] {
        let error = await #expect(throws: PostgresError.self) {
          try await schedule(fixture, cron, zone, since: "2026-05-01 00:00Z")
        }
        #expect(error?.sqlState == state)
      }
    }
  }
}
