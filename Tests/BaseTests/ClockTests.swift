import Base
import Testing

@Suite("Clocks")
struct ClockTests {
  @Test("whole seconds are rounded down, before 1970 too")
  func seconds() {
    #expect(EpochMilliseconds(1_760_000_003_500).seconds == 1_760_000_003)
    #expect(EpochMilliseconds(0).seconds == 0)
    #expect(EpochMilliseconds(-1).seconds == -1)
    #expect(EpochMilliseconds(-1000).seconds == -1)
    #expect(EpochMilliseconds(-1001).seconds == -2)
    #expect(EpochMilliseconds(.min).seconds == -9_223_372_036_854_776)
    #expect(EpochMilliseconds(.max).seconds == 9_223_372_036_854_775)
  }

  @Test("adding never leaves Int64")
  func adding() {
    let start = EpochMilliseconds(1_760_000_000_000)
    #expect(start.adding(seconds: 3.5).value == 1_760_000_003_500)
    #expect(start.adding(seconds: -0.0004).value == 1_760_000_000_000)
    #expect(start.adding(seconds: .infinity).value == .max)
    #expect(start.adding(seconds: -.infinity).value == .min)
    #expect(start.adding(seconds: 1e300).value == .max)
    #expect(start.adding(seconds: .nan).value == 1_760_000_000_000)
    #expect(EpochMilliseconds(.max).adding(seconds: 1).value == .max)
    #expect(EpochMilliseconds(.min).adding(seconds: -1).value == .min)
  }

  @Test("an instant of this machine never goes before boot or past the end")
  func bootInstants() {
    let start = BootInstant(nanoseconds: 5_000_000_000)
    #expect(start.advanced(seconds: 2.5).nanoseconds == 7_500_000_000)
    #expect(start.advanced(seconds: -2.5).nanoseconds == 2_500_000_000)
    #expect(start.advanced(seconds: -6).nanoseconds == 0)
    #expect(start.advanced(seconds: .infinity) == .distantFuture)
    #expect(start.advanced(seconds: .nan).nanoseconds == 0)
    #expect(BootInstant.distantFuture.advanced(seconds: 1) == .distantFuture)
    #expect(start < start.advanced(seconds: 0.001))
  }

  @Test("both clocks go forward, and the world's is past 2025")
  func now() {
    let first = BootInstant.now
    #expect(first.nanoseconds > 0)
    #expect(first <= BootInstant.now)
    #expect(EpochMilliseconds.now > EpochMilliseconds(1_735_689_600_000))
  }
}
