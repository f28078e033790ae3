import Base
import Campaign
import Providers
import Store
import Transport

/// Asks what became of accepted transfers, and writes the results once the provider knows (AppMetrica).
struct Settler: Sendable {
  /// A transfer of n messages is first asked about after n / this many seconds: its group's highest send rate.
  static let messagesPerSecond = 5_000.0
  static let shortestWait = 0.5
  static let longestWait = 30.0
  /// Not found so long after it was handed over means that it never arrived.
  static let arrivalTime = 10.0
  /// Seconds after which a transfer that has come to no end is left to a later run.
  static let longestTransfer = 1_800.0

  let lane: PreparedLane
  let control: LaneControl
  let windows: WindowStore
  let stop: StopState
  let log: Log

  /// Runs until nothing is left to settle once `isSendingOver` says that no more will come.
  func run(isSendingOver: @Sendable () -> Bool) async throws {
    while !stop.isStopping {
      let wasOver = isSendingOver()
      let due = try await windows.questionDue(launch: lane.launch.id, channel: lane.channel.id)
      if due == nil && wasOver { return }
      if let due, due <= 0 {
        for window in try await windows.accepted(launch: lane.launch.id, channel: lane.channel.id) {
          try await attend(to: window, isLast: wasOver)
          if control.flag.isSet, control.stop?.kind != .cancelled { return }
        }
      } else {
        await stop.sleep(seconds: min(max(due ?? Self.shortestWait, 0.05), Self.shortestWait))
      }
    }
  }

  /// Asks about one window, unless it is too early, or another runner does.
  private func attend(to window: AcceptedWindow, isLast: Bool) async throws {
    let first = max(Double(window.messages) / Self.messagesPerSecond, Self.shortestWait)
    let isEarly = !window.isAsked && window.age < first
    // Then half as long as it has been waited for so far: a transfer that takes an hour is not asked about each second.
    let wait = isEarly ? first - window.age : min(max(first, window.age / 2), Self.longestWait)
    guard try await windows.postpone(window, seconds: wait), !isEarly else { return }
    if try await ask(window) || control.flag.isSet { return }
    if isLast, window.age > Self.longestTransfer {
      control.stop(
        LaneStop(
          .later,
          "transfer \(window.id) has come to no end in \(Int(window.age / 60)) minutes; run the launch again later"))
    }
  }

  /// - Returns: true when the window is settled.
  private func ask(_ window: AcceptedWindow) async throws -> Bool {
    let headers = try await lane.access.current()
    guard let page = lane.adapter.statusRequest(requestKey: window.id, headers: headers) else { return true }
    let sendBefore = BootInstant.now.advanced(seconds: lane.pool.configuration.timeout)
    switch try await lane.pace.take(
      .question, requests: 1, messages: 0, sendBefore: sendBefore, unless: stop.flag)
    {
    case .now: break
    case .tooLate: return false
    case .nextDay(let after):
      let day = EpochMilliseconds.now.adding(seconds: after)
      if after <= Lane.longestWait {
        log.with("window", window.windowNo).warning(
          "the day's requests are spent; transfer \(window.id) is asked about at \(day.localText)")
        await stop.sleep(seconds: after)
      } else {
        control.stop(LaneStop(waitsUntil: day, because: "the day's requests are spent; no transfer is asked about"))
      }
      return false
    }
    let results = await lane.pool.send(page, sendBefore: sendBefore, unless: stop.flag)
    guard let result = results.first else { return false }
    if case .answered = result.exchange { control.answered() }
    switch lane.adapter.transferStatus(from: result.exchange) {
    case .sent:
      return try await settle(window) {
        DeliveryRow(key: $0, outcome: .sent, requests: 1, providerMessageID: "\(window.id)")
      }
    case .failed(let words):
      log.with("window", window.windowNo).error("AppMetrica refused transfer \(window.id): \(words)")
      return try await settle(window) {
        DeliveryRow(
          key: $0, outcome: .rejected, reason: "transfer_failed", requests: 1, providerMessageID: "\(window.id)",
          detail: words)
      }
    case .misconfigured(let words):
      // Nothing of it was sent, and nothing would be until somebody mends that.
      control.stop(LaneStop(.provider, "AppMetrica can't send to this application: \(words); mend it there"))
      let now = EpochMilliseconds.now
      return try await settle(window) {
        DeliveryRow(
          key: $0, outcome: .deferred, reason: "transfer_failed", requests: 1, retryAt: now,
          providerMessageID: "\(window.id)", detail: words)
      }
    case .notFound:
      guard window.age >= Self.arrivalTime else { return false }
      // It never arrived, so a retry chunk may carry its messages without a second buzz.
      let now = EpochMilliseconds.now
      return try await settle(window) {
        DeliveryRow(key: $0, outcome: .deferred, reason: "transfer_lost", requests: 1, retryAt: now)
      }
    case .refused(let words):
      control.stop(
        LaneStop(.credential, "the provider refuses credential \(lane.channel.credential): \(words)"))
      return false
    case .pending:
      return false
    case .unclear(let words):
      log.with("window", window.windowNo).warning(
        "AppMetrica's answer about transfer \(window.id) says nothing: \(words)")
      return false
    }
  }

  private func settle(_ window: AcceptedWindow, _ row: (RecipientKey) -> DeliveryRow) async throws -> Bool {
    let rows = try await windows.keys(of: window).map { key in
      var row = row(key)
      row.uid = lane.uid(of: key)
      row.variant = lane.variant(of: key)
      return row
    }
    let isSettled = try await windows.settle(window, rows: rows)
    if isSettled { lane.metrics.wrote(rows) }
    return isSettled
  }
}
