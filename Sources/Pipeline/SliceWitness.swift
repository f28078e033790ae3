import Base
import Providers
import Transport

/// Watches the requests of one slice on the pool's thread: keeps the window's journal, and stops the lane at the first
/// answer that refuses it as a whole, not when all of the slice are in: a wrong key would be shown to Apple 250 times.
struct SliceWitness: PageWitness {
  let lane: PreparedLane
  let control: LaneControl
  let batch: RequestBatch
  /// The window's numbers of the slice's messages.
  let messages: [Int]
  let journal: WindowJournal?

  func handingOver(_ requests: Range<Int>) -> Bool {
    guard let journal else { return true }
    return journal.handingOver(requests.flatMap { batch.spans[$0].messages.map { messages[$0] } })
  }

  func ended(_ results: [(request: Int, result: ExchangeResult)]) {
    var ends: [(messages: [Int], handedOver: Bool, end: JournalRecord.End)] = []
    for (request, result) in results {
      let span = batch.spans[request]
      switch result.exchange {
      case .answered(let answer):
        // Other statuses stop nothing, or, as Huawei's codes do that travel as 200, not before the slice is through.
        let mayStop = (300..<500).contains(answer.status)
        guard mayStop || journal != nil else { continue }
        let verdicts = lane.adapter.verdicts(for: result.exchange, of: span, in: batch, now: .now)
        if mayStop { stopIfRefused(verdicts) }
        for (message, verdict) in zip(span.messages, verdicts) {
          let end = JournalRecord.End.verdict(verdict)
          if let last = ends.indices.last, ends[last].end == end, ends[last].handedOver == (result.handedOver > 0) {
            ends[last].messages.append(messages[message])
          } else {
            ends.append(([messages[message]], result.handedOver > 0, end))
          }
        }
      case .notSent:
        ends.append((span.messages.map { messages[$0] }, result.handedOver > 0, .notTaken))
      case .unknown:
        // As the journal knows it: handed over, and no answer.
        break
      }
    }
    journal?.ended(ends)
  }

  private func stopIfRefused(_ verdicts: [MessageVerdict]) {
    for verdict in verdicts {
      guard case .stop(let isCredential) = verdict.verdict else { continue }
      return control.stop(LaneStop(refusal: verdict, isCredential: isCredential, of: lane.channel))
    }
  }
}
