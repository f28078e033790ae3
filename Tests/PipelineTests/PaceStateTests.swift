import Base
import Testing

@testable import Pipeline

@Suite("PaceState")
struct PaceStateTests {
  private func at(_ seconds: Double) -> BootInstant { BootInstant(nanoseconds: 0).advanced(seconds: 100 + seconds) }

  /// How many units pass in so many seconds when somebody asks as soon as he may.
  private func passed(_ state: inout PaceState, from: Double, seconds: Double, units: Int = 1) -> Int {
    var now = from
    var count = 0
    while now < from + seconds {
      let wait = state.take(units, now: at(now))
      if wait == 0 { count += units } else { now += wait }
    }
    return count
  }

  @Test("without a rate nothing waits")
  func unlimited() {
    var state = PaceState(share: nil, now: at(0))
    var waits = 0.0
    for _ in 0..<100_000 { waits += state.take(1, now: at(0)) }
    #expect(waits == 0)
  }

  @Test("100 a second are 1,000 in ten seconds, but for the burst of a quarter second")
  func rate() {
    var state = PaceState(share: 100, now: at(0))
    let count = passed(&state, from: 0, seconds: 10)
    #expect((990...1_026).contains(count), "\(count)")
  }

  @Test("6,000 devices a second take arrays of 1,000 whole: six a second")
  func arrays() {
    var state = PaceState(share: 6_000, now: at(0))
    let count = passed(&state, from: 0, seconds: 10, units: 1_000)
    #expect((59_000...62_000).contains(count), "\(count)")
  }

  @Test("an idle lane saves up a quarter of a second, not an hour")
  func noHoarding() {
    var state = PaceState(share: 100, now: at(0))
    _ = state.take(1, now: at(0))
    var burst = 0
    while state.take(1, now: at(3_600)) == 0 { burst += 1 }
    #expect(burst == 26)
  }

  @Test("a ramp of 60 s begins at a tenth and is half way at 30 s")
  func ramp() {
    var state = PaceState(share: 1_000, ramp: 60, now: at(0))
    _ = state.take(1, now: at(0))
    #expect(state.rate(at(0)) == 100)
    #expect(state.rate(at(30)) == 500)
    #expect(state.rate(at(60)) == 1_000)
  }

  @Test("a ramp without a rate rises from half of the provider's own limit, and is then gone")
  func rampToLimit() {
    var state = PaceState(share: nil, ramp: 60, rampTarget: 10_000, now: at(0))
    _ = state.take(1, now: at(0))
    #expect(state.rate(at(6)) == 5_000)
    #expect(state.rate(at(45)) == 7_500)
    #expect(state.rate(at(61)) == nil)
  }

  @Test("a throttled lane goes on at half of what it did and recovers by itself")
  func throttled() {
    var state = PaceState(share: 100, now: at(0))
    _ = passed(&state, from: 0, seconds: 2)
    state.throttled(now: at(2))
    let slowed = state.rate(at(2)) ?? 0
    #expect((45...55).contains(slowed), "\(slowed)")
    state.throttled(now: at(2.5))
    #expect(state.rate(at(2.5)) == slowed)
    #expect(state.rate(at(30)) == 100)
  }

  @Test("a lane without a rate slows down too, and is free again in half a minute")
  func throttledUnlimited() {
    var state = PaceState(share: nil, now: at(0))
    for step in 0..<2_000 { _ = state.take(1, now: at(Double(step) / 1_000)) }
    state.throttled(now: at(2))
    let slowed = state.rate(at(2)) ?? 0
    #expect((450...550).contains(slowed), "\(slowed)")
    #expect(state.rate(at(30)) == nil)
  }

  @Test("no share, no message")
  func noShare() {
    var state = PaceState(share: 0, now: at(0))
    #expect(state.take(1, now: at(0)) == 1)
    state.shareChanged(10, now: at(1))
    #expect(state.take(1, now: at(1)) == 0)
  }
}
