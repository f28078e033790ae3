internal import Base
public import Campaign
public import Postgres

/// What operators say to a launch or a lane: by compare-and-set, each word kept in `control_log`. Runners obey when
/// they open their next window.
public struct LaunchCommands: Sendable {
  /// What can be said, to a launch or to one lane of it.
  public enum Word: String, Sendable { case pause, resume, cancel }

  /// What a command found and left behind.
  public struct Done: Sendable, Equatable {
    /// The state before, in the rows' words; a lane that was stopped by a cancel is `cancelled`.
    public var from: String
    /// The state after; the same when the word changed nothing.
    public var to: String
    /// Messages in windows that are open at this moment, and how many windows those are: runners finish them.
    public var messagesInFlight: Int64
    /// Windows that are open at this moment.
    public var windowsInFlight: Int64

    /// States as the rows' words; messages and windows that are open at this moment.
    public init(from: String, to: String, messagesInFlight: Int64, windowsInFlight: Int64) {
      self.from = from
      self.to = to
      self.messagesInFlight = messagesInFlight
      self.windowsInFlight = windowsInFlight
    }

    /// For `job.result`.
    var json: JSON {
      .object(
        JSONObject([
          .init(key: "from", value: .string(from)), .init(key: "to", value: .string(to)),
          .init(key: "messages_in_flight", value: .number("\(messagesInFlight)")),
        ]))
    }
  }

  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: Pause, resume, cancel

  /// Why a cancelled lane is stopped: `salvo run` leaves it so.
  public static let cancelled = "cancelled"

  private static let launchState = "select state from salvo.launch where id = $1 for update"
  private static let setLaunch = "update salvo.launch set state = $2 where id = $1"
  private static let laneState = """
    select case when state = 'stopped' and stop_reason = '\(cancelled)' then '\(cancelled)' else state end
    from salvo.lane where launch_id = $1 and channel_id = $2 for update
    """
  private static let setLane = """
    update salvo.lane
    set state = $3, stop_reason = $4, verdicts = case $3 when 'running' then 0 else verdicts end,
      dead = case $3 when 'running' then 0 else dead end, cool_until = case $3 when 'running' then null else cool_until end
    where launch_id = $1 and channel_id = $2
    """
  private static let inFlight = """
    select coalesce(sum(planned), 0)::bigint, count(*) from salvo.send_window
    where launch_id = $1 and ($2::bigint is null or channel_id = $2) and state = 0
    """
  private static let log = """
    insert into salvo.control_log (launch_id, channel_id, command, from_state, to_state, note)
    values ($1, $2, $3, $4, $5, $6)
    """

  /// - Parameters:
  ///   - channel: nil = the whole launch.
  ///   - job: marked done in the same transaction.
  /// - Throws: `StoreError` `.notFound`; `.state` when the launch or lane can't do it from where it is.
  public func say(_ word: Word, launch: Int64, channel: Int64?, doing job: JobLease? = nil) async throws -> Done {
    let name = channel.map { "channel \($0) of launch \(launch)" } ?? "launch \(launch)"
    return try await database.perform("\(word.rawValue) \(name)") { connection in
      try connection.transaction { connection in
        let place: [Parameter] = [.int8(launch)] + (channel.map { [.int8($0)] } ?? [])
        let state = try connection.execute(channel == nil ? Self.launchState : Self.laneState, place).first?.text(0)
        guard let state else {
          throw StoreError(.notFound, channel == nil ? "there is no \(name)" : "there is no lane for \(name)")
        }
        guard let next = channel == nil ? Self.launchNext(word, state) : Self.laneNext(word, state) else {
          throw StoreError(.state, "\(name) is \(state): it can't \(word.rawValue)")
        }
        if channel == nil {
          if state == LaunchState.missed.rawValue {
            try revive(launch, connection)
          } else {
            try connection.execute(Self.setLaunch, place + [.text(next)])
          }
        } else {
          let isCancelled = next == Self.cancelled
          try connection.execute(
            Self.setLane,
            place + [.text(isCancelled ? "stopped" : next), isCancelled ? .text(Self.cancelled) : .null])
        }
        let scope: [Parameter] = [.int8(launch), channel.map(Parameter.int8) ?? .null]
        let flight = try connection.execute(Self.inFlight, scope).first
        let done = Done(
          from: state, to: next, messagesInFlight: flight?.int(0) ?? 0, windowsInFlight: flight?.int(1) ?? 0)
        try connection.execute(
          Self.log,
          scope + [
            .text(word.rawValue), .text(state), .text(next), .text("\(done.messagesInFlight) messages in flight"),
          ])
        try job?.complete(done.json, connection)
        return done
      }
    }
  }

  private static let reviveLaunch = """
    update salvo.launch set state = 'scheduled', not_before = salvo.now()
    where id = $1 and (not_after is null or not_after > salvo.now())
    """

  /// Due at once, as if this had been its planned time; nothing but a past `not_after` forbids it.
  private func revive(_ launch: Int64, _ connection: Connection) throws {
    guard try connection.execute(Self.reviveLaunch, [.int8(launch)]).affected == 1 else {
      throw StoreError(
        .state, "launch \(launch) is worthless by now, its not_after is past; salvo launch clone \(launch) copies it")
    }
  }

  /// Nil when it can't be.
  private static func launchNext(_ word: Word, _ state: String) -> String? {
    switch (word, LaunchState(rawValue: state)) {
    case (.pause, .running): LaunchState.paused.rawValue
    case (.resume, .paused): LaunchState.running.rawValue
    case (.resume, .missed): LaunchState.scheduled.rawValue
    case (.cancel, .draft), (.cancel, .scheduled), (.cancel, .planning), (.cancel, .running), (.cancel, .paused),
      (.cancel, .needsDecision), (.cancel, .missed):
      LaunchState.cancelled.rawValue
    default: nil
    }
  }

  private static func laneNext(_ word: Word, _ state: String) -> String? {
    switch (word, state) {
    case (.pause, "running"): "paused"
    case (.resume, "paused"), (.resume, "stopped"), (.resume, cancelled): "running"
    case (.cancel, "running"), (.cancel, "paused"), (.cancel, "stopped"): cancelled
    default: nil
    }
  }

  // MARK: Retry

  private static let retryable = ["running", "paused", "finished", "needs_decision"]
  private static let channels = """
    select channel_id from salvo.lane where launch_id = $1 and ($2::bigint is null or channel_id = $2)
    """
  private static let reopen = """
    update salvo.launch set state = 'running', finished_at = null
    where id = $1 and state in ('finished', 'needs_decision')
    """
  /// Asked once more when the launch is locked: `Maintenance` may have begun meanwhile.
  private static let isTrimmed = "select trim_begun_at is not null from salvo.launch where id = $1"

  /// How many messages `retry` would send again.
  public func countRetry(
    launch: Int64, outcomes: [Outcome], reason: String?, channel: Int64?
  ) async throws -> Int64 {
    try await database.perform("counting messages of launch \(launch)") { connection in
      try Self.chunks(launch, outcomes, reason, channel, connection).count(connection)
    }
  }

  /// Puts every message whose final outcome is one of these into chunks of its next attempt; a launch that had ended
  /// runs again.
  /// - Parameter reason: only those with exactly this one.
  /// - Parameter job: marked done in the same transaction.
  /// - Returns: how many messages go again.
  /// - Throws: `StoreError` `.notFound`; `.state` when the launch was never planned, or is cancelled.
  public func retry(
    launch: Int64, outcomes: [Outcome], reason: String?, channel: Int64?, doing job: JobLease? = nil
  ) async throws -> Int64 {
    try await database.perform("sending messages of launch \(launch) again") { connection in
      try connection.transaction { connection in
        let chunks = try Self.chunks(launch, outcomes, reason, channel, connection)
        let again = try chunks.write(connection).values.reduce(0, +)
        guard let state = try connection.execute(Self.launchState, [.int8(launch)]).first?.text(0),
          Self.retryable.contains(state),
          try connection.execute(Self.isTrimmed, [.int8(launch)]).first?.bool(0) == false
        else { throw StoreError(.state, "launch \(launch) has changed meanwhile; nothing is sent again") }
        try job?.complete(.object(JSONObject([.init(key: "messages", value: .number("\(again)"))])), connection)
        guard again > 0 else { return 0 }
        try connection.execute(Self.reopen, [.int8(launch)])
        let words = outcomes.map(\.name).joined(separator: ", ") + (reason.map { " (\($0))" } ?? "")
        try connection.execute(
          Self.log,
          [
            .int8(launch), channel.map(Parameter.int8) ?? .null, .text("retry"), .text(state),
            .text(state == "paused" ? state : "running"), .text("\(again) messages: \(words)"),
          ])
        return again
      }
    }
  }

  private static func chunks(
    _ launch: Int64, _ outcomes: [Outcome], _ reason: String?, _ channel: Int64?, _ connection: Connection
  ) throws -> ResendChunks {
    guard let state = try connection.execute("select state from salvo.launch where id = $1", [.int8(launch)]).first
    else {
      throw StoreError(.notFound, "there is no launch \(launch)")
    }
    guard let state = state.text(0), retryable.contains(state) else {
      throw StoreError(.state, "launch \(launch) is \(state.text(0) ?? "unknown"): nothing of it can be sent again")
    }
    guard try connection.execute(isTrimmed, [.int8(launch)]).first?.bool(0) == false else {
      throw StoreError(.state, "launch \(launch) ended long ago and was trimmed: nothing of it can be sent again")
    }
    let lanes = try connection.execute(channels, [.int8(launch), channel.map(Parameter.int8) ?? .null])
    guard !lanes.isEmpty else {
      throw StoreError(.notFound, "launch \(launch) has no lane" + (channel.map { " for channel \($0)" } ?? ""))
    }
    return ResendChunks(
      launch: launch,
      choice: ResendChunks.Choice(outcomes: outcomes, reason: reason, channels: lanes.compactMap { $0.int(0) }))
  }
}
