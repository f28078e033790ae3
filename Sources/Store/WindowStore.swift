public import Campaign
public import Postgres

/// Windows: the intent before sending, the results after.
public struct WindowStore: Sendable {
  let database: Database
  let terms: LeaseTerms

  /// - Parameter lease: as the `ChunkStore` that gave the leases has it.
  public init(_ database: Database, lease: Double = 60) {
    self.database = database
    terms = LeaseTerms(seconds: lease)
  }

  // MARK: Open and close

  /// Commits the intent to send exactly `keys`, renews the lease. Nothing may be sent before it returns `.opened`.
  /// - Parameters:
  ///   - requestTimeout: seconds that one of the window's requests may take; sending ends so much before the lease.
  ///   - isRepeated: an earlier call with the same keys threw `.away`, and may have opened the window.
  public func open(
    _ lease: ChunkLease, keys: [RecipientKey], requestTimeout: Double = 20, isRepeated: Bool = false
  ) async throws -> OpenResult {
    let opening = WindowOpening(lease: lease, keys: keys, terms: terms, requestTimeout: requestTimeout)
    return try await database.performTwice(
      "opening a window of launch \(lease.launchID)",
      { isRepeated ? try opening.writeAgain($0) : try opening.write($0) }, again: { try opening.writeAgain($0) })
  }

  /// Results, cursor, counts, retry chunk for the deferred, retirements and breaker counters in one transaction; the
  /// window is closed, or accepted when `accepted` is not empty. Renews the lease. Runs to its end also in a cancelled
  /// task, and may be repeated: a window that was closed under this lease is `.closed`.
  /// A row that the database refuses for its own sake takes none of the others with it: `.closedWithout`.
  /// - Throws: `StoreError` `.away`: the window may be closed or not, close it again; `.refused`: nothing was written;
  ///   `.historyLost`: the window was committed and is not there any more.
  public func close(_ window: OpenWindow, of lease: ChunkLease, result: WindowResult) async throws -> CloseResult {
    let closing = WindowClosing(window: window, lease: lease, result: result, terms: terms)
    var apart = closing
    apart.isApart = true
    return try await database.uncancelled { [database, apart] in
      try await database.performTwice(
        "closing a window of launch \(lease.launchID)",
        { try $0.orApart({ try closing.write($0) }, { try apart.write($0) }) },
        again: { try $0.orApart({ try closing.writeAgain($0) }, { try apart.writeAgain($0) }) })
    }
  }

  /// Keeps what is known of a window that can't be closed any more, and settles the unknown messages that it tells of.
  /// Runs to its end also in a cancelled task.
  /// - Returns: how many unknown messages were settled.
  public func testify(_ testimony: Testimony) async throws -> Int {
    let evidence = LateEvidence(testimony: testimony)
    return try await database.uncancelled { [database] in
      // Said twice does no harm: no key forbids it, and a message is settled once.
      try await database.performTwice(
        "keeping late evidence of launch \(testimony.launchID)", { try evidence.write($0) },
        again: { try evidence.write($0) })
    }
  }

  // MARK: Settle

  private static let questionDue = """
    select extract(epoch from min(coalesce(next_poll_at, accepted_at)) - now())::float8 from salvo.send_window
    where launch_id = $1 and channel_id = $2 and state = 4
    """

  /// Seconds until the first of the lane's windows that wait for the provider's word should be asked about, 0 or less
  /// when that is now; nil when none waits.
  public func questionDue(launch: Int64, channel: Int64) async throws -> Double? {
    try await database.perform("looking for accepted windows of launch \(launch)") { connection in
      try connection.execute(Self.questionDue, [.int8(launch), .int8(channel)]).first?.double(0)
    }
  }

  /// The partial index on windows whose end is open holds these and few others. The size of a value needs no reading of
  /// it.
  private static let acceptedRows = """
    select chunk_no, window_no, id, attempt, octet_length(ids), extract(epoch from now() - accepted_at)::float8,
      next_poll_at is not null
    from salvo.send_window
    where launch_id = $1 and channel_id = $2 and state = 4 and (next_poll_at is null or next_poll_at <= now())
    order by accepted_at, id
    """

  /// Windows of the lane that wait for the provider's word and are due to be asked about, the oldest first.
  public func accepted(launch: Int64, channel: Int64) async throws -> [AcceptedWindow] {
    try await database.perform("reading accepted windows of launch \(launch)") { connection in
      try connection.execute(Self.acceptedRows, [.int8(launch), .int8(channel)]).map { row in
        guard let chunkNo = row.int(0).flatMap(Int32.init(exactly:)),
          let windowNo = row.int(1).flatMap(Int32.init(exactly:)), let id = row.int(2),
          let attempt = row.int(3).flatMap(Int16.init(exactly:)), let bytes = row.int(4)
        else { throw StoreError(.refused, "launch \(launch): a row of salvo.send_window can't be read") }
        return AcceptedWindow(
          launchID: launch, channelID: channel, chunkNo: chunkNo, windowNo: windowNo, id: id, attempt: attempt,
          messages: Int(bytes) / KeyList.bytesPerKey, age: row.double(5) ?? 0, isAsked: row.bool(6) ?? false)
      }
    }
  }

  private static let acceptedKeys = """
    select ids from salvo.send_window
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $4 and state = 4
    """

  /// The messages of an accepted window; none when it was settled meanwhile.
  public func keys(of window: AcceptedWindow) async throws -> [RecipientKey] {
    try await database.perform("reading an accepted window of launch \(window.launchID)") { connection in
      KeyList.decode(try connection.execute(Self.acceptedKeys, window.keyParameters).first?.bytes(0) ?? [])
    }
  }

  private static let postponed = """
    update salvo.send_window set next_poll_at = now() + make_interval(secs => $5)
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $4 and state = 4
      and (next_poll_at is null or next_poll_at <= now())
    """

  /// Nobody else asks the provider about the window for so many seconds: whoever runs, the quota of questions is one.
  /// - Returns: false when it isn't due any more, because another runner does this.
  public func postpone(_ window: AcceptedWindow, seconds: Double) async throws -> Bool {
    try await database.perform("postponing a window of launch \(window.launchID)") { connection in
      try connection.execute(Self.postponed, window.keyParameters + [.double(seconds)]).affected == 1
    }
  }

  /// Writes the results of an accepted window, once: false when somebody else did. Runs to its end also in a cancelled
  /// task.
  public func settle(_ window: AcceptedWindow, rows: [DeliveryRow]) async throws -> Bool {
    let settling = WindowSettling(window: window, rows: rows)
    var apart = settling
    apart.isApart = true
    return try await database.uncancelled { [database, apart] in
      try await database.performTwice(
        "settling a window of launch \(window.launchID)",
        { try $0.orApart({ try settling.write($0) }, { try apart.write($0) }) },
        again: { try $0.orApart({ try settling.writeAgain($0) }, { try apart.writeAgain($0) }) })
    }
  }
}
