import Base
import Campaign

/// Decides what a message does that the provider did not take this time.
struct RetryPolicy: Sendable, Equatable {
  /// Waits up to so many seconds are done inside the window; longer ones leave it.
  static let longestWaitInWindow = 5.0

  /// Requests that one window attempt may make of a message.
  var requestBudget: Int
  /// Attempts by deferral.
  var attempts: Int
  /// This window's attempt, from 1.
  var attempt: Int
  /// When the message is worth nothing any more; nil = never.
  var expiresAt: EpochMilliseconds?
  /// Now or never (`ttl` 0): a message that is not taken at once is not deferred.
  var isNowOrNever = false

  enum Decision: Equatable, Sendable {
    /// The same window, after so many seconds.
    case again(after: Double)
    /// A retry chunk carries it on, not before then.
    case postpone(until: EpochMilliseconds)
    /// Its time or its tries ran out before the provider took it.
    case expire(reason: String)
  }

  /// - Parameters:
  ///   - after: seconds the provider asked to wait, or our own back-off.
  ///   - requests: requests made of it in this window so far.
  ///   - windowLeft: seconds until the window may hand over nothing more.
  func notTaken(after: Double, requests: Int, now: EpochMilliseconds, windowLeft: Double) -> Decision {
    let due = now.adding(seconds: after)
    if let expiresAt, due >= expiresAt { return .expire(reason: "deadline") }
    if after <= Self.longestWaitInWindow, after < windowLeft, requests < requestBudget {
      return .again(after: after)
    }
    if isNowOrNever { return .expire(reason: "deadline") }
    if attempt >= attempts { return .expire(reason: "tries") }
    return .postpone(until: due)
  }

  /// True when nothing should be sent at all any more.
  func isExpired(now: EpochMilliseconds) -> Bool {
    if let expiresAt { now >= expiresAt } else { false }
  }
}

extension RetryPolicy {
  /// The rules of one attempt in a channel's lane.
  init(launch: Launch, channel: Channel, attempt: Int) {
    let ttl = launch.content.timeToLive(channel: channel.settings, account: launch.account.settings)
    var expiresAt = launch.notAfter
    if let ttl, ttl > 0, let liveFrom = launch.liveFrom {
      let end = EpochMilliseconds(liveFrom.value + ttl)
      expiresAt = expiresAt.map { min($0, end) } ?? end
    }
    self.init(
      requestBudget: launch.options.requestBudget, attempts: launch.options.attempts, attempt: attempt,
      expiresAt: expiresAt, isNowOrNever: ttl == 0)
  }
}
