public import Base

/// Whether this process still hands anything new to the network. The first signal asks to stop; nothing undoes it.
public final class StopState: Sendable {
  private enum Sleeper {
    case notYetAsleep
    case asleep(UnsafeContinuation<Void, Never>)
  }

  private struct State {
    var isStopping = false
    var leaveBy: BootInstant?
    var sleepers: [UInt64: Sleeper] = [:]
    var next: UInt64 = 0
  }

  private let state = Guarded(State())
  /// Read by pools before each request; set together with the state.
  public let flag = StopFlag()

  /// Seconds from the first signal until the process leaves.
  public let grace: Double
  /// So many of them are left for writing down what the database can't be told: a try that began before may take as
  /// long, 10 s to connect and the pauses before it.
  private static let lastSeconds = 15.0

  /// - Parameter grace: seconds from the first signal until the process leaves.
  public init(grace: Double = 45) { self.grace = grace }

  /// Whether there is still time to finish something.
  var mayStay: Bool { state.withLock { $0.leaveBy.map { $0 > .now } ?? true } }

  /// Whether the process was asked to stop.
  public var isStopping: Bool { flag.isSet }

  /// From now on: no new window, no new request.
  public func stop() {
    flag.set()
    let sleepers = state.withLock { state in
      state.isStopping = true
      state.leaveBy = state.leaveBy ?? BootInstant.now.advanced(seconds: max(grace - Self.lastSeconds, 0))
      defer { state.sleepers.removeAll() }
      return Array(state.sleepers.values)
    }
    for case .asleep(let continuation) in sleepers { continuation.resume() }
  }

  /// Sleeps for `seconds`, or until somebody asks to stop.
  public func sleep(seconds: Double) async {
    guard seconds > 0 else { return }
    let id = state.withLock { state in
      state.next += 1
      state.sleepers[state.next] = .notYetAsleep
      return state.next
    }
    let alarm = Task { [self] in
      try? await Task.sleep(nanoseconds: UInt64(min(seconds, 86_400) * 1e9))
      wake(id)
    }
    await withUnsafeContinuation { continuation in
      let isOver = state.withLock { state in
        // The alarm may have rung, or stop been asked for, before we got here.
        guard !state.isStopping, state.sleepers[id] != nil else { return true }
        state.sleepers[id] = .asleep(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
    alarm.cancel()
    state.withLock { _ = $0.sleepers.removeValue(forKey: id) }
  }

  private func wake(_ id: UInt64) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
    if case .asleep(let continuation) = sleeper { continuation.resume() }
  }
}
