import Glibc

/// One value behind one lock.
///
/// Decide under the lock, act after it: never resume a continuation, call a closure that isn't yours or enter C
/// while it is held. A pthread mutex rather than `Mutex`: ThreadSanitizer of Swift 6.3 on Linux does not see the
/// latter and reports races that are none, and both cost some 20 ns when nobody waits.
public final class Guarded<Value>: @unchecked Sendable {
  // Owner of `value`: whoever holds `lock`.
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  /// - Parameter value: nobody else may hold a reference into it afterwards.
  public init(_ value: sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` with the value, alone.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
