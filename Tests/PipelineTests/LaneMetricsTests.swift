import Base
import Campaign
import Testing
import Transport

@testable import Pipeline
@testable import Store

@Suite struct LaneMetricsTests {
  private static let lane = #"launch="5",channel="3",provider="ios-apns""#
  private let metrics = Metrics()

  private func lane() -> LaneMetrics {
    LaneMetrics(
      metrics, launch: 5,
      channel: Channel(
        id: 3, accountID: 1, resourceID: 1, provider: "ios-apns", name: "Shop", isEnabled: true, profile: .altcraft,
        template: nil, settings: ChannelSettings(), credential: .environment("NONE")))
  }

  /// The lines of one family, without the lane's own labels.
  private func lines(_ name: String) -> [String] {
    String(decoding: metrics.text(), as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix(name + "{") || $0.hasPrefix(name + "_") }
      .map { String($0).replacing(Self.lane, with: "") }
  }

  private func row(_ id: Int64, _ outcome: Outcome, _ reason: String? = nil) -> DeliveryRow {
    DeliveryRow(key: RecipientKey(profileID: id, subscriptionID: id), outcome: outcome, reason: reason)
  }

  @Test("results count by outcome and reason; what is deferred is no outcome")
  func outcomes() {
    let lane = lane()
    lane.wrote([
      row(1, .sent), row(2, .rejected, "payload"), row(3, .sent), row(4, .deferred, "quota"), row(5, .unknown, "reset"),
    ])
    lane.tookOver(LeftBehind(owner: "host/1/a", unknown: 7, awaited: 3))
    #expect(
      lines("salvo_messages_total") == [
        #"salvo_messages_total{,outcome="rejected",reason="payload"} 1"#,
        #"salvo_messages_total{,outcome="sent",reason=""} 2"#,
        #"salvo_messages_total{,outcome="unknown",reason="in_doubt"} 7"#,
        #"salvo_messages_total{,outcome="unknown",reason="reset"} 1"#,
      ])
    #expect(lines("salvo_messages_deferred_total") == [#"salvo_messages_deferred_total{,reason="quota"} 1"#])
  }

  @Test("however many reasons a provider invents, a lane shows fifty, and the rest as other")
  func reasons() {
    lane().wrote((1...80).map { row($0, .rejected, "invented \($0)") })
    let shown = lines("salvo_messages_total")
    #expect(shown.count == 51)
    #expect(shown.contains(#"salvo_messages_total{,outcome="rejected",reason="other"} 30"#))
  }

  @Test("requests count by status, those without an answer by what is known of them")
  func requests() {
    let lane = lane()
    lane.handedOver(5)
    #expect(lines("salvo_requests_in_flight") == ["salvo_requests_in_flight{} 5"])
    lane.returned([
      ExchangeResult(exchange: .answered(Answer(status: 200)), handedOver: 1, seconds: 0.2),
      ExchangeResult(exchange: .answered(Answer(status: 503)), handedOver: 1, seconds: 3),
      ExchangeResult(exchange: .answered(Answer(status: 9_999)), handedOver: 1, seconds: 60),
      ExchangeResult(exchange: .unknown("reset"), handedOver: 1),
      ExchangeResult(exchange: .notSent(.deadline), handedOver: 0),
    ])
    #expect(lines("salvo_requests_in_flight") == ["salvo_requests_in_flight{} 0"])
    #expect(
      lines("salvo_requests_total") == [
        #"salvo_requests_total{,code="200"} 1"#, #"salvo_requests_total{,code="503"} 1"#,
        #"salvo_requests_total{,code="other"} 1"#, #"salvo_requests_total{,code="unanswered"} 1"#,
        #"salvo_requests_total{,code="withheld"} 1"#,
      ])
    let buckets = lines("salvo_request_duration_seconds")
    #expect(buckets.contains(#"salvo_request_duration_seconds_bucket{,le="0.1"} 0"#))
    #expect(buckets.contains(#"salvo_request_duration_seconds_bucket{,le="0.25"} 1"#))
    #expect(buckets.contains(#"salvo_request_duration_seconds_bucket{,le="30"} 2"#))
    #expect(buckets.contains("salvo_request_duration_seconds_count{} 3"))
  }

  @Test("windows are open from their opening until they are left, also for a lane that was prepared twice")
  func windows() {
    let first = lane()
    let lane = lane()
    let window = OpenWindow(windowNo: 1, id: 11, sendBefore: .distantFuture)
    first.retried(2)
    lane.retried(3)
    lane.opened(window, since: .now)
    #expect(lines("salvo_open_windows") == ["salvo_open_windows{} 1"])
    #expect(lines("salvo_oldest_open_window_age_seconds") != ["salvo_oldest_open_window_age_seconds{} 0"])
    lane.left(window)
    #expect(lines("salvo_open_windows") == ["salvo_open_windows{} 0"])
    #expect(lines("salvo_oldest_open_window_age_seconds") == ["salvo_oldest_open_window_age_seconds{} 0"])
    #expect(lines("salvo_retries_total") == ["salvo_retries_total{} 5"])
  }
}
