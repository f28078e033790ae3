/// What became of one attempt at one message. The numbers are those of `salvo.delivery.outcome`.
public enum Outcome: Int16, Sendable, CaseIterable {
  case sent = 1
  case tokenRetired = 2
  case rejected = 3
  case expired = 4
  case skipped = 5
  case unknown = 6
  /// Not final: a retry chunk carries the message on. Counted as remaining.
  case deferred = 7

  /// As in the views and on the summary line.
  public var name: String {
    switch self {
    case .sent: "sent"
    case .tokenRetired: "token_retired"
    case .rejected: "rejected"
    case .expired: "expired"
    case .skipped: "skipped"
    case .unknown: "unknown"
    case .deferred: "deferred"
    }
  }

  /// Whether nothing more is tried for the message: all but `deferred`.
  public var isFinal: Bool { self != .deferred }
}
