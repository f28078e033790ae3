import Base
import Glibc

/// The way from a cancelled task to the server for one `Database.run`.
///
/// Two things would go wrong without it: a request that reaches the server between two statements is ignored there, so
/// it is repeated until the run ends; and one still under way when the run ends could hit the next user's statement,
/// so the connection isn't handed on before it has come back.
final class Cancellation: Sendable {
  private struct State {
    var token: CancelToken?
    var isRequested = false
    var isFiring = false
    var hasEnded = false
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private static let pauseMicroseconds: useconds_t = 50_000
  private let state = Guarded(State())

  var isRequested: Bool { state.withLock { $0.isRequested } }

  /// The run has its connection.
  /// - Returns: false when it was cancelled before.
  func began(with token: CancelToken) -> Bool {
    state.withLock { state in
      state.token = token
      return !state.isRequested
    }
  }

  /// The task was cancelled. Returns at once: asking the server blocks, so it has a thread for the rare case.
  func request() {
    let token = state.withLock { state in
      state.isRequested = true
      return state.token
    }
    guard let token else { return }
    Thread(name: "pg-cancel") {
      while self.fireBegan() {
        token.fire()
        self.fireEnded()
        usleep(Self.pauseMicroseconds)
      }
    }.start()
  }

  /// The run is over. Returns when nothing is under way any more.
  func ended() async {
    await withUnsafeContinuation { continuation in
      let isFiring = state.withLock { state in
        state.hasEnded = true
        if state.isFiring { state.waiter = continuation }
        return state.isFiring
      }
      if !isFiring { continuation.resume() }
    }
  }

  private func fireBegan() -> Bool {
    state.withLock { state in
      state.isFiring = !state.hasEnded
      return state.isFiring
    }
  }

  private func fireEnded() {
    let waiter = state.withLock { state in
      state.isFiring = false
      return state.waiter
    }
    waiter?.resume()
  }
}
