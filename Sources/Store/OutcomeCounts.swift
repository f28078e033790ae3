internal import Campaign
internal import Postgres

/// How many rows of a window have which outcome: what `send_window` keeps, so that progress sums windows.
struct OutcomeCounts {
  /// By `Outcome.allCases`, which is the order of the columns too.
  private(set) var counts: [Outcome: Int32] = [:]

  init(_ rows: [DeliveryRow]) {
    for row in rows { counts[row.outcome, default: 0] &+= 1 }
  }

  /// sent, token_retired, rejected, expired, skipped, unknown, deferred.
  var parameters: [Parameter] {
    let order: [Outcome] = [.sent, .tokenRetired, .rejected, .expired, .skipped, .unknown, .deferred]
    return order.map { .int4(counts[$0] ?? 0) }
  }
}
