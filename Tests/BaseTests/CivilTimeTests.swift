import Base
import Testing

@Suite("Dates and zones by hand")
struct CivilTimeTests {
  @Test(
    "seconds since 1970 are the date that every calendar says",
    arguments: [
      (0, "1970-01-01 00:00:00", 4), (951_782_399, "2000-02-28 23:59:59", 1), (951_782_400, "2000-02-29 00:00:00", 2),
      (1_760_000_000, "2025-10-09 08:53:20", 4), (4_107_542_400, "2100-03-01 00:00:00", 1),
      (-1, "1969-12-31 23:59:59", 3),
    ] as [(Int64, String, Int)])
  func civil(_ seconds: Int64, _ text: String, _ weekday: Int) {
    let time = CivilTime(secondsSince1970: seconds)
    #expect(CivilTime.parse(text.utf8)?.time == time)
    #expect(time.secondsSince1970 == seconds)
    #expect(time.weekday == weekday)
  }

  @Test(
    "ISO 8601 with any zone is one moment",
    arguments: [
      ("2025-10-09T08:53:20Z", 1_760_000_000_000), ("2025-10-09T11:53:20+03:00", 1_760_000_000_000),
      ("2025-10-09 03:23:20.75-0530", 1_760_000_000_000), ("2025-10-09T08:53:20", 1_760_000_000_000),
      ("2025-10-09", 1_759_968_000_000),
    ] as [(String, Int64)])
  func moments(_ text: String, _ milliseconds: Int64) {
    #expect(EpochMilliseconds(iso8601: text) == EpochMilliseconds(milliseconds))
  }

  @Test(
    "what is no date is none",
    arguments: [
      "", "2025", "2025-13-01", "2025-02-29", "2025-10-09T24:00", "2025-10-09T08:60Z", "2025-10-09T08:53:20+24:00",
      "2025-10-09Tz", "tomorrow",
    ])
  func refused(_ text: String) { #expect(EpochMilliseconds(iso8601: text) == nil) }

  /// Moments on both sides of a change of the clock, and offsets, from the tz database's own sources.
  @Test(
    "offsets of the tz database",
    arguments: [
      // 2026-03-29 01:00 UTC: summer time begins in all of the EU.
      ("Europe/Berlin", 1_774_745_999, 3600), ("Europe/Berlin", 1_774_746_000, 7200),
      // 2026-10-25 01:00 UTC: it ends.
      ("Europe/Berlin", 1_792_889_999, 7200), ("Europe/Berlin", 1_792_890_000, 3600),
      // Far beyond what a file lists: July 2100.
      ("Europe/Berlin", 4_118_083_200, 7200),
      // Moscow has stayed at +3 since 2014-10-26; in July 2012 it was at +4.
      ("Europe/Moscow", 1_760_000_000, 10_800), ("Europe/Moscow", 1_341_100_800, 14_400),
      ("Asia/Kolkata", 1_760_000_000, 19_800), ("America/New_York", 1_760_000_000, -14_400),
      // January is summer in the south.
      ("Australia/Sydney", 1_767_225_600, 39_600), ("Australia/Sydney", 1_782_864_000, 36_000), ("UTC", 0, 0),
    ] as [(String, Int64, Int)])
  func offsets(_ name: String, _ seconds: Int64, _ offset: Int) throws {
    #expect(try #require(ZoneInfo.named(name)).offset(at: seconds) == offset)
  }

  @Test(
    "no zone by a name that is none, or a path",
    arguments: ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe"])
  func unknown(_ name: String) { #expect(ZoneInfo.named(name) == nil) }

  @Test("a damaged zone file is no zone, wherever it is cut")
  func damaged() throws {
    let bytes = try FileReader.read("/usr/share/zoneinfo/Europe/Berlin", limit: 1 << 20)
    #expect(ZoneInfo(tzif: bytes) == ZoneInfo.named("Europe/Berlin"))
    for count in stride(from: 0, to: bytes.count - 40, by: 61) {
      #expect(ZoneInfo(tzif: Array(bytes.prefix(count))) == nil)
    }
  }
}
