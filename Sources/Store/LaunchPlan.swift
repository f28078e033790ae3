internal import Base
internal import Campaign
internal import Postgres

/// Freezes a launch's audience and cuts it into lanes and chunks. Writes control rows only: who is retired or gone is
/// seen when a chunk is read, and closed as skipped in its window like everybody else.
struct LaunchPlan {
  /// Messages a chunk takes at most, unless a window takes more.
  static let largestChunk: Int64 = 5_000
  /// For a channel that the caller knows nothing about.
  static let defaultWindow: Int64 = 1_000
  static let defaultDepth: Int64 = 3
  /// Above it every join is a hash or merge join: a planner that takes a fresh launch for empty would look up a million
  /// subscriptions one by one, or worse.
  static let largeAudience: Int64 = 20_000

  let launch: Int64
  let sizing: [LaneSizing]

  // MARK: Freeze

  /// The doors hold a share lock on the row until their callers commit, so this waits for them; after it they refuse.
  private static let begin = """
    update salvo.launch
    set state = 'planning', started_at = coalesce(started_at, date_trunc('milliseconds', now()))
    where id = $1 and state in ('draft', 'scheduled')
    returning options, not_before
    """
  private static let state = "select state from salvo.launch where id = $1"
  private static let wishes = "select state, options, not_before from salvo.launch where id = $1"
  private static let anybody = "select exists (select from salvo.recipient where launch_id = $1)"
  private static let addTargets = "select salvo.add_targets($1)"
  private static let everybody = "select count(*) from salvo.recipient where launch_id = $1"

  /// Draft or scheduled → planning, in a transaction of its own: from here on the audience and the start are fixed,
  /// also when the runner dies before the rest, which the next one then does.
  /// - Returns: false when the launch is planned already.
  /// - Throws: `StoreError` `.notFound`; `.state` when it can't run, then nothing has changed; `.away` when somebody is
  ///   still adding recipients.
  func freeze(_ connection: Connection) throws -> Bool {
    do {
      return try connection.transaction { connection in
        guard let row = try connection.execute(Self.begin, [.int8(launch)]).first else {
          return try isPlanning(connection.execute(Self.state, [.int8(launch)]).first?.text(0))
        }
        let options = try StoredJSON.read(row.text(0), .content, "launch \(launch)", LaunchOptions.init(json:))
        try check(options, hasDate: row.timestamp(1) != nil, connection)
        if !options.targets.isEmpty { try connection.execute(Self.addTargets, [.int8(launch)]) }
        return true
      }
    } catch let error as PostgresError where error.sqlState == "55P03" {
      throw StoreError(.away, "launch \(launch): another session is still adding recipients; run it again after that")
    }
  }

  /// What a plan would look at first, without beginning one.
  /// - Throws: `StoreError`, as `freeze`.
  func verify(_ connection: Connection) throws {
    guard let row = try connection.execute(Self.wishes, [.int8(launch)]).first else {
      throw StoreError(.notFound, "there is no launch \(launch)")
    }
    guard let state = row.text(0), [.draft, .scheduled].contains(LaunchState(rawValue: state)) else {
      _ = try isPlanning(row.text(0))
      return
    }
    let options = try StoredJSON.read(row.text(1), .content, "launch \(launch)", LaunchOptions.init(json:))
    try check(options, hasDate: row.timestamp(2) != nil, connection)
  }

  /// Whether there is somebody to send to, and not too many; whether the options' times can be kept.
  private func check(_ options: LaunchOptions, hasDate: Bool, _ connection: Connection) throws {
    let hasAudience = try connection.execute(Self.anybody, [.int8(launch)]).first?.bool(0) == true
    guard options.targets.isEmpty || !hasAudience else {
      throw StoreError(
        .state, "launch \(launch) has recipients and options.targets; its targets take their place, so use one")
    }
    guard hasAudience || !options.targets.isEmpty else {
      throw StoreError(
        .state, "launch \(launch) has no recipients: add them with `salvo audience` or salvo.add_recipients")
    }
    try LaunchZones(launch: launch).check(options, hasDate: hasDate, connection)
    if let most = options.maxRecipients {
      let counted = try connection.execute(Self.everybody, [.int8(launch)]).first?.int(0) ?? 0
      let count = options.targets.isEmpty ? counted : Int64(options.targets.count)
      guard count <= most else {
        throw StoreError(
          .state, "launch \(launch) has \(count) recipients, its option max_recipients allows \(most)")
      }
    }
  }

  private func isPlanning(_ state: String?) throws -> Bool {
    guard let state else { throw StoreError(.notFound, "there is no launch \(launch)") }
    switch LaunchState(rawValue: state) {
    case .planning: return true
    case .running, .paused, .finished, .needsDecision: return false
    case .draft, .scheduled: throw StoreError(.away, "launch \(launch) was changed at the same moment; run it again")
    case .missed:
      throw StoreError(.state, "launch \(launch) is missed: salvo resume \(launch) makes it due at once")
    case .cancelled, .failed, nil:
      throw StoreError(.state, "launch \(launch) is \(state): it can't run")
    }
  }

  /// The statistics that the plan's joins and the chunks' reads go by. In a transaction of its own, because its lock
  /// on the partition is held until the end.
  func analyze(_ connection: Connection) throws {
    try connection.execute("select salvo.analyze_audience($1)", [.int8(launch)])
  }

  // MARK: Write

  private static let lock = "select state from salvo.launch where id = $1 for update"

  /// An index-only scan of the recipients' primary key; with zones, of the rows.
  private static func counts(byZone: Bool) -> String {
    """
    select channel_id, count(*) from salvo.recipient where launch_id = $1 group by channel_id\(byZone ? ", zone" : "")
    order by channel_id
    """
  }

  private static let lanes = """
    insert into salvo.lane (launch_id, channel_id, planned, next_chunk)
    select $1, n.channel_id, n.planned, n.chunks::int
    from unnest($2::bigint[], $3::bigint[], $4::bigint[]) n(channel_id, planned, chunks)
    """

  /// One pass over the primary key, which is in the windows' order already: every size-th row, and the last, ends a
  /// chunk. 0.6 s a million. Ids are positive: (0, 0) is below all of them. Zone by zone where recipients have one: a
  /// chunk is then the recipients of its zone in its range, and due when it is time there.
  private static func chunks(byZone: Bool) -> String {
    let zone = byZone ? "zone, " : ""
    return """
      insert into salvo.chunk (
        launch_id, channel_id, chunk_no, lo_profile, lo_subscription, hi_profile, hi_subscription,
        cursor_profile, cursor_subscription, planned, zone, not_before)
      select $1, channel_id, row_number() over (partition by channel_id order by \(zone)profile_id, subscription_id) - 1,
        lag(profile_id, 1, 0::bigint) over bounds, lag(subscription_id, 1, 0::bigint) over bounds,
        profile_id, subscription_id,
        lag(profile_id, 1, 0::bigint) over bounds, lag(subscription_id, 1, 0::bigint) over bounds,
        n - lag(n, 1, 0::bigint) over bounds, \(byZone ? "zone" : "null"),
        case when launch.is_timed
          then salvo.chunk_due(launch.options, \(byZone ? "zone" : "null"), launch.day, salvo.now()) end
      from (
        select r.channel_id, \(byZone ? "r.zone, " : "")r.profile_id, r.subscription_id, row_number() over keys as n,
          lead(1) over keys is null as is_last
        from salvo.recipient r where r.launch_id = $1
        window keys as (partition by r.channel_id\(byZone ? ", r.zone" : "") order by r.profile_id, r.subscription_id)
      ) r
      join unnest($2::bigint[], $3::bigint[]) size(channel_id, messages) using (channel_id)
      cross join (
        select l.options, l.options ->> 'local_time' is not null or l.options ->> 'quiet_hours' is not null as is_timed,
          salvo.launch_day(l.not_before, a.settings) as day
        from salvo.launch l
        join salvo.campaign c on c.id = l.campaign_id
        join salvo.account a on a.id = c.account_id
        where l.id = $1
      ) launch
      where n % messages = 0 or is_last
      window bounds as (partition by channel_id\(byZone ? ", zone" : "") order by profile_id, subscription_id)
      """
  }

  private static let run = "update salvo.launch set state = 'running' where id = $1 and state = 'planning'"

  /// Planning → running with everything that the run needs, in one transaction. Waits for another runner that is at it
  /// and returns when that one has planned.
  func write(_ connection: Connection) throws {
    try connection.transaction { connection in
      // As long as another runner's plan takes.
      try connection.execute("set local lock_timeout = 0")
      guard try isPlanning(connection.execute(Self.lock, [.int8(launch)]).first?.text(0)) else { return }
      let byZone = try LaunchZones(launch: launch).areFrozen(connection)
      var counts: [(channel: Int64, planned: Int64, chunks: Int64)] = []
      let parts = try connection.execute(Self.counts(byZone: byZone), [.int8(launch)]).map { row in
        (channel: row.int(0) ?? 0, planned: row.int(1) ?? 0)
      }
      for lane in Dictionary(grouping: parts, by: \.channel).sorted(by: { $0.key < $1.key }) {
        let planned = lane.value.reduce(0) { $0 + $1.planned }
        let size = chunkSize(channel: lane.key, planned: planned)
        counts.append(
          (lane.key, planned, lane.value.reduce(0) { $0 + ($1.planned + size - 1) / size }))
      }
      // A million (channel, hash, key) are sorted in 64 MB, not in a temporary file.
      try connection.execute("set local work_mem = '64MB'")
      if counts.reduce(0, { $0 + $1.planned }) > Self.largeAudience {
        try connection.execute("set local enable_nestloop = off")
      }
      let channels = Parameter.int8Array(counts.map(\.channel))
      let sizes = counts.map { chunkSize(channel: $0.channel, planned: $0.planned) }
      let chunks = counts.map(\.chunks)
      try connection.execute(
        Self.lanes, [.int8(launch), channels, .int8Array(counts.map(\.planned)), .int8Array(chunks)])
      let written = try connection.execute(
        Self.chunks(byZone: byZone), [.int8(launch), channels, .int8Array(sizes)]
      ).affected
      guard written == chunks.reduce(0, +) else {
        throw StoreError(.refused, "launch \(launch): rows of salvo.recipient changed during the plan; run it again")
      }
      try SkipPlan(launch: launch, byZone: byZone).write(counts.map(\.channel), connection)
      try connection.execute(Self.run, [.int8(launch)])
    }
  }

  /// Eight chunks for each that a runner holds at once, so that several runners share a lane evenly; never smaller than
  /// a window, never so large that its rows crowd the memory.
  func chunkSize(channel: Int64, planned: Int64) -> Int64 {
    let lane = sizing.first { $0.channelID == channel }
    let window = lane.map { max(Int64($0.window), 1) } ?? Self.defaultWindow
    let depth = lane.map { max(Int64($0.depth), 1) } ?? Self.defaultDepth
    return max(min(planned / depth / 8, Self.largestChunk), window)
  }
}
