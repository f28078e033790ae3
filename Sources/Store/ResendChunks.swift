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
  /// its next attempt already: two runners may see a lane's end at the same moment, and people ask twice.
  private static let chosen = """
    from salvo.final_outcome f
    where f.launch_id = $1 and f.channel_id = any($2) and f.outcome = any($3)
      and ($4::text is null or f.reason = $4)
      and ($5::int is null
        or $5 > (select count(*) from salvo.delivery d where d.launch_id = f.launch_id
          and d.profile_id = f.profile_id and d.subscription_id = f.subscription_id and d.outcome = 6)
        or exists (select from salvo.late_evidence e where e.launch_id = f.launch_id
          and e.profile_id = f.profile_id and e.subscription_id = f.subscription_id and e.attempt = f.attempt
          and e.outcome = 7))
      and not exists (select from salvo.chunk c where c.launch_id = f.launch_id and c.channel_id = f.channel_id
        and c.attempt > f.attempt and position(int8send(f.profile_id) || int8send(f.subscription_id) in c.ids) > 0)
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
      select f.channel_id, f.attempt, f.outcome, f.profile_id, f.subscription_id,
        (row_number() over (
          partition by f.channel_id, f.attempt, f.outcome order by f.profile_id, f.subscription_id) - 1) / $6 as part
      \(chosen)
    ), cut as (
      select channel_id, attempt, outcome, count(*)::int as planned,
        (array_agg(profile_id order by profile_id desc, subscription_id desc))[1] as hi_profile,
        (array_agg(subscription_id order by profile_id desc, subscription_id desc))[1] as hi_subscription,
        string_agg(int8send(profile_id) || int8send(subscription_id), ''::bytea order by profile_id, subscription_id)
          as ids,
        (row_number() over (partition by channel_id order by attempt, outcome, part) - 1)::int as number
      from chosen group by channel_id, attempt, outcome, part
    )
    insert into salvo.chunk (
      launch_id, channel_id, chunk_no, kind, attempt, lo_profile, lo_subscription, hi_profile, hi_subscription,
      cursor_profile, cursor_subscription, planned, ids, back_unknown, back_expired, back_rejected)
    select n.launch_id, n.channel_id, n.next_chunk + c.number, 'resend', c.attempt + 1, 0, 0, c.hi_profile,
      c.hi_subscription, 0, 0, c.planned, c.ids, case c.outcome when 6 then c.planned else 0 end,
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
    try connection.execute(Self.count, parameters).first?.int(0) ?? 0
  }

  /// Inside a transaction.
  /// - Returns: how many messages of which channel go again.
  func write(_ connection: Connection) throws -> [Int64: Int64] {
    try connection.execute(Self.lock, Array(parameters.prefix(2)))
    let inserted = try connection.execute(Self.insert, parameters + [.int8(LaunchPlan.largestChunk)])
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

  private var parameters: [Parameter] {
    [
      .int8(launch), .int8Array(choice.channels), .int8Array(choice.outcomes.map { Int64($0.rawValue) }),
      choice.reason.map(Parameter.text) ?? .null,
      choice.unknownAttempts.map { .int4(Int32(clamping: $0)) } ?? .null,
    ]
  }
}
