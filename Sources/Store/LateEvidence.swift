internal import Base
internal import Campaign
internal import Postgres

/// What a runner still knew of a window that was taken away from it. It lost the right to send, not the right to
/// testify: its words are kept whatever they say, and those that tell what became of an unknown message settle it.
struct LateEvidence {
  let testimony: Testimony

  private static let copyRows = """
    copy salvo.late_evidence (profile_id, subscription_id, launch_id, channel_id, at, token, attempt, outcome, requests,
      http_status, reason, provider_code, provider_message_id, source)
    from stdin (format binary)
    """

  /// - Returns: how many unknown messages it settled.
  func write(_ connection: Connection) throws -> Int {
    try connection.transaction { connection in
      try copy(connection)
      try WindowClosing.retire(testimony.retirements, connection)
      return try EvidenceSettling(launch: testimony.launchID, channel: testimony.channelID).write(connection)
    }
  }

  func copy(_ connection: Connection) throws {
    let now = EpochMilliseconds.now
    try connection.copyIn(Self.copyRows) { writer in
      for row in testimony.rows {
        writer.row(fields: 14)
        writer.int8(row.key.profileID)
        writer.int8(row.key.subscriptionID)
        writer.int8(testimony.launchID)
        writer.int8(testimony.channelID)
        writer.timestamp(now)
        writer.int8(testimony.token)
        writer.int2(testimony.attempt)
        writer.int2(row.outcome.rawValue)
        writer.int2(row.requests)
        if let status = row.httpStatus { writer.int2(status) } else { writer.null() }
        for text in [row.reason, row.providerCode, row.providerMessageID] {
          if let text { writer.text(PostgresText.tidy(text)) } else { writer.null() }
        }
        writer.text(testimony.source)
      }
    }
  }
}

/// Turns unknown messages of a lane into what late evidence says of them. `delivery` stays as it is: `settlement` has
/// the last word, and the windows' counts follow it.
struct EvidenceSettling {
  let launch: Int64
  let channel: Int64

  /// Whoever puts unknown messages into resend chunks holds it too.
  private static let lock = """
    select from salvo.lane where launch_id = $1 and channel_id = $2 for no key update
    """

  /// The best word a message: sent before refused. What goes again by a chunk of its own is left alone: its next
  /// attempt tells what became of it.
  private static let settle = """
    with settled as (
      insert into salvo.settlement (
        launch_id, channel_id, profile_id, subscription_id, attempt, outcome, reason, source)
      select d.launch_id, d.channel_id, d.profile_id, d.subscription_id, d.attempt, e.outcome, e.reason, e.source
      from (
        select distinct on (profile_id, subscription_id, attempt) *
        from salvo.late_evidence where launch_id = $1 and channel_id = $2 and outcome between 1 and 5
        order by profile_id, subscription_id, attempt, outcome, at
      ) e
      join salvo.delivery d on d.launch_id = $1 and d.profile_id = e.profile_id
        and d.subscription_id = e.subscription_id and d.attempt = e.attempt
      left join salvo.settlement s on s.launch_id = $1 and s.profile_id = d.profile_id
        and s.subscription_id = d.subscription_id and s.attempt = d.attempt
      left join salvo.chunk c on c.launch_id = $1 and c.channel_id = $2 and c.kind = 'resend'
        and c.attempt > d.attempt and position(int8send(d.profile_id) || int8send(d.subscription_id) in c.ids) > 0
      where d.outcome = 6 and s.id is null and c.chunk_no is null
      returning profile_id, subscription_id, attempt, outcome
    ), counted as (
      select d.chunk_no, d.window_no, count(*)::int as messages, count(*) filter (where s.outcome = 1)::int as sent,
        count(*) filter (where s.outcome = 2)::int as token_retired,
        count(*) filter (where s.outcome = 3)::int as rejected, count(*) filter (where s.outcome = 4)::int as expired,
        count(*) filter (where s.outcome = 5)::int as skipped
      from settled s join salvo.delivery d on d.launch_id = $1 and d.profile_id = s.profile_id
        and d.subscription_id = s.subscription_id and d.attempt = s.attempt
      group by d.chunk_no, d.window_no
    )
    update salvo.send_window w
    set unknown = w.unknown - c.messages, sent = w.sent + c.sent, token_retired = w.token_retired + c.token_retired,
      rejected = w.rejected + c.rejected, expired = w.expired + c.expired, skipped = w.skipped + c.skipped,
      state = case when w.state = 2 and w.unknown = c.messages then 3 else w.state end
    from counted c
    where w.launch_id = $1 and w.channel_id = $2 and w.chunk_no = c.chunk_no and w.window_no = c.window_no
    returning c.messages
    """

  /// Inside a transaction.
  /// - Returns: how many messages it settled.
  func write(_ connection: Connection) throws -> Int {
    let lane: [Parameter] = [.int8(launch), .int8(channel)]
    try connection.execute(Self.lock, lane)
    return try connection.execute(Self.settle, lane).reduce(0) { $0 + Int($1.int(0) ?? 0) }
  }
}
