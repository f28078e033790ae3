internal import Base

/// A page on its way: the results that are in, and who waits for them. Confined to the pool's thread.
final class PageRun {
  let id: PoolState.PageID
  let page: RequestPage
  let sendBefore: BootInstant
  let flag: StopFlag?
  private let onAnswer: (@Sendable (_ request: Int, Answer) -> Void)?
  /// Nil when the set's lines can't be sent.
  let headers: HeaderList?
  private let continuation: UnsafeContinuation<[ExchangeResult], Never>
  private var results: [ExchangeResult]
  private(set) var missing: Int

  init(_ arrival: PoolMailbox.Arrival, headers: HeaderList?) {
    id = arrival.id
    page = arrival.page
    sendBefore = arrival.sendBefore
    flag = arrival.flag
    onAnswer = arrival.onAnswer
    continuation = arrival.continuation
    self.headers = headers
    results = page.requests.map { _ in ExchangeResult(exchange: .notSent(.stopped), handedOver: 0) }
    missing = results.count
  }

  var isComplete: Bool { missing == 0 }

  /// Each index once.
  func complete(_ index: Int, with result: ExchangeResult) {
    results[index] = result
    missing -= 1
    if case .answered(let answer) = result.exchange { onAnswer?(index, answer) }
  }

  func resume() { continuation.resume(returning: results) }
}
