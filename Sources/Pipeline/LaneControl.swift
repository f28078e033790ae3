import Base
import Campaign
import Providers

/// What the windows of one lane share: the breaker, the cool-down, the reason to stop.
final class LaneControl: Sendable {
  private struct State {
    var breaker: Breaker
    var stop: LaneStop?
    var coolUntil = BootInstant(nanoseconds: 0)
    /// The provider's latest word about it, and whether other runners know it.
    var told = EpochMilliseconds(0)
    var toldBy: String?
    var isToldToAll = true
    var atGate: [UnsafeContinuation<Void, Never>] = []
    var connection = ConnectionHealth()
  }

  /// Up when the lane or the process stops: whoever hands something to the network looks at it right before.
  let flag: StopFlag
  private let state: Guarded<State>
  private let onStop: @Sendable (LaneStop) -> Void

  /// - Parameters:
  ///   - processStop: goes up when the process is asked to stop.
  ///   - onStop: told once, at the moment the lane stops.
  init(breaker: Breaker, processStop: StopFlag, onStop: @escaping @Sendable (LaneStop) -> Void) {
    flag = StopFlag(or: processStop)
    state = Guarded(State(breaker: breaker))
    self.onStop = onStop
  }

  var stop: LaneStop? { state.withLock { $0.stop } }

  /// Stops the lane, for the first reason given.
  func stop(_ stop: LaneStop) {
    let (isFirst, waiting) = state.withLock { state in
      let isFirst = state.stop == nil
      if isFirst { state.stop = stop }
      return (isFirst, Self.openGate(&state))
    }
    flag.set()
    for continuation in waiting { continuation.resume() }
    if isFirst { onStop(stop) }
  }

  // MARK: Cooling

  /// A second more or less is not worth telling.
  static let coolingStep: Int64 = 1_000

  /// No window opens before then: the database says so.
  func cool(until: EpochMilliseconds) {
    state.withLock { Self.cool(&$0, until: until) }
  }

  /// The provider asks the whole lane to wait until then.
  /// - Parameter answer: what it said, for people: `HTTP 429 QUOTA_EXCEEDED`.
  func toldToCool(until: EpochMilliseconds, by answer: String) {
    state.withLock { state in
      Self.cool(&state, until: until)
      guard until.value >= state.told.value + Self.coolingStep else { return }
      state.told = until
      state.toldBy = answer
      state.isToldToAll = false
    }
  }

  /// What the provider asked for, once: whoever takes it writes it down for other runners.
  func takeToldCooling() -> EpochMilliseconds? {
    state.withLock { state in
      if state.isToldToAll { return nil }
      state.isToldToAll = true
      return state.told
    }
  }

  /// What the provider said when it asked this runner to wait.
  var coolingWords: String? { state.withLock { $0.toldBy } }

  private static func cool(_ state: inout State, until: EpochMilliseconds) {
    let seconds = Double(until.value - EpochMilliseconds.now.value) / 1000
    state.coolUntil = max(state.coolUntil, BootInstant.now.advanced(seconds: seconds))
  }

  /// Seconds until a window may open; 0 when it may now.
  var coolSeconds: Double { max(0, state.withLock { $0.coolUntil }.secondsFromNow) }

  // MARK: Connections

  func answered() { state.withLock { $0.connection.answered() } }

  /// No connection could be made. Waits grow; a provider that stays away stops the lane, with this reason.
  func unreachable(_ reason: LaneStop) {
    let action = state.withLock { state -> ConnectionHealth.Action in
      // Several windows meet the same outage at once: one step a cool-down.
      if state.coolUntil > .now { return .wait(seconds: 0) }
      let action = state.connection.failed(now: .now)
      if case .wait(let seconds) = action { state.coolUntil = BootInstant.now.advanced(seconds: seconds) }
      return action
    }
    if action == .giveUp { stop(reason) }
  }

  // MARK: Breaker

  func windowOpened() { state.withLock { $0.breaker.windowOpened() } }

  /// Feeds what the provider said; may stop the lane.
  func arrived(_ verdicts: some Sequence<MessageVerdict>) {
    let (tripped, waiting) = state.withLock { state -> (String?, [UnsafeContinuation<Void, Never>]) in
      let wasTripped = state.breaker.tripped != nil
      for verdict in verdicts where verdict.countsForBreaker {
        switch verdict.verdict {
        case .sent: state.breaker.sentArrived()
        case .retire: state.breaker.deadArrived()
        default: state.breaker.rejectArrived(code: verdict.providerCode ?? verdict.reason ?? "payload")
        }
      }
      let waiting = state.breaker.decision == nil ? [] : Self.openGate(&state)
      return (wasTripped ? nil : state.breaker.tripped, waiting)
    }
    for continuation in waiting { continuation.resume() }
    if let tripped { stop(LaneStop(.breaker, tripped)) }
  }

  /// A window has all its answers. With retirements in it, waits until the breaker can judge them.
  func windowSent(holdsRetirements: Bool) async -> Breaker.Decision {
    let (tripped, waiting) = state.withLock { state -> (String?, [UnsafeContinuation<Void, Never>]) in
      let wasTripped = state.breaker.tripped != nil
      state.breaker.windowSent()
      return (wasTripped ? nil : state.breaker.tripped, state.breaker.decision == nil ? [] : Self.openGate(&state))
    }
    for continuation in waiting { continuation.resume() }
    if let tripped { stop(LaneStop(.breaker, tripped)) }
    guard holdsRetirements else { return .spare }
    await withUnsafeContinuation { continuation in
      let isDecided = state.withLock { state in
        if state.breaker.decision != nil || state.stop != nil { return true }
        state.atGate.append(continuation)
        return false
      }
      if isDecided { continuation.resume() }
    }
    // A lane that stopped before its sample was complete spares the tokens: the reason to stop may be theirs too.
    return state.withLock { $0.breaker.decision } ?? .spare
  }

  private static func openGate(_ state: inout State) -> [UnsafeContinuation<Void, Never>] {
    defer { state.atGate.removeAll() }
    return state.atGate
  }
}
