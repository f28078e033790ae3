import Campaign
import Testing

@Suite("Cron expressions")
struct CronExpressionTests {
  private func times(_ cron: String, _ start: String, _ end: String, limit: Int = 100) throws -> [String] {
    let from = try #require(LocalMinute(start))
    let through = try #require(LocalMinute(end))
    return try CronExpression(cron).times(after: from, through: through, limit: limit).map { "\($0)" }
  }

  @Test(
    "the times of a stretch, newest first, its start left out and its end in it",
    arguments: [
      ("0 9 * * *", "2026-03-28 09:00", "2026-03-30 09:00", ["2026-03-30 09:00", "2026-03-29 09:00"]),
      ("30 2 * * *", "2026-03-28 12:00", "2026-03-29 02:30", ["2026-03-29 02:30"]),
      ("*/20 8-9 * * *", "2026-01-01 08:20", "2026-01-01 09:10", ["2026-01-01 09:00", "2026-01-01 08:40"]),
      (
        "5,10-12 0 1 jan *", "2025-06-01 00:00", "2026-01-01 00:11",
        ["2026-01-01 00:11", "2026-01-01 00:10", "2026-01-01 00:05"]
      ),
      // 2026-11-30 is a Monday, 29 November a Sunday.
      ("0 12 * * mon", "2026-11-20 00:00", "2026-11-30 12:00", ["2026-11-30 12:00", "2026-11-23 12:00"]),
      ("0 12 * * 7", "2026-11-23 00:00", "2026-11-30 12:00", ["2026-11-29 12:00"]),
      ("0 12 * * 0", "2026-11-23 00:00", "2026-11-30 12:00", ["2026-11-29 12:00"]),
      // Both days restricted: either will do, as crontab(5) has it.
      (
        "0 0 15 * fri", "2026-11-12 00:00", "2026-11-21 00:00",
        ["2026-11-20 00:00", "2026-11-15 00:00", "2026-11-13 00:00"]
      ),
      ("0 0 29 2 *", "1896-03-01 00:00", "1904-02-29 00:00", ["1904-02-29 00:00"]),
      ("0 0 29 2 *", "2024-02-29 00:00", "2028-03-01 00:00", ["2028-02-29 00:00"]),
      ("0 0 31 2 *", "2020-01-01 00:00", "2026-01-01 00:00", []),
    ])
  func stretch(_ row: (String, String, String, [String])) throws {
    #expect(try times(row.0, row.1, row.2) == row.3)
  }

  @Test("no more than asked for")
  func limit() throws {
    #expect(
      try times("* * * * *", "2026-01-01 00:00", "2026-02-01 00:00", limit: 2) == [
        "2026-02-01 00:00", "2026-01-31 23:59",
      ])
  }

  @Test(
    "what is wrong is named",
    arguments: [
      ("0 9 * *", "cron: five fields, minute hour day month weekday, not 4"),
      ("60 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"60\""),
      ("0 24 * * *", "cron.hour: 0 to 23, as 5, 1-5, */5 or 1,3, not \"24\""),
      ("0 9 0 * *", "cron.day: 1 to 31, as 5, 1-5, */5 or 1,3, not \"0\""),
      ("0 9 * foo *", "cron.month: 1 to 12, as 5, 1-5, */5 or 1,3, not \"foo\""),
      ("0 9 * * 8", "cron.weekday: 0 to 7, as 5, 1-5, */5 or 1,3, not \"8\""),
      ("5-1 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"5-1\""),
      ("*/0 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"*/0\""),
      ("1,,2 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"1,,2\""),
      ("+5 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"+5\""),
      ("99999999999999999999 9 * * *", "cron.minute: 0 to 59, as 5, 1-5, */5 or 1,3, not \"99999999999999999999\""),
    ])
  func refused(_ row: (String, String)) {
    let error = #expect(throws: CampaignError.self) { try CronExpression(row.0) }
    #expect(error?.description == row.1)
  }

  @Test(
    "local minutes that the calendar doesn't have are none",
    arguments: [
      "2026-02-29 00:00", "2026-13-01 00:00", "2026-00-10 00:00", "2026-01-01 24:00", "2026-1-01 00:00", "now", "",
    ])
  func noMinute(_ text: String) {
    #expect(LocalMinute(text) == nil)
  }
}
