internal import CLibpq

/// Asks the server to cancel whatever a connection is running.
///
/// `@unchecked`: libpq makes PGcancel for being used from any thread; it is never changed, and freed by the last owner.
final class CancelToken: @unchecked Sendable {
  private let pointer: OpaquePointer?

  init(connection: OpaquePointer) { pointer = PQgetCancel(connection) }

  deinit { PQfreeCancel(pointer) }

  /// Blocks until the server has signalled the session. A session that runs nothing ignores it.
  func fire() {
    var reason = [CChar](repeating: 0, count: 256)
    // Nothing to do about a failure: the statement ends by its own time limit then.
    _ = PQcancel(pointer, &reason, Int32(reason.count))
  }
}
