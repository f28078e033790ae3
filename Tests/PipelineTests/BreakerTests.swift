import Campaign
import Testing

@testable import Pipeline

@Suite("Breaker")
struct BreakerTests {
  @Test("retirements are held until 200 verdicts are in")
  func held() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<10 { breaker.deadArrived() }
    for _ in 0..<189 { breaker.sentArrived() }
    #expect(breaker.decision == nil)
    breaker.sentArrived()
    #expect(breaker.decision == .retire)
    #expect(breaker.tripped == nil)
  }

  @Test("more than half dead of the first 200 stops the lane and spares the tokens")
  func sandboxTokensAtProduction() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<99 { breaker.sentArrived() }
    for _ in 0..<101 { breaker.deadArrived() }
    #expect(breaker.tripped?.hasPrefix("101 of 200 tokens were called dead") == true)
    #expect(breaker.decision == .spare)
  }

  @Test("exactly half dead does not")
  func half() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<100 {
      breaker.sentArrived()
      breaker.deadArrived()
    }
    #expect(breaker.tripped == nil)
    #expect(breaker.decision == .retire)
  }

  @Test("later the last 1,000 verdicts count, not the good beginning")
  func rolling() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<5_000 { breaker.sentArrived() }
    for _ in 0..<500 { breaker.deadArrived() }
    #expect(breaker.tripped == nil)
    breaker.deadArrived()
    #expect(breaker.tripped?.hasPrefix("501 of 1000") == true)
  }

  @Test("a small lane that is all dead retires nobody")
  func smallLane() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<7 { breaker.deadArrived() }
    #expect(breaker.decision == nil)
    breaker.windowSent()
    #expect(breaker.tripped == nil)
    #expect(breaker.decision == .spare)
  }

  @Test("a small lane with a few dead ones among living ones retires them at its end")
  func smallMixedLane() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    breaker.windowOpened()
    for _ in 0..<30 { breaker.sentArrived() }
    breaker.deadArrived()
    breaker.windowSent()
    #expect(breaker.decision == nil)
    breaker.windowSent()
    #expect(breaker.decision == .retire)
  }

  @Test("a lane of 60 with 40 dead stops at its end")
  func smallWave() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<20 { breaker.sentArrived() }
    for _ in 0..<40 { breaker.deadArrived() }
    #expect(breaker.tripped == nil)
    breaker.windowSent()
    #expect(breaker.tripped?.hasPrefix("40 of 60") == true)
    #expect(breaker.decision == .spare)
  }

  @Test("20 equal payload rejects in a row with nothing sent stop the lane; a sent one before them does not")
  func equalRejects() {
    var breaker = Breaker(settings: BreakerSettings())
    breaker.windowOpened()
    for _ in 0..<19 { breaker.rejectArrived(code: "INVALID_ARGUMENT") }
    #expect(breaker.tripped == nil)
    breaker.rejectArrived(code: "INVALID_ARGUMENT")
    #expect(breaker.tripped != nil)

    var other = Breaker(settings: BreakerSettings())
    other.windowOpened()
    other.sentArrived()
    for _ in 0..<50 { other.rejectArrived(code: "INVALID_ARGUMENT") }
    #expect(other.tripped == nil)
  }

  @Test("what other runners of the lane saw counts")
  func persisted() {
    var breaker = Breaker(settings: BreakerSettings(), verdicts: 199, dead: 3)
    breaker.windowOpened()
    #expect(breaker.decision == nil)
    breaker.deadArrived()
    #expect(breaker.decision == .retire)
  }
}
