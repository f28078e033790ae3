internal import CLinux
import Glibc

/// A detached POSIX thread that runs one closure and ends.
public struct Thread: Sendable {
  private let name: String
  private let body: @Sendable () -> Void

  /// Starts nothing yet.
  /// - Parameter name: what `top -H` shows; its first 15 characters count.
  public init(name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  /// Starts it. Should the system have no thread left, the closure runs on the caller's thread: slower, not lost.
  public func start() {
    let box = Unmanaged.passRetained(Box(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        let box = Unmanaged<Box>.fromOpaque(raw).takeRetainedValue()
        clinux_set_thread_name(String(box.name.prefix(15)))
        box.body()
        return nil
      }, box.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      box.takeRetainedValue().body()
    }
  }

  private final class Box: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}
