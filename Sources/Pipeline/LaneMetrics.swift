import Base
import Campaign
import Store
import Transport

/// What one lane counts for whoever watches it: updated once a slice or a window, never once a message. Nothing decides
/// by it; the database's own count is `launch_progress`.
final class LaneMetrics: Sendable {
  /// How long a lane is shown after its launch left this process, in seconds: five scrapes a minute apart miss none.
  static let memory = 300.0
  /// Different words of one kind that a lane shows; some come from providers. More are `other`.
  static let mostReasons = 50
  /// Upper bounds in seconds: a database at hand takes 2 ms, a provider far away half a second, time-outs end at 20.
  private static let durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  private let metrics: Metrics
  private let labels: [Metrics.Label]
  private let reasons = Guarded<Set<String>>([])
  private let openWindows = Guarded<[Int64: BootInstant]>([:])
  private let planned: Gauge
  private let inFlight: Gauge
  private let retries: Counter
  private let latency: Histogram
  private let opening: Histogram
  private let closing: Histogram
  private let leasesLost: Counter
  private let settledUnknown: Counter

  /// The same numbers again for the same lane of a registry.
  init(_ metrics: Metrics, launch: Int64, channel: Channel) {
    let labels = [("launch", "\(launch)"), ("channel", "\(channel.id)"), ("provider", channel.provider)]
    self.metrics = metrics
    self.labels = labels
    planned = metrics.gauge("salvo_lane_planned_messages", "Messages that the plan gave the lane.", labels)
    inFlight = metrics.gauge(
      "salvo_requests_in_flight", "Requests handed to the lane's connections whose slice has not all its answers.",
      labels
    )
    retries = metrics.counter(
      "salvo_retries_total", "Messages sent again inside their window, as recorded requests.", labels)
    latency = metrics.histogram(
      "salvo_request_duration_seconds", "From a request's first byte to its answer, answered requests alone.", labels,
      bounds: Self.durations)
    opening = metrics.histogram(
      "salvo_window_open_duration_seconds", "Until a window's intent was committed, waits for the database included.",
      labels, bounds: Self.durations)
    closing = metrics.histogram(
      "salvo_window_close_duration_seconds",
      "Until a window's results were committed, waits for the database included.",
      labels, bounds: Self.durations)
    leasesLost = metrics.counter(
      "salvo_leases_lost_total", "Chunks that another runner took over from this one.", labels)
    settledUnknown = metrics.counter(
      "salvo_unknown_settled_total", "Unknown messages whose outcome became known after all.", labels)
    metrics.gauge("salvo_open_windows", "Windows whose intent is committed and whose results are not.", labels) {
      [openWindows] in Double(openWindows.withLock { $0.count })
    }
    metrics.gauge(
      "salvo_oldest_open_window_age_seconds", "Age of the lane's oldest open window; 0 when none is open.", labels
    ) { [openWindows] in
      openWindows.withLock { $0.values.min() }.map { max(0, -$0.secondsFromNow) } ?? 0
    }
  }

  // MARK: The lane

  func begins(planned messages: Int64) { planned.set(Int(clamping: messages)) }

  func stopped(_ kind: LaneStop.Kind) {
    counter("salvo_lane_stops_total", "Lanes that stopped before their end, by cause.", [("cause", "\(kind)")]).add()
  }

  /// A vanished runner's messages, found when its chunk was taken.
  func tookOver(_ left: LeftBehind) { count(.unknown, "in_doubt", left.unknown) }

  /// The launch has left this process.
  static func ended(_ launch: Int64, in metrics: Metrics) { metrics.end(("launch", "\(launch)"), after: memory) }

  // MARK: Windows

  func opened(_ window: OpenWindow, since: BootInstant) {
    opening.observe(max(0, -since.secondsFromNow))
    openWindows.withLock { $0[window.id] = .now }
  }

  /// Its results are committed, or this runner is rid of it.
  func left(_ window: OpenWindow) { openWindows.withLock { _ = $0.removeValue(forKey: window.id) } }

  func closed(_ rows: [DeliveryRow], since: BootInstant) {
    closing.observe(max(0, -since.secondsFromNow))
    wrote(rows)
  }

  func leaseLost() { leasesLost.add() }

  /// Late evidence turned so many unknown messages into what they are.
  func settled(unknown messages: Int64) { settledUnknown.add(Int(clamping: messages)) }

  /// Results that the database has now.
  func wrote(_ rows: [DeliveryRow]) {
    var counts: [Outcome: [String?: Int]] = [:]
    for row in rows { counts[row.outcome, default: [:]][row.reason, default: 0] += 1 }
    for (outcome, reasons) in counts {
      for (reason, messages) in reasons { count(outcome, reason, messages) }
    }
  }

  private func count(_ outcome: Outcome, _ reason: String?, _ messages: Int) {
    guard messages > 0 else { return }
    let reason = reason.map { shown($0, of: outcome.name) } ?? ""
    guard outcome.isFinal else {
      counter(
        "salvo_messages_deferred_total", "Messages left to a later attempt, by reason.", [("reason", reason)]
      ).add(messages)
      return
    }
    counter(
      "salvo_messages_total", "Final outcomes that this process wrote, by reason.",
      [("outcome", outcome.name), ("reason", reason)]
    ).add(messages)
  }

  // MARK: Requests

  func handedOver(_ requests: Int) { inFlight.add(requests) }

  /// All answers of what was handed over together.
  func returned(_ results: [ExchangeResult]) {
    inFlight.add(-results.count)
    latency.observe(results.lazy.compactMap(\.seconds))
    var codes: [String: Int] = [:]
    for result in results { codes[Self.code(result.exchange), default: 0] += 1 }
    for (code, requests) in codes {
      counter(
        "salvo_requests_total", "Requests by HTTP status; unanswered, or withheld: never sent.", [("code", code)]
      ).add(requests)
    }
  }

  func retried(_ messages: Int) { retries.add(messages) }

  private static func code(_ exchange: Exchange) -> String {
    switch exchange {
    case .answered(let answer): (100..<600).contains(answer.status) ? "\(answer.status)" : "other"
    case .unknown: "unanswered"
    case .notSent: "withheld"
    }
  }

  // MARK: Authorization

  func renewedAccess(_ isGiven: Bool) {
    counter(
      "salvo_token_refreshes_total", "Authorizations made anew, and tries that gave none.",
      [("result", isGiven ? "ok" : "failed")]
    ).add()
  }

  // MARK: Private

  private func counter(_ name: String, _ help: String, _ more: [Metrics.Label]) -> Counter {
    metrics.counter(name, help, labels + more)
  }

  private func shown(_ reason: String, of outcome: String) -> String {
    reasons.withLock { reasons in
      let key = outcome + " " + reason
      if reasons.contains(key) { return reason }
      guard reasons.count < Self.mostReasons else { return "other" }
      reasons.insert(key)
      return reason
    }
  }
}
