internal import Base
internal import Campaign
internal import Postgres

/// Reads what is left of a leased chunk by one COPY into one arena.
///
/// COPY takes no parameters: the text is made of constants and of integers alone. The bounds are written for each of
/// the joined tables, because inequalities don't travel through joins: without them a page costs ten times as much.
/// Both joins are by primary key; the planner merges or looks up, and both are good for a few thousand rows.
struct RecipientReader {
  private let lease: ChunkLease
  private let columns: PersonalColumns
  private let isOfEveryZone: Bool

  /// - Parameter isOfEveryZone: the whole range, not only the recipients of the chunk's zone.
  init(_ lease: ChunkLease, _ columns: PersonalColumns, isOfEveryZone: Bool = false) {
    self.isOfEveryZone = isOfEveryZone
    self.lease = lease
    self.columns = columns
  }

  func read(from connection: Connection) throws -> RecipientPage {
    var page = RecipientPage()
    guard let query else { return page }
    let expected = min(max(Int(lease.planned), 0), 20_000)
    page.rows.reserveCapacity(expected)
    // About a token and a line of attributes each; grows when they are longer.
    page.bytes.reserveCapacity(expected * (columns.isEmpty ? 200 : 400))
    try connection.copyOut("copy (\(query)) to stdout (format binary)") { fields in
      guard let profile = fields.int8(0), let subscription = fields.int8(1) else { return }
      var recipient = Recipient(
        key: RecipientKey(profileID: profile, subscriptionID: subscription),
        state: fields.int2(2).flatMap { SubscriptionState(rawValue: UInt8(clamping: $0)) } ?? .gone,
        registeredAt: fields.timestamp(3) ?? EpochMilliseconds(0),
        token: fields.appendBytes(4, to: &page.bytes) ?? ByteRange(lower: page.bytes.count, upper: page.bytes.count))
      if columns.contains(.profile) {
        recipient.externalID = fields.appendBytes(5, to: &page.bytes)
        recipient.locale = fields.appendBytes(6, to: &page.bytes)
        recipient.timeZone = fields.appendBytes(7, to: &page.bytes)
        recipient.attributes = fields.appendBytes(8, to: &page.bytes)
      }
      if columns.contains(.variables) {
        recipient.variables = fields.appendBytes(columns.contains(.profile) ? 9 : 5, to: &page.bytes)
      }
      page.rows.append(recipient)
    }
    return page
  }

  /// Nil when nothing is left.
  var query: String? {
    if let ids = lease.ids { return query(of: ids.filter { $0 > lease.cursor }) }
    guard lease.cursor < lease.upper else { return nil }
    let (lower, upper) = (lease.cursor, lease.upper)
    let ofZone = """
      and (r.zone is null or r.zone = (select zone from salvo.chunk c where c.launch_id = \(lease.launchID)
        and c.channel_id = \(lease.channelID) and c.chunk_no = \(lease.chunkNo)))
      """
    return query(
      from: "salvo.recipient r", profiles: (lower.profileID, upper.profileID),
      where: """
        where r.launch_id = \(lease.launchID) and r.channel_id = \(lease.channelID)
          and (r.profile_id, r.subscription_id) > (\(lower.profileID), \(lower.subscriptionID))
          and (r.profile_id, r.subscription_id) <= (\(upper.profileID), \(upper.subscriptionID))
          \(isOfEveryZone ? "" : ofZone)
        """)
  }

  /// A retry chunk: exactly these, ascending, also if one of them has no recipient row any more.
  private func query(of ids: [RecipientKey]) -> String? {
    guard let first = ids.min(), let last = ids.max() else { return nil }
    // The first row gives the list its types.
    let values = ids.enumerated().map { index, key in
      index == 0
        ? "(\(key.profileID)::bigint,\(key.subscriptionID)::bigint)" : "(\(key.profileID),\(key.subscriptionID))"
    }
    var from = "(values \(values.joined(separator: ","))) r(profile_id, subscription_id)"
    if columns.contains(.variables) {
      from += """
         left join salvo.recipient v on v.launch_id = \(lease.launchID) and v.profile_id = r.profile_id
          and v.subscription_id = r.subscription_id
        """
    }
    return query(from: from, profiles: (first.profileID, last.profileID), where: "")
  }

  /// - Parameters:
  ///   - from: yields `r.profile_id` and `r.subscription_id`; variables come from `v` for a list, else from `r`.
  private func query(from: String, profiles: (Int64, Int64), where condition: String) -> String {
    let (lower, upper) = profiles
    var select = """
      r.profile_id, r.subscription_id,
        (case s.state when 'active' then 0 when 'retired' then 1 when 'unsubscribed' then 2 else 3 end)::int2,
        s.registered_at, s.token
      """
    // A subscription that belongs to another channel now is gone from this one.
    var from = """
      \(from)
        left join salvo.subscription s on s.profile_id = r.profile_id and s.id = r.subscription_id
          and s.channel_id = \(lease.channelID) and s.profile_id between \(lower) and \(upper)
      """
    if columns.contains(.profile) {
      select += ", p.external_id, p.locale, p.time_zone, p.attributes::text"
      from += " left join salvo.profile p on p.id = r.profile_id and p.id between \(lower) and \(upper)"
    }
    if columns.contains(.variables) { select += ", \(lease.ids == nil ? "r" : "v").variables::text" }
    return "select \(select) from \(from) \(condition) order by r.profile_id, r.subscription_id"
  }
}
