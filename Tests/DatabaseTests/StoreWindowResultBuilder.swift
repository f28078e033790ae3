import Campaign
import Store

/// Rows of a window one by one.
struct WindowResultBuilder {
  var rows: [DeliveryRow] = []

  mutating func add(_ key: RecipientKey, _ outcome: Outcome, reason: String? = nil) {
    rows.append(DeliveryRow(key: key, outcome: outcome, reason: reason, requests: outcome == .skipped ? 0 : 1))
  }

  func make(cursor: RecipientKey) -> WindowResult { WindowResult(rows: rows, cursor: cursor) }
}
