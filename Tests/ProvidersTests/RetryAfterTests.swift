import Base
import Testing

@testable import Providers

@Suite("retry-after")
struct RetryAfterTests {
  @Test(
    "seconds, and the three date forms of RFC 9110 counted from now",
    arguments: [
      ("120", 120.0 as Double?),
      (" 120 ", 120),
      ("0", 0),
      ("86401", 86_400),
      ("99999999999999999999999999", 86_400),
      ("Tue, 10 Mar 2026 12:02:00 GMT", 120),
      ("Tuesday, 10-Mar-26 12:02:00 GMT", 120),
      ("Tue Mar 10 12:02:00 2026", 120),
      ("Wed, 11 Mar 2026 00:00:00 GMT", 43_200),
      ("Thu, 29 Feb 2024 12:00:00 GMT", 0),
      ("Tue, 10 Mar 2126 12:00:00 GMT", 86_400),
      ("", nil),
      ("-5", nil),
      ("1.5", nil),
      ("soon", nil),
      ("Tue, 10 Foo 2026 12:02:00 GMT", nil),
      ("Tue, 10 Mar 2026 25:02:00 GMT", nil),
      ("Tue, 10 Mar 9223372036854775807 12:02:00 GMT", nil),
      ("a, b c d e", nil),
    ])
  func forms(_ value: String, _ expected: Double?) {
    #expect(RetryAfter.seconds(value, now: noon) == expected)
  }

  @Test("no header, no time")
  func absent() {
    #expect(RetryAfter.seconds(nil, now: noon) == nil)
  }

  @Test("a leap day counts")
  func leapDay() {
    // 2024-02-28T12:00:00Z
    let now = EpochMilliseconds(1_709_121_600_000)
    #expect(RetryAfter.seconds("Thu, 29 Feb 2024 06:00:00 GMT", now: now) == 64_800)
    #expect(RetryAfter.seconds("Thu, 29 Feb 2024 12:00:00 GMT", now: now) == 86_400)
    #expect(RetryAfter.seconds("Wed, 28 Feb 2024 13:00:00 GMT", now: now) == 3600)
  }
}
