import Base

/// How a lane behaves when no connection can be made: it waits longer each time, and gives up in the end, so that
/// every run ends by itself.
struct ConnectionHealth: Sendable, Equatable {
  /// Without a single answer since the start, so many failures are enough: a wrong address, a closed port.
  static let failuresBeforeFirstAnswer = 4
  /// After that, an outage may last so long.
  static let longestOutage = 600.0

  enum Action: Equatable, Sendable {
    case wait(seconds: Double)
    case giveUp
  }

  private var hasAnswered = false
  private var failures = 0
  private var since: BootInstant?

  mutating func answered() {
    hasAnswered = true
    failures = 0
    since = nil
  }

  mutating func failed(now: BootInstant) -> Action {
    failures += 1
    let began = since ?? now
    since = began
    if hasAnswered ? now > began.advanced(seconds: Self.longestOutage) : failures >= Self.failuresBeforeFirstAnswer {
      return .giveUp
    }
    return .wait(seconds: min(0.5 * Double(1 << min(failures - 1, 7)), 60))
  }
}
