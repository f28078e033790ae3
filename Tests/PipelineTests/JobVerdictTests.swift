import Base
import Store
import Testing

@testable import Pipeline

@Suite("What becomes of a job that failed")
struct JobVerdictTests {
  @Test(
    "it waits four times as long after each try, a quarter of an hour at most, and dies with its last",
    arguments: [
      (1, JobVerdict.retry(afterSeconds: 5)), (2, .retry(afterSeconds: 20)), (3, .retry(afterSeconds: 80)),
      (4, .retry(afterSeconds: 320)), (5, .retry(afterSeconds: 900)), (9, .retry(afterSeconds: 900)), (10, .bury),
    ])
  func backoff(_ row: (Int, JobVerdict)) {
    #expect(JobVerdict.failed(attempt: row.0, of: 10, isLasting: false, jitter: 1) == row.1)
  }

  @Test("jitter stretches the wait; what can't change is not tried again")
  func jitter() {
    #expect(JobVerdict.failed(attempt: 1, of: 5, isLasting: false, jitter: 1.2) == .retry(afterSeconds: 6))
    #expect(JobVerdict.failed(attempt: 1, of: 5, isLasting: true, jitter: 1) == .bury)
  }

  @Test("a wrong row lasts; a missing file, a stopped lane or a database that went away need not")
  func lasting() {
    for code in [StoreError.Code.notFound, .content, .state] {
      #expect(JobVerdict.isLasting(StoreError(code, "")))
    }
    for code in [StoreError.Code.away, .refused, .configuration] {
      #expect(!JobVerdict.isLasting(StoreError(code, "")))
    }
    #expect(JobVerdict.isLasting(RunError(.content, "")))
    #expect(!JobVerdict.isLasting(RunError(.configuration, "")))
  }
}

@Suite("Which launch is begun next")
struct LaunchTurnsTests {
  private func at(_ seconds: UInt64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }

  @Test("none that is under way, and one that failed rests 5 s, then 10, up to 5 minutes")
  func rests() {
    var turns = LaunchTurns(triesOnce: false)
    #expect(turns.next(of: [7, 8], at: at(0)) == 7)
    #expect(turns.next(of: [7, 8], at: at(0)) == 8)
    #expect(turns.next(of: [7, 8], at: at(0)) == nil)
    #expect(!turns.begin(7))
    turns.ended(7, isWell: false, at: at(0))
    #expect(turns.next(of: [7], at: at(4)) == nil)
    #expect(turns.next(of: [7], at: at(5)) == 7)
    turns.ended(7, isWell: false, at: at(5))
    #expect(turns.next(of: [7], at: at(14)) == nil)
    // Asked for by name: at once.
    #expect(turns.begin(7))
    for _ in 1...10 { turns.ended(7, isWell: false, at: at(20)) }
    #expect(turns.next(of: [7], at: at(319)) == nil)
    #expect(turns.next(of: [7], at: at(320)) == 7)
    turns.ended(7, isWell: true, at: at(320))
    #expect(turns.next(of: [7], at: at(321)) == 7)
  }

  @Test("in a pass that ends each has one turn")
  func once() {
    var turns = LaunchTurns(triesOnce: true)
    #expect(turns.next(of: [7, 8], at: at(0)) == 7)
    turns.ended(7, isWell: true, at: at(0))
    #expect(turns.next(of: [7, 8], at: at(1_000_000)) == 8)
    turns.ended(8, isWell: false, at: at(0))
    #expect(turns.next(of: [7, 8], at: at(1_000_000)) == nil)
  }
}
