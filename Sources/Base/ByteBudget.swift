/// A number of bytes that readers of rows borrow from before they read, and give back when their window is closed.
/// First come, first served, so nobody starves; one borrower larger than the whole budget gets all of it.
public final class ByteBudget: Sendable {
  private struct State {
    var free: Int
    var waiting: [(bytes: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  /// The whole budget, in bytes.
  public let capacity: Int
  private let state: Guarded<State>

  /// All of it free.
  /// - Parameter bytes: the whole budget.
  public init(bytes: Int) {
    capacity = bytes
    state = Guarded(State(free: bytes))
  }

  /// Borrowers in the queue.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits until `bytes` are free and takes them. Borrow once for all you need: holding some while waiting for
  /// more could leave everybody waiting.
  public func borrow(_ bytes: Int) async -> Int {
    let wanted = min(bytes, capacity)
    await withUnsafeContinuation { continuation in
      let isFree = state.withLock { state in
        if state.waiting.isEmpty && state.free >= wanted {
          state.free -= wanted
          return true
        }
        state.waiting.append((wanted, continuation))
        return false
      }
      if isFree { continuation.resume() }
    }
    return wanted
  }

  /// Gives back what `borrow` returned.
  public func giveBack(_ bytes: Int) {
    let ready = state.withLock { state in
      state.free += bytes
      var ready: [UnsafeContinuation<Void, Never>] = []
      while let first = state.waiting.first, first.bytes <= state.free {
        state.free -= first.bytes
        ready.append(first.continuation)
        state.waiting.removeFirst()
      }
      return ready
    }
    for continuation in ready { continuation.resume() }
  }
}
