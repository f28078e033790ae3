import Synchronization

/// A flag that goes up once and is read often, from any thread.
public final class StopFlag: Sendable {
  private let isUp = Atomic<Bool>(false)
  private let other: StopFlag?

  /// - Parameter other: as long as this one is up, so is the new one.
  public init(or other: StopFlag? = nil) { self.other = other }

  public var isSet: Bool { isUp.load(ordering: .acquiring) || other?.isSet == true }
  public func set() { isUp.store(true, ordering: .releasing) }
}
