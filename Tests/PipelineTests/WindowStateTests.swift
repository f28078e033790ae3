import Base
import Campaign
import Providers
import Store
import Testing

@testable import Pipeline

@Suite("WindowState")
struct WindowStateTests {
  let now = EpochMilliseconds(1_760_000_000_000)
  let policy = RetryPolicy(requestBudget: 2, attempts: 3, attempt: 1, expiresAt: nil)

  private func window(_ count: Int) -> WindowState {
    WindowState(keys: (1...count).map { RecipientKey(profileID: Int64($0), subscriptionID: 7) }, policy: policy)
  }

  private func key(_ profile: Int64) -> RecipientKey { RecipientKey(profileID: profile, subscriptionID: 7) }

  private func close(_ state: WindowState, _ decision: Breaker.Decision = .retire) -> WindowClose {
    state.result(decision: decision, tokens: { "token-\($0)" }, now: now)
  }

  private func arrive(
    _ state: inout WindowState, _ index: Int, _ verdict: MessageVerdict, handedOver: Int = 1
  ) -> WindowState.Action {
    state.verdictArrived(index, verdict, handedOver: handedOver, now: now, windowLeft: 30)
  }

  @Test("every message that was handed over has one row, and the cursor is the last one")
  func allSent() {
    var state = window(3)
    for index in 0..<3 {
      state.rendered(index, uid: "T\(index)")
      #expect(arrive(&state, index, MessageVerdict(.sent, httpStatus: 200)) == .nothing)
    }
    let close = close(state)
    #expect(close.rows.map(\.outcome) == [.sent, .sent, .sent])
    #expect(close.rows.map(\.requests) == [1, 1, 1])
    #expect(close.rows.map(\.uid) == ["T0", "T1", "T2"])
    #expect(close.cursor == key(3))
    #expect(close.verdicts == 3)
  }

  @Test("what was never handed over is a suffix for the next window, and a skipped one in it too")
  func unsentSuffix() {
    var state = window(5)
    #expect(arrive(&state, 0, MessageVerdict(.sent)) == .nothing)
    #expect(arrive(&state, 1, MessageVerdict(.sent)) == .nothing)
    state.notTaken(2, handedOver: 0, reason: "not_handed_over")
    state.skipped(3, reason: "duplicate")
    state.notTaken(4, handedOver: 0, reason: "not_handed_over")
    let close = close(state)
    #expect(close.rows.map(\.key) == [key(1), key(2)])
    #expect(close.cursor == key(2))
  }

  @Test("one that was not handed over before one that was is carried by a retry chunk, with no request counted")
  func gap() {
    var state = window(3)
    state.notTaken(0, handedOver: 0, reason: "not_handed_over")
    #expect(arrive(&state, 1, MessageVerdict(.sent)) == .nothing)
    state.notTaken(2, handedOver: 0, reason: "not_handed_over")
    let close = close(state)
    #expect(close.rows.map(\.outcome) == [.deferred, .sent])
    #expect(close.rows[0].requests == 0)
    #expect(close.rows[0].retryAt == now)
    #expect(close.cursor == key(2))
  }

  @Test("nothing handed over leaves the cursor where it was")
  func nothing() {
    var state = window(2)
    state.notTaken(0, handedOver: 0, reason: "unreachable")
    state.notTaken(1, handedOver: 0, reason: "unreachable")
    let close = close(state)
    #expect(close.rows.isEmpty)
    #expect(close.cursor == nil)
  }

  @Test("all skipped is a whole window without a request")
  func skipped() {
    var state = window(2)
    state.skipped(0, reason: "retired")
    state.skipped(1, reason: "gone")
    let close = close(state)
    #expect(close.rows.map(\.outcome) == [.skipped, .skipped])
    #expect(close.rows.map(\.reason) == ["retired", "gone"])
    #expect(close.rows.map(\.requests) == [0, 0])
    #expect(close.verdicts == 0)
    #expect(close.cursor == key(2))
  }

  @Test("a retry inside the window counts both requests")
  func retryInside() {
    var state = window(1)
    let retry = MessageVerdict(.retry(after: 2, laneWide: false), reason: "internal", httpStatus: 500)
    #expect(arrive(&state, 0, retry) == .again(after: 2))
    #expect(arrive(&state, 0, MessageVerdict(.sent, httpStatus: 200)) == .nothing)
    let close = close(state)
    #expect(close.rows[0].outcome == .sent)
    #expect(close.rows[0].requests == 2)
    #expect(close.rows[0].httpStatus == 200)
  }

  @Test("a long wait defers to its time and cools the lane when it is the lane's")
  func deferred() {
    var state = window(2)
    let quota = MessageVerdict(.retry(after: 60, laneWide: true), reason: "quota", httpStatus: 429)
    #expect(
      arrive(&state, 0, quota) == .cool(until: EpochMilliseconds(1_760_000_060_000), thenAgainAfter: nil))
    #expect(arrive(&state, 1, MessageVerdict(.sent)) == .nothing)
    let close = close(state)
    #expect(close.rows[0].outcome == .deferred)
    #expect(close.rows[0].reason == "quota")
    #expect(close.rows[0].retryAt == EpochMilliseconds(1_760_000_060_000))
  }

  @Test("held retirements follow the breaker: retired with their token, or rejected as suspect with none touched")
  func retirements() {
    var state = window(2)
    #expect(arrive(&state, 0, MessageVerdict(.sent)) == .nothing)
    #expect(
      arrive(&state, 1, MessageVerdict(.retire, reason: "unregistered", httpStatus: 410)) == .nothing)
    #expect(state.held == 1)
    let retired = close(state, .retire)
    #expect(retired.rows[1].outcome == .tokenRetired)
    #expect(retired.retirements.map(\.key) == [key(2)])
    #expect(retired.retirements.map(\.token) == ["token-1"])
    #expect(retired.retirements.map(\.reason) == ["unregistered"])
    #expect(retired.dead == 1)
    let spared = close(state, .spare)
    #expect(spared.rows[1].outcome == .rejected)
    #expect(spared.rows[1].reason == "suspect")
    #expect(spared.retirements.isEmpty)
  }

  @Test("a stop leaves the message to a retry chunk: it was refused, so it is known unsent")
  func stop() {
    var state = window(2)
    let refused = MessageVerdict(.stop(isCredential: true), reason: "InvalidProviderToken", httpStatus: 403)
    #expect(arrive(&state, 0, refused) == .stopLane(isCredential: true))
    state.notTaken(1, handedOver: 0, reason: "not_handed_over")
    let close = close(state, .spare)
    #expect(close.rows.map(\.outcome) == [.deferred])
    #expect(close.rows[0].requests == 1)
    #expect(close.cursor == key(1))
    #expect(close.verdicts == 0)
  }

  @Test("accepted messages have no row yet")
  func accepted() {
    var state = window(3)
    state.skipped(0, reason: "retired")
    #expect(arrive(&state, 1, MessageVerdict(.accepted, httpStatus: 200)) == .nothing)
    #expect(arrive(&state, 2, MessageVerdict(.accepted, httpStatus: 200)) == .nothing)
    let close = close(state)
    #expect(close.rows.map(\.key) == [key(1)])
    #expect(close.accepted == [key(2), key(3)])
    #expect(close.cursor == key(3))
  }

  @Test("no answer is unknown, and nothing more happens to it")
  func unknown() {
    var state = window(1)
    #expect(arrive(&state, 0, MessageVerdict(.unknown, reason: "no_answer")) == .nothing)
    #expect(close(state).rows.map(\.outcome) == [.unknown])
  }
}
