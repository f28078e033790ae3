/// Told of one page's requests on the pool's thread, which stands still meanwhile: it must not wait for anything.
public protocol PageWitness: Sendable {
  /// Right before these requests may be given to the network.
  /// - Returns: false when they must not be; they end as `.notSent(.stopped)`.
  func handingOver(_ requests: Range<Int>) -> Bool

  /// These requests ended, before the next ones are handed over. Only those that `handingOver` was asked about.
  func ended(_ results: [(request: Int, result: ExchangeResult)])
}
