import Synchronization

/// A number that only grows, from any thread.
public final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  public init() {}

  public var value: Int { count.load(ordering: .relaxed) }

  /// - Parameter amount: never negative.
  public func add(_ amount: Int = 1) {
    if amount > 0 { count.wrappingAdd(amount, ordering: .relaxed) }
  }
}
