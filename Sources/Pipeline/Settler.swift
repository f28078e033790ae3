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
    var asked: [Int64: (next: BootInstant, wait: Double)] = [:]
    while !stop.isStopping {
      let wasOver = isSendingOver()
      let waiting = try await windows.accepted(launch: lane.launch.id, channel: lane.channel.id)
      if waiting.isEmpty && wasOver { return }
      var soonest = Self.shortestWait
      for window in waiting {
        let first = max(Double(window.keys.count) / Self.messagesPerSecond, Self.shortestWait)
        let schedule = asked[window.id] ?? (next: BootInstant.now.advanced(seconds: first), wait: first)
        asked[window.id] = schedule
        guard schedule.next <= .now else {
          soonest = min(soonest, max(schedule.next.secondsFromNow, 0.05))
          continue
        }
        if try await ask(window) {
          asked[window.id] = nil
        } else {
          let wait = min(schedule.wait * 1.5, Self.longestWait)
          asked[window.id] = (next: BootInstant.now.advanced(seconds: wait), wait: wait)
        }
        if control.flag.isSet, control.stop?.kind != .cancelled { return }
        let age = Double(EpochMilliseconds.now.value - window.acceptedAt.value) / 1000
        if wasOver, age > Self.longestTransfer, asked[window.id] != nil {
          return control.stop(
            LaneStop(
              .later, "transfer \(window.id) has come to no end in \(Int(age / 60)) minutes; run the launch again later"
            ))
        }
      }
      await stop.sleep(seconds: soonest)
    }
  }

  /// - Returns: true when the window is settled.
  private func ask(_ window: AcceptedWindow) async throws -> Bool {
    let headers = try await lane.access.current()
    guard let page = lane.adapter.statusRequest(requestKey: window.id, headers: headers) else { return true }
    let sendBefore = BootInstant.now.advanced(seconds: lane.pool.configuration.timeout)
    switch try await lane.pace.take(requests: 1, messages: 0, sendBefore: sendBefore, unless: stop.flag) {
    case .now: break
    case .tooLate: return false
    case .nextDay(let after):
      let day = EpochMilliseconds.now.adding(seconds: after)
      if after <= Lane.longestWait {
        log.warning("the day's requests are spent; transfer \(window.id) is asked about at \(day.localText)")
        await stop.sleep(seconds: after)
      } else {
        control.stop(LaneStop(waitsUntil: day, because: "the day's requests are spent; no transfer is asked about"))
      }
      return false
    }
    let results = await lane.pool.send(
      page, sendBefore: sendBefore, unless: stop.flag)
    guard let result = results.first else { return false }
    if case .answered = result.exchange { control.answered() }
    switch lane.adapter.transferStatus(from: result.exchange) {
    case .sent:
      return try await settle(window) {
        DeliveryRow(key: $0, outcome: .sent, requests: 1, providerMessageID: "\(window.id)")
      }
    case .failed(let words):
      log.error("AppMetrica refused transfer \(window.id): \(words)")
      return try await settle(window) {
        DeliveryRow(
          key: $0, outcome: .rejected, reason: "transfer_failed", requests: 1, providerMessageID: "\(window.id)",
          detail: words)
      }
    case .notFound:
      let age = Double(EpochMilliseconds.now.value - window.acceptedAt.value) / 1000
      guard age >= Self.arrivalTime else { return false }
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
      log.warning("AppMetrica's answer about transfer \(window.id) says nothing: \(words)")
      return false
    }
  }

  private func settle(_ window: AcceptedWindow, _ row: (RecipientKey) -> DeliveryRow) async throws -> Bool {
    let rows = window.keys.map { key in
      var row = row(key)
      row.uid = lane.uid(of: key)
      return row
    }
    return try await windows.settle(window, rows: rows)
  }
}
