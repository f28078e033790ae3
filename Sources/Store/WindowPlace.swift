internal import Base
internal import Campaign
internal import Postgres

/// Whose results are written: the window's key and the attempt, repeated in each of its rows.
struct WindowPlace {
  let launchID: Int64
  let channelID: Int64
  let chunkNo: Int32
  let windowNo: Int32
  let attempt: Int16
  /// The database refused the rows together before: each is tried by itself.
  var isApart = false

  /// Inside the transaction that closes or settles the window, after its counts: rows by COPY, then the lane, whose
  /// row other windows wait for, last.
  /// - Parameters:
  ///   - token: the lease's, under which refused rows testify.
  ///   - verdicts: what the breaker's counters grow by.
  ///   - dead: of them, dead tokens.
  /// - Returns: the rows that were not written and are taken back from the window's counts: none unless `isApart`.
  @discardableResult
  func write(
    _ rows: [DeliveryRow], token: Int64, verdicts: Int64, dead: Int64, to connection: Connection
  ) throws -> [RefusedRow] {
    let now = EpochMilliseconds.now
    var refused: [RefusedRow] = []
    if isApart {
      refused = try connection.writeApart(rows) { try copy($0, at: now, to: connection) }
      if !refused.isEmpty { try takeBack(refused.map(\.row), token: token, connection) }
    } else if !rows.isEmpty {
      try copy(rows, at: now, to: connection)
    }
    let lost = Set(refused.map(\.row.key))
    let retries = RetryChunk.chunks(of: lost.isEmpty ? rows : rows.filter { !lost.contains($0.key) }, now: now)
    if !retries.isEmpty || verdicts != 0 || dead != 0 {
      try add(retries, verdicts: verdicts, dead: dead, to: connection)
    }
    return refused
  }

  // MARK: Refused rows

  private static let uncount = """
    update salvo.send_window
    set sent = sent - $5, token_retired = token_retired - $6, rejected = rejected - $7, expired = expired - $8,
      skipped = skipped - $9, unknown = unknown - $10, deferred = deferred - $11
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $4
    """

  private func takeBack(_ rows: [DeliveryRow], token: Int64, _ connection: Connection) throws {
    try connection.execute(
      Self.uncount,
      [.int8(launchID), .int8(channelID), .int4(chunkNo), .int4(windowNo)] + OutcomeCounts(rows).parameters)
    let testimony = Testimony(
      launchID: launchID, channelID: channelID, token: token, attempt: attempt, rows: rows, source: "refused")
    try LateEvidence(testimony: testimony).copy(connection)
  }

  // MARK: Rows

  private static let copyRows = """
    copy salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, retry_at, chunk_no, window_no, attempt,
      outcome, requests, http_status, reason, provider_code, provider_message_id, detail, message_uid, variant)
    from stdin (format binary)
    """

  private func copy(_ rows: [DeliveryRow], at now: EpochMilliseconds, to connection: Connection) throws {
    try connection.copyIn(Self.copyRows) { writer in
      for row in rows {
        writer.row(fields: 18)
        writer.int8(launchID)
        writer.int8(row.key.profileID)
        writer.int8(row.key.subscriptionID)
        writer.int8(channelID)
        writer.timestamp(now)
        // Exactly the deferred have one.
        if row.outcome == .deferred { writer.timestamp(row.retryAt ?? now) } else { writer.null() }
        writer.int4(chunkNo)
        writer.int4(windowNo)
        writer.int2(attempt)
        writer.int2(row.outcome.rawValue)
        writer.int2(row.requests)
        if let status = row.httpStatus { writer.int2(status) } else { writer.null() }
        for text in [row.reason, row.providerCode, row.providerMessageID, row.detail, row.uid, row.variant] {
          // A provider's words may hold anything.
          if let text { writer.text(PostgresText.tidy(text)) } else { writer.null() }
        }
      }
    }
  }

  // MARK: Lane

  private static let countLane = """
    update salvo.lane set next_chunk = next_chunk + $3, verdicts = verdicts + $4, dead = dead + $5
    where launch_id = $1 and channel_id = $2
    returning next_chunk - $3
    """

  /// The provider's wait is by the true clock, chunks wait by the planning clock. Quiet hours are those of the chunk that
  /// the messages were in.
  private static let addChunk = """
    insert into salvo.chunk (
      launch_id, channel_id, chunk_no, kind, attempt, lo_profile, lo_subscription, hi_profile, hi_subscription,
      cursor_profile, cursor_subscription, planned, not_before, ids, zone)
    values ($1, $2, $3, 'retry', $4, 0, 0, $5, $6, 0, 0, $7, $8 + (salvo.now() - now()), $9,
      (select zone from salvo.chunk where launch_id = $1 and channel_id = $2 and chunk_no = $10))
    """

  private func add(_ retries: [RetryChunk], verdicts: Int64, dead: Int64, to connection: Connection) throws {
    let counted = try connection.execute(
      Self.countLane,
      [.int8(launchID), .int8(channelID), .int4(Int32(clamping: retries.count)), .int8(verdicts), .int8(dead)])
    guard var chunkNo = counted.first?.int(0) else {
      throw StoreError(.refused, "launch \(launchID) has no lane for channel \(channelID)")
    }
    for retry in retries {
      guard let last = retry.keys.last, let number = Int32(exactly: chunkNo) else { continue }
      try connection.execute(
        Self.addChunk,
        [
          .int8(launchID), .int8(channelID), .int4(number), .int2(Int16(clamping: Int(attempt) + 1)),
          .int8(last.profileID), .int8(last.subscriptionID), .int4(Int32(clamping: retry.keys.count)),
          .timestamp(retry.notBefore), .bytes(KeyList.encode(retry.keys)), .int4(self.chunkNo),
        ])
      chunkNo += 1
    }
  }
}
