internal import Base
internal import Campaign
public import Postgres

/// Reads where a launch stands: control rows for the numbers, rows of messages for the reasons alone.
public struct StatusReader: Sendable {
  let database: Database
  /// Reads by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  private static let launchRow = """
    select l.state, c.name, l.not_before, l.started_at, l.finished_at, now()
    from salvo.launch l join salvo.campaign c on c.id = l.campaign_id where l.id = $1
    """

  /// The numbers are the view's; the rest sums the same windows once more.
  private static let laneRows = """
    select p.channel_id, p.provider, p.channel, p.planned, p.sent, p.token_retired, p.rejected, p.expired, p.skipped,
      p.unknown, p.remaining,
      n.state, n.stop_reason, n.cool_until, n.verdicts, n.dead,
      coalesce(w.recent, 0)::bigint, coalesce(w.recent_seconds, 0)::float8, w.first_opened, w.last_closed,
      coalesce(w.open_windows, 0)::bigint, coalesce(w.open_messages, 0)::bigint, w.oldest_open::float8,
      coalesce(w.awaited, 0)::bigint
    from salvo.launch_progress p
    join salvo.lane n on n.launch_id = p.launch_id and n.channel_id = p.channel_id
    left join (
      select channel_id,
        sum(sent + token_retired + rejected + expired + skipped + unknown)
          filter (where closed_at > now() - make_interval(secs => $2)) as recent,
        least($2, extract(epoch from now() - min(opened_at)
          filter (where closed_at > now() - make_interval(secs => $2)))) as recent_seconds,
        min(opened_at) as first_opened, max(closed_at) as last_closed,
        count(*) filter (where state = 0) as open_windows, sum(planned) filter (where state = 0) as open_messages,
        extract(epoch from now() - min(opened_at) filter (where state = 0)) as oldest_open,
        sum(planned - sent - token_retired - rejected - expired - skipped - unknown - deferred)
          filter (where state = 4) as awaited
      from salvo.send_window where launch_id = $1 group by channel_id
    ) w on w.channel_id = p.channel_id
    where p.launch_id = $1 order by p.channel_id
    """

  /// Chunks that somebody holds; who lets go is no longer named in them.
  private static let runnerRows = """
    select owner, count(*), extract(epoch from min(lease_until) - now())::float8
    from salvo.chunk where launch_id = $1 and state = 1 and owner is not null group by owner order by owner
    """

  /// Thousands of control rows at most, whatever the size of the launch.
  /// - Parameter withReasons: also why messages aren't `sent`, the thousand most frequent reasons; looks at every
  ///   message, about a second for a million.
  /// - Throws: `StoreError` `.notFound`.
  public func read(_ launch: Int64, withReasons: Bool) async throws -> LaunchStatus {
    try await database.perform("reading the status of launch \(launch)") { connection in
      try connection.transaction { connection in
        try connection.execute("set transaction isolation level repeatable read, read only")
        var status = try Self.read(launch, connection)
        if withReasons { status.set(try Self.reasons(of: launch, connection)) }
        return status
      }
    }
  }

  static func read(_ launch: Int64, _ connection: Connection) throws -> LaunchStatus {
    guard let row = try connection.execute(launchRow, [.int8(launch)]).first else {
      throw StoreError(.notFound, "there is no launch \(launch)")
    }
    guard let state = row.text(0).flatMap(LaunchState.init(rawValue:)) else {
      throw StoreError(.version, "launch \(launch) has a state that this version of Salvo doesn't know")
    }
    return LaunchStatus(
      id: launch, state: state, campaignName: row.text(1) ?? "", notBefore: row.timestamp(2),
      startedAt: row.timestamp(3), finishedAt: row.timestamp(4), at: row.timestamp(5) ?? .now,
      lanes: try connection.execute(laneRows, [.int8(launch), .double(LaunchStatus.rateSpan)])
        .map { try lane($0, launch) },
      runners: try connection.execute(runnerRows, [.int8(launch)]).map { row in
        LaunchStatus.Runner(owner: row.text(0) ?? "", chunks: row.int(1) ?? 0, leaseSeconds: row.double(2) ?? 0)
      })
  }

  private static func lane(_ row: Row, _ launch: Int64) throws(StoreError) -> LaunchStatus.Lane {
    guard let channel = row.int(0), let state = row.text(11).flatMap(LaneRecord.State.init(rawValue:)) else {
      throw StoreError(.version, "launch \(launch) has a lane in a state that this version of Salvo doesn't know")
    }
    return LaunchStatus.Lane(
      progress: LaneProgress(
        channelID: channel, provider: row.text(1) ?? "", channelName: row.text(2) ?? "", planned: row.int(3) ?? 0,
        sent: row.int(4) ?? 0, tokenRetired: row.int(5) ?? 0, rejected: row.int(6) ?? 0, expired: row.int(7) ?? 0,
        skipped: row.int(8) ?? 0, unknown: row.int(9) ?? 0, remaining: row.int(10) ?? 0),
      record: LaneRecord(
        channelID: channel, state: state, stopReason: row.text(12), coolUntil: row.timestamp(13),
        planned: row.int(3) ?? 0, verdicts: row.int(14) ?? 0, dead: row.int(15) ?? 0),
      recent: row.int(16) ?? 0, recentSeconds: row.double(17) ?? 0, firstOpenedAt: row.timestamp(18),
      lastClosedAt: row.timestamp(19), openWindows: row.int(20) ?? 0, openMessages: row.int(21) ?? 0,
      oldestOpenSeconds: row.double(22), awaited: row.int(23) ?? 0)
  }

  private static let reasonRows = """
    select channel_id, outcome, coalesce(reason, ''), count(*) from salvo.final_outcome
    where launch_id = $1 and outcome <> 1 group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit 1000
    """

  static func reasons(of launch: Int64, _ connection: Connection) throws -> [ReasonCount] {
    try connection.execute(reasonRows, [.int8(launch)]).map(ReasonCount.init(row:))
  }
}

extension ReasonCount {
  /// channel, outcome, reason, messages.
  init(row: Row) throws(StoreError) {
    guard let channel = row.int(0), let outcome = row.int(1).flatMap({ Outcome(rawValue: Int16(clamping: $0)) }) else {
      throw StoreError(.version, "a message has an outcome that this version of Salvo doesn't know")
    }
    self.init(channelID: channel, outcome: outcome, reason: row.text(2) ?? "", messages: row.int(3) ?? 0)
  }
}
