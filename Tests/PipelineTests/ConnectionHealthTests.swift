import Base
import Testing

@testable import Pipeline

@Suite("ConnectionHealth")
struct ConnectionHealthTests {
  private func at(_ seconds: Double) -> BootInstant { BootInstant(nanoseconds: 0).advanced(seconds: 1000 + seconds) }

  @Test("an address that never answered is given up after four failures")
  func neverAnswered() {
    var health = ConnectionHealth()
    #expect(health.failed(now: at(0)) == .wait(seconds: 0.5))
    #expect(health.failed(now: at(1)) == .wait(seconds: 1))
    #expect(health.failed(now: at(2)) == .wait(seconds: 2))
    #expect(health.failed(now: at(4)) == .giveUp)
  }

  @Test("an outage is waited through for ten minutes, a minute at most between tries")
  func outage() {
    var health = ConnectionHealth()
    health.answered()
    for step in 0..<12 { #expect(health.failed(now: at(Double(step) * 50)) != .giveUp) }
    #expect(health.failed(now: at(599)) == .wait(seconds: 60))
    #expect(health.failed(now: at(601)) == .giveUp)
  }

  @Test("an answer ends the outage")
  func recovered() {
    var health = ConnectionHealth()
    health.answered()
    _ = health.failed(now: at(0))
    health.answered()
    #expect(health.failed(now: at(700)) == .wait(seconds: 0.5))
  }
}

@Suite("WindowSizing")
struct WindowSizingTests {
  @Test(
    "twice what is in flight, 250 to 1,000; group arrays and transfers take 5,000",
    arguments: [
      (400, 1, false, false, 800, 250), (1000, 1, false, false, 1000, 250), (100, 1000, false, false, 250, 250),
      (100, 1000, true, false, 5000, 5000), (1, 5000, false, true, 5000, 5000), (2000, 1, true, false, 1000, 250),
    ])
  func sizes(_ row: (Int, Int, Bool, Bool, Int, Int)) {
    let sizing = WindowSizing(
      inFlight: row.0, messagesPerRequest: row.1, isShared: row.2, settlesLater: row.3)
    #expect(sizing.window == row.4)
    #expect(sizing.slice == row.5)
  }

  @Test(
    "full arrays are handed over as the rate has room for them, one at least",
    arguments: [(100.0, 1_000), (6_000, 1_000), (12_000, 3_000), (1e9, 5_000)])
  func pacedArrays(_ row: (Double, Int)) {
    let sizing = WindowSizing(
      inFlight: 100, messagesPerRequest: 1_000, isShared: true, settlesLater: false, rate: row.0)
    #expect(sizing.window == 5_000)
    #expect(sizing.slice == row.1)
  }
}
