internal import Campaign
public import Postgres

/// Whether the books of a launch are right: invariants that hold at any moment, whoever sends, looked at in one
/// snapshot.
public struct LaunchAudit: Sendable {
  /// One invariant and whether it holds.
  public struct Finding: Sendable {
    /// What must be so, as people say it.
    public let rule: String
    /// How many messages, windows or lanes break it; 0 is right.
    public let violations: Int64
    /// One of those that break it.
    public let example: String?
  }

  let database: Database
  /// Looks by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  private struct Check {
    let rule: String
    /// $1 is the launch. Yields how many break the rule, and one of them in words.
    let sql: String
  }

  private static let checks = [
    Check(
      rule: "every planned message of a finished launch has a final outcome",
      sql: """
        select count(*), min(format('subscription %s of profile %s', r.subscription_id, r.profile_id))
        from salvo.launch l join salvo.recipient r on r.launch_id = l.id
        where l.id = $1 and l.state in ('finished', 'needs_decision')
          and not exists (select from salvo.delivery d where d.launch_id = l.id and d.profile_id = r.profile_id
            and d.subscription_id = r.subscription_id and d.outcome <> 7)
        """),
    Check(
      rule: "the plan's chunks hold every recipient of their lane",
      sql: """
        select count(*), min(format('channel %s: lane %s, chunks %s', n.channel_id, n.planned, c.planned))
        from salvo.lane n
        left join (
          select channel_id, sum(planned) as planned from salvo.chunk where launch_id = $1 and kind = 'first' group by 1
        ) c on c.channel_id = n.channel_id
        where n.launch_id = $1 and n.planned <> coalesce(c.planned, 0)
        """),
    Check(
      rule: "attempts of a message are 1, 2 … without gaps",
      sql: """
        select count(*), min(format('subscription %s of profile %s', subscription_id, profile_id))
        from (
          select profile_id, subscription_id from salvo.delivery where launch_id = $1
          group by 1, 2 having min(attempt) <> 1 or max(attempt) <> count(*)
        ) gaps
        """),
    Check(
      rule: "only what was deferred or unknown, or was sent again on request, has a next attempt",
      sql: """
        select count(*), min(format('attempt %s of subscription %s of profile %s', b.attempt, b.subscription_id,
          b.profile_id))
        from salvo.delivery a
        join salvo.delivery b on b.launch_id = $1 and b.profile_id = a.profile_id
          and b.subscription_id = a.subscription_id and b.attempt = a.attempt + 1
        left join salvo.chunk c on c.launch_id = $1 and c.channel_id = b.channel_id and c.chunk_no = b.chunk_no
        where a.launch_id = $1 and not (a.outcome in (6, 7) or a.outcome in (3, 4) and c.kind = 'resend')
        """),
    Check(
      rule: "nobody got a message who isn't in the audience",
      sql: """
        select count(*), min(format('subscription %s of profile %s', d.subscription_id, d.profile_id))
        from salvo.delivery d
        where d.launch_id = $1 and not exists (select from salvo.recipient r where r.launch_id = $1
          and r.channel_id = d.channel_id and r.profile_id = d.profile_id and r.subscription_id = d.subscription_id)
        """),
    Check(
      rule: "no window is open for longer than two leases",
      sql: """
        select count(*), min(format('window %s of chunk %s of channel %s since %s: run the launch again', window_no,
          chunk_no, channel_id, opened_at))
        from salvo.send_window
        where launch_id = $1 and state = 0 and opened_at < now() - interval '120 s'
        """),
    Check(
      rule: "a closed window counts exactly its messages",
      sql: """
        select count(*), min(format('window %s of chunk %s of channel %s', w.window_no, w.chunk_no, w.channel_id))
        from (select * from salvo.send_window where launch_id = $1) w
        full join (
          select d.channel_id, d.chunk_no, d.window_no,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 1) as sent,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 2) as token_retired,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 3) as rejected,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 4) as expired,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 5) as skipped,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 6) as unknown,
            count(*) filter (where coalesce(s.outcome, d.outcome) = 7) as deferred
          from salvo.delivery d
          left join (
            select distinct on (profile_id, subscription_id, attempt) profile_id, subscription_id, attempt, outcome
            from salvo.settlement where launch_id = $1 order by profile_id, subscription_id, attempt, id desc
          ) s on s.profile_id = d.profile_id and s.subscription_id = d.subscription_id and s.attempt = d.attempt
          where d.launch_id = $1 group by 1, 2, 3
        ) d on d.channel_id = w.channel_id and d.chunk_no = w.chunk_no and d.window_no = w.window_no
        where (w.sent, w.token_retired, w.rejected, w.expired, w.skipped, w.unknown, w.deferred) is distinct from
            (coalesce(d.sent, 0), coalesce(d.token_retired, 0), coalesce(d.rejected, 0), coalesce(d.expired, 0),
              coalesce(d.skipped, 0), coalesce(d.unknown, 0), coalesce(d.deferred, 0))
        """),
    Check(
      rule: "the lanes' sums are the messages' outcomes",
      sql: """
        select count(*), min(format('channel %s', p.channel_id))
        from salvo.launch_progress p
        left join (
          select channel_id, count(*) filter (where outcome = 1) as sent,
            count(*) filter (where outcome = 2) as token_retired, count(*) filter (where outcome = 3) as rejected,
            count(*) filter (where outcome = 4) as expired, count(*) filter (where outcome = 5) as skipped,
            count(*) filter (where outcome = 6) as unknown
          from salvo.final_outcome where launch_id = $1 group by 1
        ) f on f.channel_id = p.channel_id
        where p.launch_id = $1
          -- While resend chunks are under way they have taken back what the last attempts still say.
          and not exists (select from salvo.chunk c where c.launch_id = $1 and c.channel_id = p.channel_id
            and c.kind = 'resend' and c.state <> 2)
          and not exists (select from salvo.send_window w join salvo.chunk c using (launch_id, channel_id, chunk_no)
            where w.launch_id = $1 and w.channel_id = p.channel_id and w.state in (0, 4) and c.kind = 'resend')
          and (p.sent, p.token_retired, p.rejected, p.expired, p.skipped, p.unknown) is distinct from
            (coalesce(f.sent, 0), coalesce(f.token_retired, 0), coalesce(f.rejected, 0), coalesce(f.expired, 0),
              coalesce(f.skipped, 0), coalesce(f.unknown, 0))
        """),
    Check(
      rule: "a finished launch has nothing left to send or to ask about",
      sql: """
        select count(*), min(what)
        from salvo.launch l
        cross join lateral (
          select format('chunk %s of channel %s is not done', chunk_no, channel_id) as what
          from salvo.chunk where launch_id = $1 and state <> 2
          union all
          select format('window %s of chunk %s of channel %s', window_no, chunk_no, channel_id)
          from salvo.send_window where launch_id = $1 and state in (0, 4)
          union all
          select format('channel %s: %s remain', channel_id, remaining)
          from salvo.launch_progress where launch_id = $1 and remaining <> 0
        ) left_over
        where l.id = $1 and l.state in ('finished', 'needs_decision')
        """),
  ]

  private static let isTrimmed = "select trim_begun_at is not null from salvo.launch where id = $1"

  /// - Throws: `StoreError` `.notFound`; `.state` when `Maintenance` has taken its messages.
  public func check(_ launch: Int64) async throws -> [Finding] {
    try await database.perform("verifying launch \(launch)") { connection in
      try connection.transaction { connection in
        // All checks see the same moment, also while runners write.
        try connection.execute("set transaction isolation level repeatable read, read only")
        guard let row = try connection.execute(Self.isTrimmed, [.int8(launch)]).first else {
          throw StoreError(.notFound, "there is no launch \(launch)")
        }
        guard row.bool(0) == false else {
          throw StoreError(
            .state, "launch \(launch) ended long ago and was trimmed: its sums are kept, its messages are not")
        }
        return try Self.checks.map { check in
          let row = try connection.execute(check.sql, [.int8(launch)]).first
          return Finding(rule: check.rule, violations: row?.int(0) ?? 0, example: row?.text(1))
        }
      }
    }
  }
}
