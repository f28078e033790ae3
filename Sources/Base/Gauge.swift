import Synchronization

/// A number that goes up and down, from any thread.
public final class Gauge: Sendable {
  private let current = Atomic<Int>(0)

  /// At 0.
  public init() {}

  /// What it was last set to, and what was added since.
  public var value: Int { current.load(ordering: .relaxed) }

  /// Replaces the value, whatever was added before.
  public func set(_ value: Int) { current.store(value, ordering: .relaxed) }

  /// - Parameter amount: negative to go down.
  public func add(_ amount: Int) { current.wrappingAdd(amount, ordering: .relaxed) }
}
