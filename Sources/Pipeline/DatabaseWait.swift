import Base
import Store

/// Waits out a database that went away while a launch is sent: nothing new begins, what is in flight ends, and its
/// results are kept until they can be written. One for all lanes, so that an outage is told once.
final class DatabaseWait: Sendable {
  /// Seconds a runner holds out before it leaves.
  static let longest = 600.0

  /// What is being done.
  enum Matter: Sendable {
    /// Something new: not begun once the process is asked to stop.
    case new
    /// Results: kept as long as the process may stay.
    case results
  }

  private let stop: StopState
  private let log: Log
  private let isAway = Guarded(false)

  init(stop: StopState, log: Log) {
    self.stop = stop
    self.log = log
  }

  /// Does it as soon as the database is there.
  /// - Parameter body: told whether an earlier try may have been done without our knowing.
  /// - Throws: what `body` throws; `StoreError` `.away` when it was in vain.
  func patiently<Result: Sendable>(
    _ matter: Matter, _ body: (_ isRepeated: Bool) async throws -> Result
  ) async throws -> Result {
    let since = BootInstant.now
    var tries = 0
    while true {
      do {
        let result = try await body(tries > 0)
        if tries > 0 { told(isAway: false, "the database is back") }
        return result
      } catch let error as StoreError where error.code == .away {
        guard mayWait(matter, since: since) else { throw error }
        told(isAway: true, "\(error); nothing new is sent until it is back, results are kept")
        // 0.2 s, doubled up to 3 s, a random half less, so that runners don't come back all at once.
        let seconds = min(0.2 * Double(1 << min(tries, 4)), 3) * Double.random(in: 0.5...1)
        tries += 1
        try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
      }
    }
  }

  private func mayWait(_ matter: Matter, since: BootInstant) -> Bool {
    switch matter {
    case .new: !stop.isStopping && since.advanced(seconds: Self.longest) > .now
    case .results: stop.mayStay && since.advanced(seconds: Self.longest) > .now
    }
  }

  private func told(isAway: Bool, _ words: String) {
    let isNews = self.isAway.withLock { wasAway in
      defer { wasAway = isAway }
      return wasAway != isAway
    }
    if isNews { log.warning(words) }
  }
}
