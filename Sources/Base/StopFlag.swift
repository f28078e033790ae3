import Synchronization

/// A flag that goes up once and is read often, from any thread.
public final class StopFlag: Sendable {
  private let isUp = Atomic<Bool>(false)

  public init() {}

  public var isSet: Bool { isUp.load(ordering: .acquiring) }
  public func set() { isUp.store(true, ordering: .releasing) }
}
