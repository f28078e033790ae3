import Base
import Testing

@testable import Pipeline

@Suite("RetryPolicy")
struct RetryPolicyTests {
  let now = EpochMilliseconds(1_760_000_000_000)

  private func policy(attempt: Int = 1, expiresIn: Double? = nil, nowOrNever: Bool = false) -> RetryPolicy {
    RetryPolicy(
      requestBudget: 2, attempts: 3, attempt: attempt, expiresAt: expiresIn.map { now.adding(seconds: $0) },
      isNowOrNever: nowOrNever)
  }

  @Test("a wait of 5 s that fits the window is done inside it, once")
  func inWindow() {
    #expect(policy().notTaken(after: 5, requests: 1, now: now, windowLeft: 30) == .again(after: 5))
    #expect(
      policy().notTaken(after: 5, requests: 2, now: now, windowLeft: 30)
        == .postpone(until: EpochMilliseconds(1_760_000_005_000)))
  }

  @Test("a longer wait, or one past the send deadline, leaves the window")
  func postponed() {
    #expect(
      policy().notTaken(after: 60, requests: 1, now: now, windowLeft: 30)
        == .postpone(until: EpochMilliseconds(1_760_000_060_000)))
    #expect(
      policy().notTaken(after: 3, requests: 1, now: now, windowLeft: 2)
        == .postpone(until: EpochMilliseconds(1_760_000_003_000)))
  }

  @Test("the third attempt is the last one")
  func tries() {
    #expect(policy(attempt: 3).notTaken(after: 60, requests: 1, now: now, windowLeft: 30) == .expire(reason: "tries"))
  }

  @Test("nothing is retried past its time")
  func deadline() {
    let late = policy(expiresIn: 10)
    #expect(late.notTaken(after: 10, requests: 1, now: now, windowLeft: 30) == .expire(reason: "deadline"))
    #expect(late.notTaken(after: 2, requests: 1, now: now, windowLeft: 30) == .again(after: 2))
    #expect(late.isExpired(now: now.adding(seconds: 10)))
    #expect(!late.isExpired(now: now.adding(seconds: 9.999)))
  }

  @Test("now or never is never deferred")
  func nowOrNever() {
    let policy = policy(nowOrNever: true)
    #expect(policy.notTaken(after: 60, requests: 1, now: now, windowLeft: 30) == .expire(reason: "deadline"))
    #expect(policy.notTaken(after: 1, requests: 1, now: now, windowLeft: 30) == .again(after: 1))
  }
}
