internal import Base
public import Campaign
public import Postgres

/// Leases of chunks and the rows in them.
public struct ChunkStore: Sendable {
  let database: Database
  /// Random per process start: never a host or pod name alone.
  let owner: String
  let terms: LeaseTerms

  /// - Parameters:
  ///   - owner: written into the rows for people; ownership itself is the token's.
  ///   - lease: seconds until others may take a chunk that its holder says nothing of.
  public init(_ database: Database, owner: String, lease: Double = 60) {
    self.database = database
    self.owner = owner
    terms = LeaseTerms(seconds: lease)
  }

  // MARK: Claim

  /// One row, whatever the lane holds: the launch's and the lane's state, what is left, when the next becomes due by
  /// the runner's clock (chunks wait by the planning clock), who switched it off.
  private static let survey = """
    select l.state, n.state, n.stop_reason,
      (select count(*) from salvo.chunk c
        where c.launch_id = n.launch_id and c.channel_id = n.channel_id and c.state in (0, 1)),
      (select now() + (min(c.not_before) - salvo.now()) from salvo.chunk c
        where c.launch_id = n.launch_id and c.channel_id = n.channel_id and c.state = 0
          and c.not_before > salvo.now() and not exists (select from salvo.chunk h
            where h.launch_id = n.launch_id and h.channel_id = n.channel_id and h.state = 1)),
      \(HaltReason.switchedOff)
    from salvo.lane n join salvo.launch l on l.id = n.launch_id \(HaltReason.switches)
    where n.launch_id = $1 and n.channel_id = $2
    """

  /// Free for the taking. Should its last holder have vanished with a window open, whoever takes it accounts for that
  /// first (`WindowRecovery`).
  private static let isFree = """
    c.state in (0, 1) and (c.lease_until is null or c.lease_until < now())
      and (c.not_before is null or c.not_before <= salvo.now())
    """

  /// Read without locks, in random order so that runners don't queue for the same row. A lane has at most a few
  /// hundred chunks per million recipients: a range of the primary key, read to its end.
  private static let candidates = """
    select c.chunk_no from salvo.chunk c
    where c.launch_id = $1 and c.channel_id = $2 and \(isFree)
    order by random() limit 8
    """

  /// Compare-and-swap on one row. When another runner was faster, the row is looked at again after its commit, and no
  /// longer free.
  private static let take = """
    update salvo.chunk c
    set state = 1, owner = $4, token = c.token + 1, lease_until = now() + make_interval(secs => $5)
    from salvo.launch l join salvo.campaign m on m.id = l.campaign_id join salvo.account a on a.id = m.account_id,
      salvo.lane n
    where c.launch_id = $1 and c.channel_id = $2 and c.chunk_no = $3 and \(isFree)
      and l.id = c.launch_id and l.state = 'running'
      and n.launch_id = c.launch_id and n.channel_id = c.channel_id and n.state = 'running'
    returning c.token, c.kind, c.attempt, c.cursor_profile, c.cursor_subscription, c.hi_profile, c.hi_subscription,
      c.planned, c.skip_ids, c.ids, c.launch_id, c.channel_id, c.older_ids,
      case when l.options ->> 'local_time' is not null or l.options ->> 'quiet_hours' is not null
        then salvo.chunk_due(l.options, c.zone, salvo.launch_day(l.not_before, a.settings), l.started_at) end
    """

  private static let lastOwner = """
    select owner from salvo.chunk where launch_id = $1 and channel_id = $2 and chunk_no = $3
    """

  /// Leases one chunk of the lane by compare-and-swap. What a vanished holder left open in it is accounted for in the
  /// same transaction, and told by the lease.
  public func claim(launch: Int64, channel: Int64, takeover: Takeover = Takeover()) async throws -> Claim {
    try await database.perform("leasing a chunk of launch \(launch)") { connection in
      let lane: [Parameter] = [.int8(launch), .int8(channel)]
      guard let survey = try connection.execute(Self.survey, lane).first else {
        throw StoreError(.notFound, "launch \(launch) has no lane for channel \(channel)")
      }
      guard (survey.int(3) ?? 0) > 0 else { return .done }
      let halt = HaltReason(
        launch: survey.text(0), lane: survey.text(1), stopReason: survey.text(2), switchedOff: survey.text(5))
      if let halt {
        return .halted(halt)
      }
      for candidate in try connection.execute(Self.candidates, lane) {
        guard let number = candidate.int(0), let chunkNo = Int32(exactly: number) else { continue }
        let lease: ChunkLease?
        do {
          lease = try connection.transaction { try take(chunkNo, lane, takeover, $0) }
        } catch let error as PostgresError where error.isAboutData {
          // A row that is there already, say: it must not keep the chunk from everybody for good.
          lease = try connection.transaction { try take(chunkNo, lane, takeover, isApart: true, $0) }
        }
        if let lease { return .leased(lease) }
      }
      return .nothing(nextDue: survey.timestamp(4))
    }
  }

  /// - Returns: nil when another runner was faster.
  private func take(
    _ chunkNo: Int32, _ lane: [Parameter], _ takeover: Takeover, isApart: Bool = false, _ connection: Connection
  ) throws -> ChunkLease? {
    let chunk = lane + [.int4(chunkNo)]
    let former = try connection.execute(Self.lastOwner, chunk).first?.text(0)
    guard let row = try connection.execute(Self.take, chunk + [.text(owner), .double(terms.seconds)]).first else {
      return nil
    }
    guard let lease = ChunkLease(chunk: chunkNo, row: row) else {
      throw StoreError(.refused, "chunk \(chunkNo) can't be read")
    }
    return try WindowRecovery(lease: lease, takeover: takeover, owner: former ?? "unknown", isApart: isApart).write(
      connection)
  }

  // MARK: End of a lease

  private static let giveBack = """
    update salvo.chunk set state = 0, owner = null, lease_until = null
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
    """

  /// Gives the lease back; what is not accounted in the chunk is for the next one. Does nothing when fenced.
  public func release(_ lease: ChunkLease) async throws {
    try await database.perform("giving a chunk of launch \(lease.launchID) back") { connection in
      try connection.execute(Self.giveBack, lease.guardParameters)
    }
  }

  private static let finish = """
    update salvo.chunk set state = 2, owner = null, lease_until = null
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
      and (cursor_profile, cursor_subscription) = (hi_profile, hi_subscription)
    """

  private static let isHeld = """
    select from salvo.chunk
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
    """

  /// Marks the chunk done: its cursor is at its end. Does nothing when fenced.
  /// - Throws: `StoreError` `.refused` when the cursor is not at its end: recipients vanished from the launch.
  public func complete(_ lease: ChunkLease) async throws {
    try await database.perform("completing a chunk of launch \(lease.launchID)") { connection in
      guard try connection.execute(Self.finish, lease.guardParameters).affected == 0 else { return }
      guard try connection.execute(Self.isHeld, lease.guardParameters).isEmpty else {
        throw StoreError(
          .refused,
          "launch \(lease.launchID): chunk \(lease.chunkNo) of channel \(lease.channelID) has no more recipients, but "
            + "its end isn't reached: rows of salvo.recipient were deleted after the plan")
      }
    }
  }

  // MARK: Rows

  /// Reads what is left of the chunk by one COPY, ascending by key.
  public func read(_ lease: ChunkLease, columns: PersonalColumns) async throws -> RecipientPage {
    try await database.perform("reading a chunk of launch \(lease.launchID)") { connection in
      try RecipientReader(lease, columns).read(from: connection)
    }
  }
}

extension ChunkLease {
  /// $1 to $4 of every statement that the token guards.
  var guardParameters: [Parameter] { [.int8(launchID), .int8(channelID), .int4(chunkNo), .int8(token)] }

  /// What `ChunkStore.take` returned; nil when a column isn't what the schema says.
  fileprivate init?(chunk chunkNo: Int32, row: Row) {
    guard let token = row.int(0), let kind = row.text(1), let attempt = row.int(2).flatMap(Int16.init(exactly:)),
      let cursorProfile = row.int(3), let cursorSubscription = row.int(4), let upperProfile = row.int(5),
      let upperSubscription = row.int(6), let planned = row.int(7).flatMap(Int32.init(exactly:)),
      let kind = Kind(rawValue: kind), let launch = row.int(10), let channel = row.int(11)
    else { return nil }
    self.init(
      launchID: launch, channelID: channel, chunkNo: chunkNo, kind: kind, attempt: attempt, token: token,
      cursor: RecipientKey(profileID: cursorProfile, subscriptionID: cursorSubscription),
      upper: RecipientKey(profileID: upperProfile, subscriptionID: upperSubscription), planned: planned,
      skip: row.bytes(8).map(KeyList.decode) ?? [], older: row.bytes(12).map(KeyList.decode) ?? [],
      ids: row.bytes(9).map(KeyList.decode), dueAt: row.timestamp(13))
  }
}
