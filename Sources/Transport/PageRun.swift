internal import Base

/// A page on its way: the results that are in, and who waits for them. Confined to the pool's thread.
final class PageRun {
  let id: PoolState.PageID
  let page: RequestPage
  let sendBefore: BootInstant
  let flag: StopFlag?
  private let witness: (any PageWitness)?
  /// Nil when the set's lines can't be sent.
  let headers: HeaderList?
  private let continuation: UnsafeContinuation<[ExchangeResult], Never>
  private var results: [ExchangeResult]
  private(set) var missing: Int
  /// Ended since the witness was told last.
  private var news: [(request: Int, result: ExchangeResult)] = []

  init(_ arrival: PoolMailbox.Arrival, headers: HeaderList?) {
    id = arrival.id
    page = arrival.page
    sendBefore = arrival.sendBefore
    flag = arrival.flag
    witness = arrival.witness
    continuation = arrival.continuation
    self.headers = headers
    results = page.requests.map { _ in ExchangeResult(exchange: .notSent(.stopped), handedOver: 0) }
    missing = results.count
  }

  var isComplete: Bool { missing == 0 }

  /// Each index once.
  /// - Parameter isNews: whether the witness was asked about it and must hear its end.
  func complete(_ index: Int, with result: ExchangeResult, isNews: Bool) {
    results[index] = result
    missing -= 1
    if isNews, witness != nil { news.append((index, result)) }
  }

  /// Asked right before they may be given to the network.
  func mayStart(_ requests: Range<Int>) -> Bool { witness?.handingOver(requests) ?? true }

  func tellWitness() {
    guard !news.isEmpty else { return }
    witness?.ended(news)
    news.removeAll(keepingCapacity: true)
  }

  func resume() { continuation.resume(returning: results) }
}
