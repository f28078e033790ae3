import Synchronization

/// A number that only grows, from any thread.
public final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  /// From 0 on.
  public init() {}

  /// What was added so far.
  public var value: Int { count.load(ordering: .relaxed) }

  /// - Parameter amount: never negative.
  public func add(_ amount: Int = 1) {
    if amount > 0 { count.wrappingAdd(amount, ordering: .relaxed) }
  }
}
