import Synchronization

/// A flag that goes up once and is read often, from any thread.
public final class StopFlag: Sendable {
  private let isUp = Atomic<Bool>(false)
  private let other: StopFlag?

  /// - Parameter other: as long as this one is up, so is the new one.
  public init(or other: StopFlag? = nil) { self.other = other }

  /// Whether it is up.
  public var isSet: Bool { isUp.load(ordering: .acquiring) || other?.isSet == true }
  /// Raises it, for good.
  public func set() { isUp.store(true, ordering: .releasing) }

  /// Sleeps so many seconds, or until a twentieth of a second after the flag went up.
  public func sleep(seconds: Double) async {
    let end = BootInstant.now.advanced(seconds: seconds)
    while !isSet, end > .now {
      try? await Task.sleep(nanoseconds: UInt64(max(min(end.secondsFromNow, 0.05), 0.001) * 1e9))
      if Task.isCancelled { return }
    }
  }
}
