import Base

/// How long to leave a server alone that can't be reached: up to 0.2 s after the first failure, doubled by each further
/// one, at most 3 s; a random half of it, so that runners don't come back all at once.
struct ReconnectPause {
  private static let longest = 3.0

  /// Seconds that the next failure costs at most.
  private var next = 0.2
  /// No try before.
  private(set) var until = BootInstant(nanoseconds: 0)

  /// - Parameter jitter: 0…1.
  mutating func connectFailed(at now: BootInstant, jitter: Double) {
    until = now.advanced(seconds: next * (0.5 + jitter / 2))
    next = min(next * 2, Self.longest)
  }

  mutating func connected() { self = ReconnectPause() }
}
