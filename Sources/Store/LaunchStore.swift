public import Base
public import Campaign
public import Postgres

/// Launches and lanes: load, plan, progress, finish.
public struct LaunchStore: Sendable {
  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: Load

  private static let launchRow = """
    select l.state, l.content, l.options, l.not_before, l.not_after, l.started_at, c.id, c.name, a.id, a.name,
      a.settings
    from salvo.launch l
    join salvo.campaign c on c.id = l.campaign_id
    join salvo.account a on a.id = c.account_id
    where l.id = $1
    """

  /// The launch with its campaign and account, texts and options checked.
  /// - Throws: `StoreError` `.notFound`, `.content`, `.configuration`, `.away`.
  public func load(_ id: Int64) async throws -> Launch {
    try await database.perform("loading launch \(id)") { connection in
      guard let row = try connection.execute(Self.launchRow, [.int8(id)]).first else {
        throw StoreError(.notFound, "there is no launch \(id)")
      }
      guard let state = row.text(0).flatMap(LaunchState.init(rawValue:)), let campaignID = row.int(6),
        let accountID = row.int(8)
      else { throw StoreError(.version, "launch \(id) has a state that this version of Salvo doesn't know") }
      let place = "launch \(id)"
      let content = try StoredJSON.read(row.text(1), .content, place, Content.init(json:))
      let options = try StoredJSON.read(row.text(2), .content, place, LaunchOptions.init(json:))
      let settings = try StoredJSON.read(
        row.text(10), .configuration, "account \(accountID)", AccountSettings.init(json:))
      return Launch(
        id: id, account: Account(id: accountID, name: row.text(9) ?? "", settings: settings),
        campaignID: campaignID, campaignName: row.text(7) ?? "", state: state, content: content, options: options,
        notBefore: row.timestamp(3), notAfter: row.timestamp(4), startedAt: row.timestamp(5))
    }
  }

  /// Lanes still name the channels of a launch whose recipients were dropped with their partition.
  private static let channelRows = """
    select \(Channel.columns),
      exists (select from salvo.lane n where n.launch_id = l.id and n.channel_id = h.id)
        or coalesce(l.options -> 'targets' @> jsonb_build_array(jsonb_build_object('channel_id', h.id)), false)
    from salvo.launch l
    join salvo.campaign c on c.id = l.campaign_id
    join salvo.channel h on h.account_id = c.account_id
    where l.id = $1
    order by h.id
    """

  /// One probe of recipient's primary key a channel, instead of reading a million rows for a handful of ids; by itself,
  /// because where the table is distributed a subquery can't look at rows of the tables above.
  private static let hasRecipients = """
    select exists (select from salvo.recipient where launch_id = $1 and channel_id = $2)
    """

  /// The channels that have recipients in the launch, or lanes once it is planned.
  /// - Throws: `StoreError` `.configuration` naming the channel whose row is refused.
  public func channels(of launch: Int64) async throws -> [Channel] {
    try await database.perform("loading the channels of launch \(launch)") { connection in
      try connection.execute(Self.channelRows, [.int8(launch)]).filter { row in
        try row.bool(10) == true
          || connection.execute(Self.hasRecipients, [.int8(launch), .int8(row.int(0) ?? 0)]).first?.bool(0) == true
      }.map(Channel.init(row:))
    }
  }

  // MARK: Plan

  /// Plans once: draft or scheduled → planning → running; frozen audience, lanes, chunks, duplicates. Returns at once
  /// when the launch is planned already; waits when another runner is planning.
  /// - Throws: `StoreError` `.state` when the launch can't run: cancelled, missed, no recipients …
  public func plan(_ launch: Int64, sizing: [LaneSizing]) async throws {
    let plan = LaunchPlan(launch: launch, sizing: sizing)
    let doing = "planning launch \(launch)"
    guard try await database.perform(doing, { try plan.freeze($0) }) else { return }
    try await database.perform(doing) { try plan.analyze($0) }
    try await database.perform(doing) { try LaunchZones(launch: launch).freeze($0) }
    try await database.perform(doing) { try plan.write($0) }
  }

  // MARK: Lanes

  private static let laneRows = """
    select channel_id, state, stop_reason, cool_until, planned, verdicts, dead
    from salvo.lane where launch_id = $1 order by channel_id
    """

  /// By channel, ascending; none before the launch is planned.
  public func lanes(of launch: Int64) async throws -> [LaneRecord] {
    try await database.perform("reading the lanes of launch \(launch)") { connection in
      try connection.execute(Self.laneRows, [.int8(launch)]).map { row in
        guard let channel = row.int(0), let state = row.text(1).flatMap(LaneRecord.State.init(rawValue:)) else {
          throw StoreError(.version, "launch \(launch) has a lane in a state that this version of Salvo doesn't know")
        }
        return LaneRecord(
          channelID: channel, state: state, stopReason: row.text(2), coolUntil: row.timestamp(3),
          planned: row.int(4) ?? 0, verdicts: row.int(5) ?? 0, dead: row.int(6) ?? 0)
      }
    }
  }

  private static let stop = """
    update salvo.lane set state = 'stopped', stop_reason = $3
    where launch_id = $1 and channel_id = $2 and state in ('running', 'paused')
    """

  /// Nothing of the lane is sent until `resumeLanes`. A lane that is done stays so.
  public func stopLane(_ launch: Int64, channel: Int64, reason: String) async throws {
    try await database.perform("stopping a lane of launch \(launch)") { connection in
      try connection.execute(Self.stop, [.int8(launch), .int8(channel), .text(PostgresText.tidy(reason))])
    }
  }

  private static let cool = """
    update salvo.lane set cool_until = greatest(cool_until, $3) where launch_id = $1 and channel_id = $2
    """

  /// No window of the lane opens before `until`; an earlier word that says later stands.
  public func coolLane(_ launch: Int64, channel: Int64, until: EpochMilliseconds) async throws {
    try await database.perform("cooling a lane of launch \(launch)") { connection in
      try connection.execute(Self.cool, [.int8(launch), .int8(channel), .timestamp(until)])
    }
  }

  private static let resume = """
    update salvo.lane set state = 'running', stop_reason = null, cool_until = null, verdicts = 0, dead = 0
    where launch_id = $1 and state = 'stopped' and stop_reason is distinct from '\(LaunchCommands.cancelled)'
    """

  /// The operator starts the launch again: stopped lanes run, their breaker counters begin anew. Cancelled ones stay.
  public func resumeLanes(_ launch: Int64) async throws {
    try await database.perform("resuming the lanes of launch \(launch)") { connection in
      try connection.execute(Self.resume, [.int8(launch)])
    }
  }

  // MARK: Progress and end

  private static let progressRows = """
    select channel_id, provider, channel, planned, sent, token_retired, rejected, expired, skipped, unknown, remaining
    from salvo.launch_progress where launch_id = $1 order by channel_id
    """

  /// What `launch_progress` says: sums of lanes, chunks and windows, never of messages.
  public func progress(of launch: Int64) async throws -> [LaneProgress] {
    try await database.perform("reading the progress of launch \(launch)") { connection in
      try connection.execute(Self.progressRows, [.int8(launch)]).map { row in
        LaneProgress(
          channelID: row.int(0) ?? 0, provider: row.text(1) ?? "", channelName: row.text(2) ?? "",
          planned: row.int(3) ?? 0, sent: row.int(4) ?? 0, tokenRetired: row.int(5) ?? 0, rejected: row.int(6) ?? 0,
          expired: row.int(7) ?? 0, skipped: row.int(8) ?? 0, unknown: row.int(9) ?? 0, remaining: row.int(10) ?? 0)
      }
    }
  }

  /// Running → finished when every chunk is done, no window is open or accepted, and nothing remains. Lanes of which
  /// this is true are done, whatever the others do. What the launch's option `unknown` says is done here: `resend` puts
  /// the unknown into chunks of the next attempt, `ask` ends in needs_decision.
  /// - Returns: the launch's state afterwards.
  public func finish(_ launch: Int64) async throws -> LaunchState {
    try await database.perform("finishing launch \(launch)") { connection in
      try connection.transaction { try LaunchEnd(launch: launch).write($0) }
    }
  }

  private static let anyChunk = """
    select exists (select from salvo.chunk where launch_id = $1 and state in (0, 1))
    """

  /// Whether a chunk is left that isn't done.
  public func hasChunks(_ launch: Int64) async throws -> Bool {
    try await database.perform("looking for chunks of launch \(launch)") { connection in
      try connection.execute(Self.anyChunk, [.int8(launch)]).first?.bool(0) ?? false
    }
  }
}

extension Channel {
  /// What `init(row:)` reads, first in a row of `salvo.channel h`.
  static let columns = """
    h.id, h.account_id, h.resource_id, h.provider, h.name, h.enabled, h.payload_profile, h.template, h.settings,
      h.credential
    """

  init(row: Row) throws(StoreError) {
    let id = row.int(0) ?? 0
    let name = row.text(4) ?? ""
    let place = "channel \(id) (\(name))"
    guard let profile = row.text(6).flatMap(PayloadProfile.init(rawValue:)) else {
      throw StoreError(.configuration, "\(place): payload_profile: there is no such profile")
    }
    guard let credential = row.text(9).flatMap(CredentialReference.init) else {
      throw StoreError(.configuration, "\(place): credential: file:NAME or env:NAME, the name of a file without /")
    }
    let settings = try StoredJSON.read(row.text(8), .configuration, place, ChannelSettings.init(json:))
    self.init(
      id: id, accountID: row.int(1) ?? 0, resourceID: row.int(2) ?? 0, provider: row.text(3) ?? "", name: name,
      isEnabled: row.bool(5) ?? false, profile: profile, template: row.text(7), settings: settings,
      credential: credential)
  }
}
