import Base
import Testing

@Suite("Times for people and programs")
struct WallTimeTests {
  @Test(
    "RFC 3339 in UTC, whole seconds, rounded down",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (999, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      // The moment of RFC 3339's own example in §5.8, and a leap day.
      (482_196_050_520, "1985-04-12T23:20:50Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
    ] as [(Int64, String)])
  func rfc3339(milliseconds: Int64, text: String) {
    #expect(EpochMilliseconds(milliseconds).rfc3339 == text)
  }
}
