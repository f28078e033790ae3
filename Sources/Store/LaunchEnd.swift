internal import Campaign
internal import Postgres

/// The count that must balance before a lane is done and a launch finished. One transaction, lanes before launch.
struct LaunchEnd {
  let launch: Int64

  /// Lanes that look done by their control rows, with the final rows that `delivery` must then hold. Thousands of
  /// rows at most, so that asking while the launch is under way costs little.
  private static let balancedLanes = """
    select p.channel_id, w.final, p.unknown > 0
    from salvo.launch_progress p
    join (
      select launch_id, channel_id, sum(sent + token_retired + rejected + expired + skipped + unknown)::bigint as final
      from salvo.send_window group by launch_id, channel_id
    ) w on w.launch_id = p.launch_id and w.channel_id = p.channel_id
    where p.launch_id = $1 and p.state <> 'done' and p.remaining = 0 and \(isQuiet(lane: "p"))
    """

  /// Nothing more can come: rows and retry chunks are written by the closing of windows alone. A window in doubt has
  /// its rows, all unknown.
  private static func isQuiet(lane: String) -> String {
    """
    not exists (select from salvo.chunk c
        where c.launch_id = \(lane).launch_id and c.channel_id = \(lane).channel_id and c.state in (0, 1))
      and not exists (select from salvo.send_window w
        where w.launch_id = \(lane).launch_id and w.channel_id = \(lane).channel_id and w.state in (0, 4))
    """
  }

  /// Counts messages, once a lane: a fifth of a second a million. Where tables are distributed, a closed window's rows
  /// may stay invisible until a killed node's transaction is recovered; then the lane is not done yet.
  private static let finalRows = """
    select channel_id, count(*) from salvo.delivery where launch_id = $1 and outcome <> 7 group by channel_id
    """

  private static let lanesDone = """
    update salvo.lane n set state = 'done'
    where n.launch_id = $1 and n.channel_id = any($2) and \(isQuiet(lane: "n"))
    """

  /// A launch of which a lane was cancelled ends as cancelled: that lane keeps what remained.
  private static let launchEnded = """
    update salvo.launch l
    set state = e.state, finished_at = case e.state when 'finished' then now() end
    from (
      select case when exists (select from salvo.lane n where n.launch_id = $1 and n.state = 'stopped')
        then 'cancelled' else $2 end as state
    ) e
    where l.id = $1 and l.state = 'running'
      and not exists (select from salvo.lane n where n.launch_id = l.id and n.state <> 'done'
        and not (n.state = 'stopped' and n.stop_reason = '\(LaunchCommands.cancelled)'))
      and not exists (select from salvo.send_window w where w.launch_id = l.id and w.state = 0)
    """

  private static let isAnyUnknown = """
    select exists (select from salvo.launch_progress where launch_id = $1 and unknown > 0)
    """

  private static let launchRow = "select state, options from salvo.launch where id = $1"

  /// - Returns: the launch's state afterwards.
  func write(_ connection: Connection) throws -> LaunchState {
    let options = try read(connection).options
    let balanced = try connection.execute(Self.balancedLanes, [.int8(launch)])
    if !balanced.isEmpty {
      var rows: [Int64: Int64] = [:]
      for row in try connection.execute(Self.finalRows, [.int8(launch)]) { rows[row.int(0) ?? 0] = row.int(1) }
      let done = balanced.compactMap { lane -> Int64? in
        guard let channel = lane.int(0), let final = lane.int(1), rows[channel] == final else { return nil }
        return channel
      }
      let doubtful = balanced.compactMap { $0.bool(2) == true ? $0.int(0) : nil }.filter(done.contains)
      try sendAgain(doubtful, options, connection)
      // Not those that go on with what was just put into chunks.
      try connection.execute(Self.lanesDone, [.int8(launch), .int8Array(done)])
    }
    let waits = try options.unknown == .ask && isAnyUnknown(connection)
    let end: LaunchState = waits ? .needsDecision : .finished
    try connection.execute(Self.launchEnded, [.int8(launch), .text(end.rawValue)])
    return try read(connection).state
  }

  private static let isAnyEvidence = """
    select exists (select from salvo.late_evidence where launch_id = $1 and outcome = 7)
    """

  /// Unknown messages that the policy sends again, and, under any policy, those that a runner which lost its lease is
  /// known not to have sent.
  private func sendAgain(_ channels: [Int64], _ options: LaunchOptions, _ connection: Connection) throws {
    guard !channels.isEmpty else { return }
    let resends = options.unknown == .resend
    // Looking for them reads every message of the launch.
    guard try resends || connection.execute(Self.isAnyEvidence, [.int8(launch)]).first?.bool(0) == true else { return }
    let choice = ResendChunks.Choice(
      outcomes: [.unknown], channels: channels, unknownAttempts: resends ? options.unknownAttempts : 0)
    _ = try ResendChunks(launch: launch, choice: choice).write(connection)
  }

  private func isAnyUnknown(_ connection: Connection) throws -> Bool {
    try connection.execute(Self.isAnyUnknown, [.int8(launch)]).first?.bool(0) ?? false
  }

  private func read(_ connection: Connection) throws -> (state: LaunchState, options: LaunchOptions) {
    guard let row = try connection.execute(Self.launchRow, [.int8(launch)]).first else {
      throw StoreError(.notFound, "there is no launch \(launch)")
    }
    guard let state = row.text(0).flatMap(LaunchState.init(rawValue:)) else {
      throw StoreError(.version, "launch \(launch) has a state that this version of Salvo doesn't know")
    }
    return (state, try StoredJSON.read(row.text(1), .content, "launch \(launch)", LaunchOptions.init(json:)))
  }
}
