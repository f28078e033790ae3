import Base
import Providers
import Store

/// What holds one lane back: its credential's rate, its launch's, its credential's day.
struct LanePace: Sendable {
  let credential: Pace
  let launch: Pace?
  let day: DayAllowance?
  let unit: PaceRules.Unit

  /// Whether requests may be made, after waiting for their turn.
  enum Turn: Equatable, Sendable {
    case now
    /// The lane stopped, or the send deadline passed first.
    case tooLate
    /// The day's requests are spent: nothing more for so many seconds.
    case nextDay(after: Double)
  }

  /// Waits until so many requests with so many messages may go.
  func take(
    _ kind: DayRequest = .sending, requests: Int, messages: Int, sendBefore: BootInstant, unless flag: StopFlag
  ) async throws -> Turn {
    if let launch, !(await launch.take(messages, sendBefore: sendBefore, unless: flag)) { return .tooLate }
    let units = unit == .requests ? requests : messages
    guard await credential.take(units, sendBefore: sendBefore, unless: flag) else { return .tooLate }
    if let day {
      for _ in 0..<requests {
        if let wait = try await day.take(kind) { return .nextDay(after: wait) }
      }
    }
    return .now
  }
}
