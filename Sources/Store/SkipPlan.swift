internal import Campaign
internal import Postgres

/// Who of a planned launch is skipped, written into the chunks: devices with a token that another one has, and, where
/// the launch asks for it, all but a person's most recent device at a provider.
struct SkipPlan {
  /// Why a recipient is among the skipped.
  enum Kind { case duplicate, older }

  let launch: Int64
  /// Recipients have a zone each, and chunks are cut zone by zone.
  let byZone: Bool

  private static let wishes = "select options, content from salvo.launch where id = $1"
  private static let providers = "select id, provider from salvo.channel where id = any($1::bigint[]) order by id"

  /// - Parameter channels: those of the launch's lanes.
  func write(_ channels: [Int64], _ connection: Connection) throws {
    let asked = try askedForMostRecent(channels, connection)
    guard !asked.isEmpty else {
      try connection.execute(writing("skip_ids", duplicates(among: active)), [.int8(launch)])
      return
    }
    let parameters = parameters(asked)
    try connection.execute(writing("older_ids", older), parameters)
    try connection.execute(writing("skip_ids", duplicates(among: mostRecent)), parameters)
  }

  /// Who would be skipped at one channel, in the order of the keys, before there are chunks to write it into.
  /// - Parameters:
  ///   - channels: those of the launch.
  ///   - after: where to go on.
  func keys(
    _ kind: Kind, at channel: Int64, among channels: [Int64], after: RecipientKey, limit: Int, _ connection: Connection
  ) throws -> [RecipientKey] {
    let asked = try askedForMostRecent(channels, connection)
    if kind == .older, asked.isEmpty { return [] }
    let chosen = kind == .older ? older : duplicates(among: mostRecent)
    return try connection.execute(
      """
      with \(chosen)
      select profile_id, subscription_id from chosen
      where channel_id = $4 and (profile_id, subscription_id) > ($5, $6)
      order by profile_id, subscription_id limit $7
      """,
      parameters(asked) + [
        .int8(channel), .int8(after.profileID), .int8(after.subscriptionID), .int8(Int64(limit)),
      ]
    ).map { RecipientKey(profileID: $0.int(0) ?? 0, subscriptionID: $0.int(1) ?? 0) }
  }

  /// The channels whose recipients are one device a person, by the launch's options or its content.
  private func askedForMostRecent(_ channels: [Int64], _ connection: Connection) throws -> [(
    id: Int64, provider: String
  )] {
    let place = "launch \(launch)"
    guard let row = try connection.execute(Self.wishes, [.int8(launch)]).first else { return [] }
    let options = try StoredJSON.read(row.text(0), .content, place, LaunchOptions.init(json:))
    let content = try StoredJSON.read(row.text(1), .content, place, Content.init(json:))
    let isForApple = content.applePush?.isForMostRecentDeviceOnly == true
    return try connection.execute(Self.providers, [.int8Array(channels)]).compactMap { row in
      row.int(0).flatMap { id in row.text(1).map { (id: id, provider: $0) } }
    }.filter { options.mostRecentOnly || (isForApple && $0.provider.hasPrefix("ios-")) }
  }

  private func parameters(_ asked: [(id: Int64, provider: String)]) -> [Parameter] {
    [.int8(launch), .int8Array(asked.map(\.id)), .textArray(asked.map(\.provider))]
  }

  private func writing(_ column: String, _ chosen: String) -> String {
    "with \(chosen), \(placed) update salvo.chunk c set \(column) = p.ids \(Self.keys)"
  }

  private var zone: String { byZone ? "zone, " : "" }

  /// Of the active subscriptions of a lane with one token the lowest key keeps it; the others go into their chunk's
  /// skip_ids. Tokens are sorted by a 64-bit hash (a fifth of their bytes) and compared whole where hashes meet, since
  /// a collision would skip a person. 3 s a million, 5 s when half are duplicates.
  private func duplicates(among active: String) -> String {
    """
    \(active), suspect as (
      select channel_id, \(zone)profile_id, subscription_id from (
        select channel_id, \(zone)profile_id, subscription_id, count(*) over (partition by channel_id, hash) as n
        from active
      ) a
      where n > 1
    ), chosen as (
      select channel_id, \(zone)profile_id, subscription_id from (
        select a.channel_id, \(byZone ? "a.zone, " : "")a.profile_id, a.subscription_id, row_number() over (
          partition by a.channel_id, s.token order by a.profile_id, a.subscription_id) as n
        from suspect a
        join salvo.subscription s on s.profile_id = a.profile_id and s.id = a.subscription_id
      ) same
      where n > 1
    )
    """
  }

  private var active: String {
    """
    active as (
      select r.channel_id, \(byZone ? "r.zone, " : "")r.profile_id, r.subscription_id,
        hashtextextended(s.token, 0) as hash
      from salvo.recipient r
      join salvo.subscription s on s.profile_id = r.profile_id and s.id = r.subscription_id
        and s.channel_id = r.channel_id and s.state = 'active'
      where r.launch_id = $1
    )
    """
  }

  /// Each device's place among its profile's active ones at the same provider, the one seen last first; 1 at channels
  /// that aren't asked about.
  private var ranked: String {
    """
    ranked as (
      select r.channel_id, \(byZone ? "r.zone, " : "")r.profile_id, r.subscription_id,
        hashtextextended(s.token, 0) as hash,
        case when g.provider is null then 1 else row_number() over (
          partition by g.provider, r.profile_id
          order by coalesce(s.last_seen_at, s.registered_at) desc, s.registered_at desc, r.subscription_id desc) end as n
      from salvo.recipient r
      join salvo.subscription s on s.profile_id = r.profile_id and s.id = r.subscription_id
        and s.channel_id = r.channel_id and s.state = 'active'
      left join unnest($2::bigint[], $3::text[]) g(channel_id, provider) on g.channel_id = r.channel_id
      where r.launch_id = $1
    )
    """
  }

  /// Before duplicates are looked for: of two devices with one token the older might be the one that keeps it.
  private var older: String {
    """
    \(ranked), chosen as (
      select channel_id, \(zone)profile_id, subscription_id from ranked where n > 1
    )
    """
  }

  private var mostRecent: String {
    """
    \(ranked), active as (select channel_id, \(zone)profile_id, subscription_id, hash from ranked where n = 1)
    """
  }

  /// Each of the chosen finds its chunk by being sorted among the chunks' upper bounds: the number of bounds below it
  /// is the chunk's number.
  private var placed: String {
    """
    placed as (
      select channel_id, profile_id, subscription_id, is_bound, count(*) filter (where is_bound) over (
        partition by channel_id order by \(zone)profile_id, subscription_id, is_bound
        rows between unbounded preceding and 1 preceding) as chunk_no
      from (
        select channel_id, \(zone)profile_id, subscription_id, false as is_bound from chosen
        union all
        select channel_id, \(zone)hi_profile, hi_subscription, true from salvo.chunk where launch_id = $1
      ) sorted
    )
    """
  }

  private static let keys = """
    from (
      select channel_id, chunk_no,
        string_agg(int8send(profile_id) || int8send(subscription_id), '' order by profile_id, subscription_id) as ids
      from placed where not is_bound group by channel_id, chunk_no
    ) p
    where c.launch_id = $1 and c.channel_id = p.channel_id and c.chunk_no = p.chunk_no
    """
}
