import Base

/// The pace of one lane, shared by its windows: whoever sends takes first.
final class Pace: Sendable {
  private let state: Guarded<PaceState>

  init(_ state: PaceState) { self.state = Guarded(state) }

  /// Waits until so many units may go.
  /// - Returns: false when the lane stopped or the send deadline passed first.
  func take(_ units: Int, sendBefore: BootInstant, unless flag: StopFlag) async -> Bool {
    while !flag.isSet {
      let wait = state.withLock { $0.take(units, now: .now) }
      if wait == 0 { return true }
      guard sendBefore.secondsFromNow > wait else { return false }
      await flag.sleep(seconds: max(wait, 0.002))
    }
    return false
  }

  func throttled() { state.withLock { $0.throttled(now: .now) } }

  func shareChanged(_ share: Double?) { state.withLock { $0.shareChanged(share, now: .now) } }

  /// Units a second now; nil = as fast as it goes.
  var rate: Double? { state.withLock { $0.rate(.now) } }
}
