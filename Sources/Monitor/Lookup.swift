import Base

/// Something that is read from the database when somebody asks: by one reader at a time, at most once a second however
/// many ask, and nobody waits for it longer than a few seconds.
final class Lookup<Value: Sendable>: Sendable {

  struct Found: Sendable {
    /// The latest that could be read; nil before there is one.
    var value: Value?
    /// Why it isn't of this moment.
    var problem: String?
  }

  private struct State {
    var found = Found()
    var readAt: BootInstant?
    var isReading = false
  }

  private let state = Guarded(State())
  private let freshness: Double
  private let patience: Double
  private let read: @Sendable () async throws -> Value

  /// - Parameters:
  ///   - freshness: seconds that a value is good for.
  ///   - patience: seconds that anybody waits.
  init(freshness: Double = 1, patience: Double = 4, _ read: @escaping @Sendable () async throws -> Value) {
    self.freshness = freshness
    self.patience = patience
    self.read = read
  }

  func current() async -> Found {
    let deadline = BootInstant.now.advanced(seconds: patience)
    let asked = BootInstant.now
    let mustRead = state.withLock { state in
      guard !state.isReading else { return false }
      if let readAt = state.readAt, readAt.advanced(seconds: freshness) >= asked { return false }
      state.isReading = true
      return true
    }
    if mustRead { Task { await renew() } }
    while deadline > .now {
      let state = state.withLock { $0 }
      if !state.isReading { return state.found }
      try? await Task.sleep(nanoseconds: 10_000_000)
    }
    let stale = state.withLock { $0.found.value }
    return Found(value: stale, problem: "the database does not answer")
  }

  private func renew() async {
    let result: Result<Value, any Error>
    do { result = .success(try await read()) } catch { result = .failure(error) }
    state.withLock { state in
      switch result {
      case .success(let value): state.found = Found(value: value)
      case .failure(let error): state.found.problem = "\(error)"
      }
      state.readAt = .now
      state.isReading = false
    }
  }
}
