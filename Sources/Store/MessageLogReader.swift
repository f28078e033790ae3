public import Base
public import Campaign
public import Postgres

/// A row of `message_log`: who, what became of it, and why. No device token.
public struct MessageLogEntry: Sendable {
  /// Whose message it was.
  public var key: RecipientKey
  /// The platform's own id of the profile.
  public var externalID: String?
  /// The channel it went over.
  public var channelID: Int64
  /// The last attempt's number, from 1.
  public var attempt: Int64
  /// What became of it.
  public var outcome: Outcome
  /// Why; nil when there is nothing to say.
  public var reason: String?
  /// What settled it after it was unknown.
  public var settledBy: String?
  /// How often the last attempt was handed to the network.
  public var requests: Int64
  /// When a deferred message is tried again.
  public var retryAt: EpochMilliseconds?
  /// Of the provider's answer.
  public var httpStatus: Int64?
  /// The provider's word for what was wrong.
  public var providerCode: String?
  /// The provider's id of the message.
  public var providerMessageID: String?
  /// For people, when the answer surprised.
  public var detail: String?
  /// The message's id, `_uid`.
  public var uid: String?
  /// Which variant of the content it was.
  public var variant: String?
  /// When the result was written.
  public var at: EpochMilliseconds?
}

/// Reads what became of each message, page by page in the order of their keys: flat memory, whatever the launch.
public struct MessageLogReader: Sendable {
  /// Rows of a page: half a megabyte.
  static let page: Int32 = 2_000

  let database: Database
  /// Reads by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  /// The keys are those that the primary key of `delivery` begins with, so a page reads on where the last one ended.
  private static let rows = """
    select f.profile_id, f.subscription_id, p.external_id, f.channel_id, f.attempt, f.outcome, f.reason, f.settled_by,
      f.requests, f.retry_at, f.http_status, f.provider_code, f.provider_message_id, f.detail, f.message_uid, f.variant,
      f.at
    from salvo.final_outcome f left join salvo.profile p on p.id = f.profile_id
    where f.launch_id = $1 and (f.profile_id, f.subscription_id) > ($2, $3)
      and (cardinality($4::bigint[]) = 0 or f.outcome = any($4::bigint[]))
    order by f.profile_id, f.subscription_id limit $5
    """

  private static let exists = "select from salvo.launch where id = $1"

  /// Hands over page after page, at least one, which has no entries when there is nothing to read.
  /// - Parameters:
  ///   - outcomes: only those; all when it names none.
  ///   - take: gets a page's entries, ascending by key.
  /// - Throws: `StoreError` `.notFound`; what `take` throws.
  public func read(
    _ launch: Int64, outcomes: [Outcome], _ take: ([MessageLogEntry]) throws -> Void
  ) async throws {
    let doing = "reading the messages of launch \(launch)"
    let isThere = try await database.perform(doing) { try !$0.execute(Self.exists, [.int8(launch)]).isEmpty }
    guard isThere else { throw StoreError(.notFound, "there is no launch \(launch)") }
    var after = RecipientKey(profileID: 0, subscriptionID: 0)
    while true {
      let parameters: [Parameter] = [
        .int8(launch), .int8(after.profileID), .int8(after.subscriptionID),
        .int8Array(outcomes.map { Int64($0.rawValue) }), .int4(Self.page),
      ]
      let entries = try await database.perform(doing) { connection in
        try connection.execute(Self.rows, parameters).map(MessageLogEntry.init(row:))
      }
      try take(entries)
      guard let last = entries.last, entries.count == Int(Self.page) else { return }
      after = last.key
    }
  }
}

extension MessageLogEntry {
  fileprivate init(row: Row) throws(StoreError) {
    guard let profile = row.int(0), let subscription = row.int(1),
      let outcome = row.int(5).flatMap({ Outcome(rawValue: Int16(clamping: $0)) })
    else { throw StoreError(.version, "a message has an outcome that this version of Salvo doesn't know") }
    self.init(
      key: RecipientKey(profileID: profile, subscriptionID: subscription), externalID: row.text(2),
      channelID: row.int(3) ?? 0, attempt: row.int(4) ?? 0, outcome: outcome, reason: row.text(6),
      settledBy: row.text(7), requests: row.int(8) ?? 0, retryAt: row.timestamp(9), httpStatus: row.int(10),
      providerCode: row.text(11), providerMessageID: row.text(12), detail: row.text(13), uid: row.text(14),
      variant: row.text(15), at: row.timestamp(16))
  }
}
