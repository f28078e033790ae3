import Glibc

/// One thread with a mailbox: where blocking calls (libpq, file writes) live.
///
/// Work runs in the order in which it was handed in. The cooperative pool has as many threads as cores, so a
/// blocking call there would stop a share of the program.
public final class Worker: Sendable {
  private let mailbox = Mailbox()

  /// Starts the thread.
  /// - Parameter name: as shown by `ps -L` and `top -H`; the first 15 bytes count.
  public init(name: String) {
    mailbox.start(name: name)
  }

  deinit {
    mailbox.close()
  }

  /// Runs `body` on the thread and waits for it without blocking the caller's.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      mailbox.append {
        let result = Swift.Result { try body() }
        continuation.resume(with: result)
      }
    }
  }

  /// Hands `body` over and goes on.
  public func post(_ body: @escaping @Sendable () -> Void) {
    mailbox.append(body)
  }
}

/// The queue and the thread that empties it; outlives the `Worker` until the thread has left.
private final class Mailbox: @unchecked Sendable {
  // Owner of `queue` and `isClosed`: whoever holds `mutex`.
  private var queue: [@Sendable () -> Void] = []
  private var isClosed = false
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func start(name: String) {
    let thread = Thread(name: name) { self.loop() }
    thread.start()
  }

  func append(_ job: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    queue.append(job)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  private func loop() {
    while true {
      pthread_mutex_lock(mutex)
      while queue.isEmpty && !isClosed { pthread_cond_wait(condition, mutex) }
      let jobs = queue
      queue.removeAll()
      let isLast = isClosed
      pthread_mutex_unlock(mutex)
      for job in jobs { job() }
      if isLast && jobs.isEmpty { return }
    }
  }
}
