internal import Base
internal import Campaign
internal import Postgres

/// The intent to send exactly `keys`: one short transaction, committed for good before any of them is sent.
struct WindowOpening {
  let lease: ChunkLease
  let keys: [RecipientKey]
  let terms: LeaseTerms
  let requestTimeout: Double

  /// Asynchronous commit is not for who acts outside on the strength of it. A stricter setting stays.
  static let durably = """
    select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'
    """

  /// Fenced by the token, stopped by the states: whatever was committed before this is obeyed.
  private static let renew = """
    update salvo.chunk c set next_window = c.next_window + 1, lease_until = now() + make_interval(secs => $5)
    from salvo.launch l join salvo.lane n on n.launch_id = l.id \(HaltReason.switches)
    where c.launch_id = $1 and c.channel_id = $2 and c.chunk_no = $3 and c.token = $4 and c.state = 1
      and l.id = c.launch_id and l.state = 'running' and n.channel_id = c.channel_id and n.state = 'running'
      and (n.cool_until is null or n.cool_until <= now()) and a.enabled and h.enabled
      and \(quietUntil) is null
    returning c.next_window - 1
    """

  private static let insert = """
    insert into salvo.send_window (launch_id, channel_id, chunk_no, window_no, token, attempt, planned, ids)
    values ($1, $2, $3, $5, $4, $6, $7, $8)
    returning id
    """

  private static let quietUntil = "salvo.quiet_until(l.options -> 'quiet_hours', c.zone, salvo.now())"

  private static let why = """
    select c.token = $4 and c.state = 1, l.state, n.state, n.stop_reason, n.cool_until, \(HaltReason.switchedOff),
      \(quietUntil)
    from salvo.chunk c
    join salvo.launch l on l.id = c.launch_id
    join salvo.lane n on n.launch_id = c.launch_id and n.channel_id = c.channel_id \(HaltReason.switches)
    where c.launch_id = $1 and c.channel_id = $2 and c.chunk_no = $3
    """

  func write(_ connection: Connection) throws -> OpenResult {
    // Before BEGIN, whose time the lease counts from.
    let start = BootInstant.now
    return try connection.transaction { try insert($0, start) }
  }

  /// Waits until the server is through with the first try.
  private static let extend = """
    update salvo.chunk set lease_until = now() + make_interval(secs => $5)
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
    """

  private static let mine = """
    select window_no, id, ids from salvo.send_window
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 0
    """

  /// After a COMMIT whose answer got lost: with the chunk's row locked, the window is there or will never be.
  func writeAgain(_ connection: Connection) throws -> OpenResult {
    let start = BootInstant.now
    return try connection.transaction { connection in
      let extended = try connection.execute(Self.extend, lease.guardParameters + [.double(terms.seconds)])
      guard extended.affected == 1 else { return .fenced }
      let found = try connection.execute(Self.mine, lease.guardParameters).first
      if let found, let number = found.int(0).flatMap(Int32.init(exactly:)), let id = found.int(1),
        found.bytes(2) == KeyList.encode(keys)
      {
        return .opened(
          OpenWindow(
            windowNo: number, id: id, sendBefore: try terms.sendBefore(from: start, requestTimeout: requestTimeout)))
      }
      return try insert(connection, start)
    }
  }

  private func insert(_ connection: Connection, _ start: BootInstant) throws -> OpenResult {
    try connection.execute(Self.durably)
    let renewed = try connection.execute(Self.renew, lease.guardParameters + [.double(terms.seconds)])
    guard let row = renewed.first else { return try reason(connection) }
    guard let windowNo = row.int(0).flatMap(Int32.init(exactly:)), let planned = Int32(exactly: keys.count) else {
      throw StoreError(.refused, "launch \(lease.launchID): chunk \(lease.chunkNo) has too many windows or keys")
    }
    let inserted = try connection.execute(
      Self.insert,
      lease.guardParameters + [
        .int4(windowNo), .int2(lease.attempt), .int4(planned), .bytes(KeyList.encode(keys)),
      ])
    guard let id = inserted.first?.int(0) else {
      throw StoreError(.refused, "launch \(lease.launchID): the new window has no id")
    }
    return .opened(
      OpenWindow(
        windowNo: windowNo, id: id, sendBefore: try terms.sendBefore(from: start, requestTimeout: requestTimeout)))
  }

  /// Gives the chunk back until its recipients' quiet hours are over.
  private static let wait = """
    update salvo.chunk set state = 0, owner = null, lease_until = null, not_before = $5
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
    """

  /// Why `renew` found nothing.
  private func reason(_ connection: Connection) throws -> OpenResult {
    guard let row = try connection.execute(Self.why, lease.guardParameters).first, row.bool(0) == true else {
      return .fenced
    }
    let halt = HaltReason(
      launch: row.text(1), lane: row.text(2), stopReason: row.text(3), switchedOff: row.text(5))
    if let halt { return .halted(halt) }
    if let until = row.timestamp(6) {
      try connection.execute(Self.wait, lease.guardParameters + [.timestamp(until)])
      return .halted(.quiet)
    }
    // What else there is: it is cooling, or was until a moment ago.
    return .halted(.cooling(until: row.timestamp(4) ?? .now))
  }
}
