internal import Campaign
internal import Postgres

/// Puts messages that had an outcome into chunks of their next attempt. Each chunk takes back from the lane's sums what
/// it counts again.
struct ResendChunks {
  /// Which messages of a launch: by their final outcome.
  struct Choice {
    var outcomes: [Outcome]
    var reason: String?
    var channels: [Int64]
    /// Only those that ended as unknown fewer times than this, however often they were tried; and those that late
    /// evidence says were not taken, in any case.
    var unknownAttempts: Int?
  }

  let launch: Int64
  let choice: Choice

  /// Final outcomes, not last attempts: what a settlement found out is not sent again. Nor is what waits in a chunk of
  /// its next attempt already: two runners may see a lane's end at the same moment, and people ask twice. Joins where
  /// subqueries would read better: those can't look at a view's row where the tables are distributed.
  private static let chosen = """
    from salvo.final_outcome f
    left join (
      select profile_id, subscription_id, count(*) as times from salvo.delivery
      where launch_id = $1 and outcome = 6 and $5::int is not null group by profile_id, subscription_id
    ) u on u.profile_id = f.profile_id and u.subscription_id = f.subscription_id
    left join (
      select distinct profile_id, subscription_id, attempt from salvo.late_evidence
      where launch_id = $1 and outcome = 7 and $5::int is not null
    ) e on e.profile_id = f.profile_id and e.subscription_id = f.subscription_id and e.attempt = f.attempt
    left join unnest($6::bigint[], $7::bigint[], $8::bigint[]) w(profile_id, subscription_id, attempt)
      on w.profile_id = f.profile_id and w.subscription_id = f.subscription_id and w.attempt > f.attempt
    left join salvo.recipient r on r.launch_id = $1 and r.profile_id = f.profile_id
      and r.subscription_id = f.subscription_id
    where f.launch_id = $1 and f.channel_id = any($2) and f.outcome = any($3)
      and ($4::text is null or f.reason = $4)
      and ($5::int is null or $5 > coalesce(u.times, 0) or e.attempt is not null)
      and w.attempt is null
    """

  /// What waits already. Read by itself: chunks lie on one node where results are distributed.
  private static let waiting = """
    select attempt, ids from salvo.chunk
    where launch_id = $1 and channel_id = any($2) and ids is not null and state <> 2
    """

  private static let count = "select count(*) \(chosen)"

  /// One order everywhere: lanes before the launch. Whoever chooses the same messages waits, and then finds them
  /// waiting in chunks.
  private static let lock = """
    select from salvo.lane where launch_id = $1 and channel_id = any($2) order by channel_id for no key update
    """

  /// 16 bytes a key, both halves in network order, ascending.
  private static let insert = """
    with chosen as (
      select f.channel_id, f.attempt, f.outcome, f.profile_id, f.subscription_id, f.zone, (row_number() over (
          partition by f.channel_id, f.attempt, f.outcome, f.zone order by f.profile_id, f.subscription_id) - 1) / $9
          as part
      from (
        select f.channel_id, f.attempt, f.outcome, f.profile_id, f.subscription_id, r.zone
        \(chosen)
      ) f
    ), cut as (
      select channel_id, attempt, outcome, zone, count(*)::int as planned,
        (array_agg(profile_id order by profile_id desc, subscription_id desc))[1] as hi_profile,
        (array_agg(subscription_id order by profile_id desc, subscription_id desc))[1] as hi_subscription,
        string_agg(int8send(profile_id) || int8send(subscription_id), ''::bytea order by profile_id, subscription_id)
          as ids,
        (row_number() over (partition by channel_id order by attempt, outcome, zone, part) - 1)::int as number
      from chosen group by channel_id, attempt, outcome, zone, part
    )
    insert into salvo.chunk (
      launch_id, channel_id, chunk_no, kind, attempt, lo_profile, lo_subscription, hi_profile, hi_subscription,
      cursor_profile, cursor_subscription, planned, ids, zone, back_unknown, back_expired, back_rejected)
    select n.launch_id, n.channel_id, n.next_chunk + c.number, 'resend', c.attempt + 1, 0, 0, c.hi_profile,
      c.hi_subscription, 0, 0, c.planned, c.ids, c.zone, case c.outcome when 6 then c.planned else 0 end,
      case c.outcome when 4 then c.planned else 0 end, case c.outcome when 3 then c.planned else 0 end
    from cut c join salvo.lane n on n.launch_id = $1 and n.channel_id = c.channel_id
    returning channel_id, planned
    """

  /// A lane whose messages go again is not done.
  private static let countLanes = """
    update salvo.lane n
    set next_chunk = n.next_chunk + u.chunks, state = case n.state when 'done' then 'running' else n.state end
    from unnest($2::bigint[], $3::bigint[]) u(channel_id, chunks)
    where n.launch_id = $1 and n.channel_id = u.channel_id
    """

  func count(_ connection: Connection) throws -> Int64 {
    try connection.execute(Self.count, parameters(connection)).first?.int(0) ?? 0
  }

  /// Inside a transaction.
  /// - Returns: how many messages of which channel go again.
  func write(_ connection: Connection) throws -> [Int64: Int64] {
    try connection.execute(Self.lock, [.int8(launch), .int8Array(choice.channels)])
    let inserted = try connection.execute(Self.insert, parameters(connection) + [.int8(LaunchPlan.largestChunk)])
    var messages: [Int64: Int64] = [:]
    var chunks: [Int64: Int64] = [:]
    for row in inserted {
      guard let channel = row.int(0), let planned = row.int(1) else { continue }
      messages[channel, default: 0] += planned
      chunks[channel, default: 0] += 1
    }
    guard !chunks.isEmpty else { return [:] }
    let channels = chunks.keys.sorted()
    try connection.execute(
      Self.countLanes, [.int8(launch), .int8Array(channels), .int8Array(channels.map { chunks[$0] ?? 0 })])
    return messages
  }

  private func parameters(_ connection: Connection) throws -> [Parameter] {
    var profiles: [Int64] = []
    var subscriptions: [Int64] = []
    var attempts: [Int64] = []
    for row in try connection.execute(Self.waiting, [.int8(launch), .int8Array(choice.channels)]) {
      guard let attempt = row.int(0), let ids = row.bytes(1) else { continue }
      for key in KeyList.decode(ids) {
        profiles.append(key.profileID)
        subscriptions.append(key.subscriptionID)
        attempts.append(attempt)
      }
    }
    return [
      .int8(launch), .int8Array(choice.channels), .int8Array(choice.outcomes.map { Int64($0.rawValue) }),
      choice.reason.map(Parameter.text) ?? .null,
      choice.unknownAttempts.map { .int4(Int32(clamping: $0)) } ?? .null,
      .int8Array(profiles), .int8Array(subscriptions), .int8Array(attempts),
    ]
  }
}
