import Base
import Campaign
import Providers
import Store
import Transport

/// Runs one open window: slices side by side, retries inside its time, until every message has its verdict.
struct Window: Sendable {
  /// How often one message may be given new authorization or refused unprocessed before a retry chunk takes it.
  static let patience = 4

  let lane: PreparedLane
  let control: LaneControl
  let log: Log
  let page: RecipientPage
  let rows: Range<Int>
  let lease: ChunkLease
  let open: OpenWindow
  let journal: WindowJournal?
  /// Tells other runners that the provider asked the lane to wait.
  let recordCooling: @Sendable (EpochMilliseconds) async -> Void

  private struct Batch: Sendable {
    var messages: [Int]
    /// Seconds to wait first.
    var after = 0.0
    /// Refused with these: renew first.
    var refused: HeaderSet?
    /// How it was refused.
    var refusal: MessageVerdict?
  }

  private enum Outcome: Sendable {
    case report(SliceSender.Report)
    case stop(LaneStop)
  }

  /// Sends the window.
  /// - Parameters:
  ///   - skip: keys the plan found to be duplicates.
  ///   - older: keys of devices that aren't their profile's most recent.
  /// - Returns: what to write.
  func run(skip: Set<RecipientKey>, older: Set<RecipientKey> = []) async -> WindowClose {
    var state = WindowState(keys: page.rows[rows].map(\.key), policy: lane.policy(attempt: Int(lease.attempt)))
    let waiting = closeLocally(&state, skip: skip, older: older)
    control.windowOpened()
    await send(waiting, &state)
    let decision = await control.windowSent(holdsRetirements: state.held > 0)
    return state.result(
      decision: decision, tokens: token(of:), variant: lane.variant(of:), now: .now)
  }

  private func token(of message: Int) -> String {
    String(decoding: page.bytes[page.rows[rows.lowerBound + message].token.range], as: UTF8.self)
  }

  /// Closes what is not sent at all: duplicates, subscriptions that are no longer active, what came too late.
  private func closeLocally(
    _ state: inout WindowState, skip: Set<RecipientKey>, older: Set<RecipientKey>
  ) -> [Int] {
    let isExpired = lane.policy(attempt: Int(lease.attempt)).isExpired(now: .now)
    var waiting: [Int] = []
    var skipped: [String: [Int]] = [:]
    waiting.reserveCapacity(rows.count)
    for (message, row) in page.rows[rows].enumerated() {
      if let reason = row.reasonToSkip(duplicates: skip, older: older) {
        skipped[reason, default: []].append(message)
      } else if isExpired {
        state.expired(message)
      } else {
        waiting.append(message)
      }
    }
    for (reason, messages) in skipped {
      for message in messages { state.skipped(message, reason: reason) }
      // Or, with an answered message after it, it would get an attempt of its own after a crash.
      journal?.skipped(messages, reason: reason)
    }
    return waiting
  }

  private func send(_ waiting: [Int], _ state: inout WindowState) async {
    let sender = SliceSender(
      lane: lane, control: control, page: page, firstRow: rows.lowerBound, windowID: open.id,
      sendBefore: open.sendBefore, journal: journal)
    var tries: [Int: Int] = [:]
    await withTaskGroup(of: Outcome.self) { group in
      func start(_ batch: Batch) {
        group.addTask { await perform(batch, sender) }
      }
      var at = 0
      while at < waiting.count {
        let end = min(at + lane.sizing.slice, waiting.count)
        start(Batch(messages: Array(waiting[at..<end])))
        at = end
      }
      while let outcome = await group.next() {
        switch outcome {
        case .stop(let stop): control.stop(stop)
        case .report(let report):
          for batch in apply(report, &state, &tries) {
            lane.metrics.retried(batch.messages.count)
            start(batch)
          }
          if let until = control.takeToldCooling() { await recordCooling(until) }
        }
      }
    }
  }

  private func perform(_ batch: Batch, _ sender: SliceSender) async -> Outcome {
    await control.flag.sleep(seconds: batch.after)
    guard !control.flag.isSet else { return .report(SliceSender.Report()) }
    do {
      if let refused = batch.refused, try await lane.access.refused(refused) == nil {
        return .stop(LaneStop(refusedAgain: batch.refusal, by: lane.adapter, of: lane.channel))
      }
      return .report(try await sender.send(batch.messages))
    } catch let error as StoreError where error.code == .away {
      // Nothing of it was handed over: it belongs to the next window, which opens when the database is back.
      return .report(SliceSender.Report())
    } catch {
      return .stop(LaneStop(noAccess: error, of: lane.channel))
    }
  }

  /// Feeds a report to the state and gathers what must be sent again.
  private func apply(
    _ report: SliceSender.Report, _ state: inout WindowState, _ tries: inout [Int: Int]
  ) -> [Batch] {
    var again: [Double: [Int]] = [:]
    var refused: [Int] = []
    var refusal: MessageVerdict?
    var unreachable: String?
    var verdicts: [MessageVerdict] = []
    let now = EpochMilliseconds.now
    let left = open.sendBefore.secondsFromNow

    func tryAgain(_ message: Int, handedOver: Int, _ reason: String) {
      state.notTaken(message, handedOver: handedOver, reason: reason)
      tries[message, default: 0] += 1
      if tries[message, default: 0] > Self.patience {
        state.givenUp(message, now: now)
      } else {
        // A refused stream means that this connection goes: 0.2 s, 0.4 s … give the next one time to come up.
        again[0.1 * Double(1 << min(tries[message, default: 1], 5)), default: []].append(message)
      }
    }

    for event in report.events {
      if let uid = event.uid { state.rendered(event.message, uid: uid, inbox: event.inbox) }
      switch event.kind {
      case .rejected(let reason, let detail): state.rejected(event.message, reason: reason, detail: detail)
      case .notSent(.refused(let reason), let handedOver):
        tryAgain(event.message, handedOver: handedOver, reason)
      case .notSent(.unreachable(let reason), let handedOver):
        state.notTaken(event.message, handedOver: handedOver, reason: "unreachable")
        unreachable = reason
      case .notSent(.untrusted(let reason), let handedOver):
        state.notTaken(event.message, handedOver: handedOver, reason: "untrusted")
        control.stop(LaneStop(untrusted: reason, by: lane.pool.configuration))
      case .notSent(.certificateRefused(let reason), let handedOver):
        state.notTaken(event.message, handedOver: handedOver, reason: "certificate")
        control.stop(LaneStop(refusedCertificate: reason, of: lane.channel, by: lane.pool.configuration))
      case .notSent(.stopped, let handedOver), .notSent(.deadline, let handedOver):
        state.notTaken(event.message, handedOver: handedOver, reason: "not_handed_over")
      case .verdict(let verdict, let handedOver):
        verdicts.append(verdict)
        switch state.verdictArrived(event.message, verdict, handedOver: handedOver, now: now, windowLeft: left) {
        case .nothing: break
        case .again(let after): again[after, default: []].append(event.message)
        case .refreshAccess:
          tries[event.message, default: 0] += 1
          if tries[event.message, default: 0] > Self.patience {
            state.givenUp(event.message, now: now)
          } else {
            refused.append(event.message)
            refusal = verdict
          }
        case .cool(let until, let after):
          control.toldToCool(until: until, by: verdict.answerWords)
          lane.pace.credential.throttled()
          if let after { again[after, default: []].append(event.message) }
        case .stopLane(let isCredential):
          control.stop(LaneStop(refusal: verdict, isCredential: isCredential, of: lane.channel))
        }
      }
    }
    if let unreachable {
      control.unreachable(LaneStop(unreachable: unreachable, by: lane.pool.configuration))
    } else if verdicts.contains(where: { $0.httpStatus != nil }) {
      control.answered()
    }
    control.arrived(verdicts)
    if let headers = report.headers, verdicts.contains(where: \.countsForBreaker) { lane.access.accepted(headers) }
    var batches = again.map { after, messages in
      // Up to a tenth later, so that a refused wave doesn't come back as one.
      Batch(messages: messages.sorted(), after: after * Double.random(in: 1...1.1))
    }
    if let headers = report.headers, !refused.isEmpty {
      batches.append(Batch(messages: refused, refused: headers, refusal: refusal))
    }
    return batches
  }
}

extension MessageVerdict {
  /// `HTTP 429 QUOTA_EXCEEDED`: what was answered, in short.
  fileprivate var answerWords: String {
    [httpStatus.map { "HTTP \($0)" }, providerCode].compactMap { $0 }.joined(separator: " ")
  }
}

extension Recipient {
  /// Why nothing is sent to it; nil when something is.
  func reasonToSkip(duplicates: Set<RecipientKey>, older: Set<RecipientKey>) -> String? {
    switch state {
    case .retired: "retired"
    case .unsubscribed: "unsubscribed"
    case .gone: "gone"
    case .active: duplicates.contains(key) ? "duplicate" : older.contains(key) ? "not_most_recent" : nil
    }
  }
}
