import Base
import Testing

@testable import Pipeline

@Suite("Which launch is begun next")
struct LaunchTurnsTests {
  private func at(_ seconds: UInt64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }

  @Test("none that is under way, and one that failed rests 5 s, then 10, up to 5 minutes")
  func rests() {
    var turns = LaunchTurns(triesOnce: false)
    func next(_ due: [Int64], _ seconds: UInt64) -> Int64? { turns.next(of: due, at: at(seconds)) }
    func begin(_ launch: Int64) -> Bool { turns.begin(launch) }
    #expect(next([7, 8], 0) == 7)
    #expect(next([7, 8], 0) == 8)
    #expect(next([7, 8], 0) == nil)
    #expect(!begin(7))
    turns.ended(7, isWell: false, at: at(0))
    #expect(next([7], 4) == nil)
    #expect(next([7], 5) == 7)
    turns.ended(7, isWell: false, at: at(5))
    #expect(next([7], 14) == nil)
    // Asked for by name: at once.
    #expect(begin(7))
    for _ in 1...10 { turns.ended(7, isWell: false, at: at(20)) }
    #expect(next([7], 319) == nil)
    #expect(next([7], 320) == 7)
    turns.ended(7, isWell: true, at: at(320))
    #expect(next([7], 321) == 7)
  }

  @Test("in a pass that ends each has one turn")
  func once() {
    var turns = LaunchTurns(triesOnce: true)
    func next() -> Int64? { turns.next(of: [7, 8], at: at(1_000_000)) }
    #expect(next() == 7)
    turns.ended(7, isWell: true, at: at(0))
    #expect(next() == 8)
    turns.ended(8, isWell: false, at: at(0))
    #expect(next() == nil)
  }
}
