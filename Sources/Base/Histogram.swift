/// How many values fell below which bounds, and their sum.
public final class Histogram: Sendable {
  struct State: Sendable {
    let bounds: [Double]
    /// One a bound, each without those below it, and one for what is larger than all of them.
    var counts: [Int]
    var sum = 0.0
  }

  private let values: Guarded<State>

  /// - Parameter bounds: upper bounds of the buckets, ascending, themselves included.
  init(bounds: [Double]) {
    values = Guarded(State(bounds: bounds, counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  var state: State { values.withLock { $0 } }

  /// Takes in as many values as there are, at once.
  public func observe(_ values: some Sequence<Double>) {
    self.values.withLock { state in
      for value in values {
        let bucket = state.bounds.firstIndex { value <= $0 } ?? state.bounds.count
        state.counts[bucket] += 1
        state.sum += value
      }
    }
  }

  /// Takes in one value.
  public func observe(_ value: Double) { observe(CollectionOfOne(value)) }
}
