import Base
import Campaign
public import Store

/// Rows of `message_log` as lines of a file: who, what became of it and why; no device token.
public enum MessageLines {
  /// Names of the columns, and of the members in JSON.
  private static let names = [
    "profile_id", "subscription_id", "external_id", "channel_id", "attempt", "outcome", "reason", "settled_by",
    "requests", "retry_at", "http_status", "provider_code", "provider_message_id", "detail", "message_uid", "variant",
    "at",
  ]

  /// The columns' names, as the first line.
  public static var csvHead: String {
    var csv = CSV()
    csv.add(names.map { .text($0) })
    return csv.text
  }

  /// A line an entry.
  public static func csv(_ entries: [MessageLogEntry]) -> String {
    var csv = CSV()
    for entry in entries { csv.add(cells(entry)) }
    return csv.text
  }

  /// One object a line.
  public static func json(_ entries: [MessageLogEntry]) -> String {
    entries.map { entry in
      var object = JSONObject()
      for (name, cell) in zip(names, cells(entry)) {
        switch cell {
        case .number(let number): object.set(name, number.map(JSON.whole) ?? .null)
        case .text(let text): object.set(name, text.map { .string($0) } ?? .null)
        }
      }
      return JSON.object(object).text + "\n"
    }.joined()
  }

  private static func cells(_ entry: MessageLogEntry) -> [CSV.Cell] {
    [
      .number(entry.key.profileID), .number(entry.key.subscriptionID), .text(entry.externalID),
      .number(entry.channelID), .number(entry.attempt), .text(entry.outcome.name), .text(entry.reason),
      .text(entry.settledBy), .number(entry.requests), .text(entry.retryAt?.rfc3339), .number(entry.httpStatus),
      .text(entry.providerCode), .text(entry.providerMessageID), .text(entry.detail), .text(entry.uid),
      .text(entry.variant), .text(entry.at?.rfc3339),
    ]
  }
}
