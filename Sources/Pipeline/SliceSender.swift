import Base
import Campaign
import Providers
import Rendering
import Transport

/// Takes messages of a window from rows to verdicts: render, batch, send, read the answers.
struct SliceSender: Sendable {
  let lane: PreparedLane
  let control: LaneControl
  let page: RecipientPage
  /// Index into `page.rows` of the window's first message.
  let firstRow: Int
  let windowID: Int64
  let sendBefore: BootInstant
  let journal: WindowJournal?

  /// What one message of the slice met. `message` is its index in the window.
  struct Event: Sendable {
    enum Kind: Sendable {
      case rejected(reason: String, detail: String?)
      case verdict(MessageVerdict, handedOver: Int)
      case notSent(NotSent, handedOver: Int)
    }
    let message: Int
    let uid: String?
    /// The message's row of the notification centre.
    var inbox: String?
    let kind: Kind

    init(message: Int, uid: String?, inbox: String? = nil, kind: Kind) {
      self.message = message
      self.uid = uid
      self.inbox = inbox
      self.kind = kind
    }

    init(_ refusal: SliceRendering.Refusal, uid: String?) {
      self.init(message: refusal.message, uid: uid, kind: .rejected(reason: refusal.reason, detail: refusal.detail))
    }
  }

  struct Report: Sendable {
    var events: [Event] = []
    /// What the requests were authorised with; nil when none was made.
    var headers: HeaderSet?
  }

  /// Sends these messages of the window, once each.
  /// - Throws: when no authorization can be had.
  func send(_ messages: [Int]) async throws -> Report {
    var report = Report()
    let rendering = SliceRendering(messages, of: page, firstRow: firstRow, by: lane)
    let (input, slice, indices) = (rendering.input, rendering.slice, rendering.indices)
    report.events += rendering.refusals.map { Event($0, uid: nil) }
    guard !slice.messages.isEmpty else { return report }

    let headers = try await lane.access.current()
    let batch = lane.adapter.requests(for: slice, input: input, headers: headers, requestKey: windowID)
    report.headers = headers
    func uid(_ message: Int) -> String {
      String(decoding: slice.bytes[slice.messages[message].uid.range], as: UTF8.self)
    }
    func inbox(_ message: Int) -> String? {
      slice.messages[message].inbox.map { String(decoding: slice.bytes[$0.range], as: UTF8.self) }
    }
    for large in batch.tooLarge {
      report.events.append(
        Event(rendering.refusal(of: large, limit: lane.adapter.limits.payload), uid: uid(large.message)))
    }
    let turn = try await lane.pace.take(
      requests: batch.spans.count, messages: batch.spans.reduce(0) { $0 + $1.messages.count }, sendBefore: sendBefore,
      unless: control.flag)
    guard turn == .now else {
      // Without a word to other runners: each one asks for itself how much of the day is left.
      if case .nextDay(let after) = turn { control.cool(until: EpochMilliseconds.now.adding(seconds: after)) }
      for span in batch.spans {
        for message in span.messages {
          report.events.append(
            Event(
              message: indices[slice.messages[message].input], uid: nil, kind: .notSent(.deadline, handedOver: 0)))
        }
      }
      return report
    }
    let witness = SliceWitness(
      lane: lane, control: control, batch: batch, messages: slice.messages.map { indices[$0.input] }, journal: journal)
    lane.metrics.handedOver(batch.spans.count)
    let results = await lane.pool.send(batch.page, sendBefore: sendBefore, unless: control.flag, witness: witness)
    lane.metrics.returned(results)
    let now = EpochMilliseconds.now
    report.events.reserveCapacity(report.events.count + slice.messages.count)
    for (span, result) in zip(batch.spans, results) {
      if case .notSent(let reason) = result.exchange {
        for message in span.messages {
          report.events.append(
            Event(
              message: indices[slice.messages[message].input], uid: uid(message),
              kind: .notSent(reason, handedOver: result.handedOver)))
        }
        continue
      }
      let verdicts = lane.adapter.verdicts(for: result.exchange, of: span, in: batch, now: now)
      for (message, verdict) in zip(span.messages, verdicts) {
        report.events.append(
          Event(
            message: indices[slice.messages[message].input], uid: uid(message), inbox: inbox(message),
            kind: .verdict(verdict, handedOver: result.handedOver)))
      }
    }
    return report
  }
}
