import Base
import Campaign
import Providers
import Store

/// What becomes of the messages of one window: pure, fed with what happened, asked what to do.
struct WindowState: Sendable {
  /// Where one message stands.
  enum Phase: Equatable, Sendable {
    /// Not handed over yet, or to be handed over again.
    case waiting
    case settled(Outcome)
    /// The provider called the token dead; the breaker says what comes of it.
    case held
    /// A retry chunk carries it on.
    case postponed(until: EpochMilliseconds)
    /// Taken by a provider that settles later.
    case accepted
  }

  struct Message: Sendable {
    var phase = Phase.waiting
    /// How often it was handed to the network in this window.
    var requests = 0
    var uid: String?
    /// Its row of the notification centre.
    var inbox: String?
    var reason: String?
    var verdict: MessageVerdict?
  }

  /// What the runner must do after a verdict.
  enum Action: Equatable, Sendable {
    case nothing
    /// Send it again after so many seconds.
    case again(after: Double)
    /// Get new authorization, then send it again.
    case refreshAccess
    /// The lane opens no window before then.
    case cool(until: EpochMilliseconds, thenAgainAfter: Double?)
    case stopLane(isCredential: Bool)
  }

  let keys: [RecipientKey]
  private(set) var messages: [Message]
  private let policy: RetryPolicy
  /// One past the last message that was handed over or closed by an answer.
  private(set) var handedOverEnd = 0

  init(keys: [RecipientKey], policy: RetryPolicy) {
    self.keys = keys
    self.policy = policy
    messages = Array(repeating: Message(), count: keys.count)
  }

  // MARK: Events

  /// Closed without sending: duplicate, retired, gone, unsubscribed.
  mutating func skipped(_ index: Int, reason: String) {
    settle(index, .skipped, reason)
  }

  /// A local check refused it: the token stays, the provider never sees it.
  mutating func rejected(_ index: Int, reason: String, detail: String?) {
    settle(index, .rejected, reason)
    messages[index].verdict = MessageVerdict(.reject, reason: reason, detail: detail)
  }

  mutating func expired(_ index: Int) {
    settle(index, .expired, "deadline")
  }

  mutating func rendered(_ index: Int, uid: String, inbox: String? = nil) {
    messages[index].uid = uid
    if let inbox { messages[index].inbox = inbox }
  }

  /// The provider, or the wire, has spoken about one message.
  /// - Parameter handedOver: 1 when this exchange gave it to the network, else 0.
  mutating func verdictArrived(
    _ index: Int, _ verdict: MessageVerdict, handedOver: Int, now: EpochMilliseconds, windowLeft: Double
  ) -> Action {
    messages[index].requests += handedOver
    messages[index].verdict = verdict
    messages[index].reason = verdict.reason
    if handedOver > 0 { handedOverEnd = max(handedOverEnd, index + 1) }
    switch verdict.verdict {
    case .sent:
      settle(index, .sent, verdict.reason)
      return .nothing
    case .accepted:
      messages[index].phase = .accepted
      handedOverEnd = max(handedOverEnd, index + 1)
      return .nothing
    case .retire:
      messages[index].phase = .held
      handedOverEnd = max(handedOverEnd, index + 1)
      return .nothing
    case .reject:
      settle(index, .rejected, verdict.reason ?? "payload")
      return .nothing
    case .unknown:
      settle(index, .unknown, verdict.reason ?? "no_answer")
      return .nothing
    case .retry(let after, let laneWide):
      return retry(index, after: after, laneWide: laneWide, now: now, windowLeft: windowLeft)
    case .refreshAccess:
      messages[index].phase = .waiting
      return .refreshAccess
    case .stop(let isCredential):
      postpone(index, until: now)
      return .stopLane(isCredential: isCredential)
    }
  }

  /// It was refused before it was processed, or no connection was made: known unsent.
  mutating func notTaken(_ index: Int, handedOver: Int, reason: String) {
    messages[index].requests += handedOver
    messages[index].reason = reason
    messages[index].phase = .waiting
    if handedOver > 0 { handedOverEnd = max(handedOverEnd, index + 1) }
  }

  /// It waits no longer in this window: a retry chunk carries it on, as long as it has attempts and time left.
  mutating func givenUp(_ index: Int, now: EpochMilliseconds) {
    _ = retry(index, after: RetryPolicy.longestWaitInWindow, laneWide: false, now: now, windowLeft: 0)
  }

  // MARK: Close

  /// The window's rows, its cursor and what is retired.
  ///
  /// Everything up to the last message that was handed over gets exactly one row; those after it that are still
  /// waiting, and what was closed locally among them, belong to the next window.
  /// - Parameter variant: what a recipient's variant is called.
  func result(
    decision: Breaker.Decision, tokens: (Int) -> String, variant: (RecipientKey) -> String? = { _ in nil },
    now: EpochMilliseconds
  ) -> WindowClose {
    let firstWaiting = messages.firstIndex { $0.phase == .waiting } ?? messages.count
    let end = max(firstWaiting, handedOverEnd)
    var close = WindowClose()
    guard end > 0 else { return close }
    close.cursor = keys[end - 1]
    for index in 0..<end {
      let message = messages[index]
      var row = DeliveryRow(
        key: keys[index], outcome: .deferred, reason: message.reason, requests: Int16(clamping: message.requests),
        httpStatus: message.verdict?.httpStatus.map { Int16(clamping: $0) },
        providerCode: message.verdict?.providerCode, providerMessageID: message.verdict?.providerMessageID,
        detail: message.verdict?.detail, uid: message.uid, variant: message.uid == nil ? nil : variant(keys[index]))
      // Taken is as good as sent here: what the provider settles later has no words any more.
      if let content = message.inbox, message.phase == .settled(.sent) || message.phase == .accepted {
        close.inbox.append(InboxRow(profileID: keys[index].profileID, content: content))
      }
      switch message.phase {
      case .settled(let outcome): row.outcome = outcome
      case .accepted:
        close.accepted.append(keys[index])
        continue
      case .held:
        close.dead += 1
        if decision == .retire {
          row.outcome = .tokenRetired
          close.retirements.append(
            Retirement(key: keys[index], token: tokens(index), reason: message.reason ?? "dead"))
        } else {
          row.outcome = .rejected
          row.reason = "suspect"
        }
      case .postponed(let until): row.retryAt = until
      case .waiting:
        // Before a message that was handed over, so it can't be left to the next window.
        row.reason = row.reason ?? "not_handed_over"
        row.retryAt = now
      }
      if message.verdict?.countsForBreaker == true { close.verdicts += 1 }
      close.rows.append(row)
    }
    return close
  }

  var held: Int { messages.count { $0.phase == .held } }

  // MARK: Private

  private mutating func settle(_ index: Int, _ outcome: Outcome, _ reason: String?) {
    messages[index].phase = .settled(outcome)
    messages[index].reason = reason
    if messages[index].requests > 0 { handedOverEnd = max(handedOverEnd, index + 1) }
  }

  private mutating func postpone(_ index: Int, until: EpochMilliseconds) {
    messages[index].phase = .postponed(until: until)
    handedOverEnd = max(handedOverEnd, index + 1)
  }

  private mutating func retry(
    _ index: Int, after: Double, laneWide: Bool, now: EpochMilliseconds, windowLeft: Double
  ) -> Action {
    let decision = policy.notTaken(
      after: after, requests: messages[index].requests, now: now, windowLeft: windowLeft)
    var again: Double?
    switch decision {
    case .again(let after):
      messages[index].phase = .waiting
      again = after
    case .postpone(let until): postpone(index, until: until)
    case .expire(let reason): settle(index, .expired, reason)
    }
    if laneWide { return .cool(until: now.adding(seconds: after), thenAgainAfter: again) }
    return again.map { .again(after: $0) } ?? .nothing
  }
}

/// What a window leaves behind.
struct WindowClose: Sendable {
  var rows: [DeliveryRow] = []
  var accepted: [RecipientKey] = []
  /// Nil when nothing of the window is accounted: the next one begins where this one did.
  var cursor: RecipientKey?
  var retirements: [Retirement] = []
  var verdicts: Int64 = 0
  var dead: Int64 = 0
  var inbox: [InboxRow] = []
}

extension MessageVerdict {
  /// Whether the provider said something about the token or the payload, not about the moment.
  var countsForBreaker: Bool {
    switch verdict {
    case .sent, .retire: true
    case .reject: httpStatus != nil
    default: false
    }
  }
}
