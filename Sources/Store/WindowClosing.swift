internal import Base
internal import Campaign
internal import Postgres

/// A window's results. Rows, cursor, counts, retry chunks and retirements move together or not at all.
///
/// Locks are taken in one order everywhere: chunk, window, subscriptions, lane.
struct WindowClosing {
  let window: OpenWindow
  let lease: ChunkLease
  let result: WindowResult
  let terms: LeaseTerms
  /// The database refused the rows together before: each is tried by itself.
  var isApart = false

  private static let moveCursor = """
    update salvo.chunk
    set cursor_profile = $5, cursor_subscription = $6, lease_until = now() + make_interval(secs => $7)
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
      and (cursor_profile, cursor_subscription) <= ($5, $6)
    """

  private static let close = """
    update salvo.send_window
    set state = 1, closed_at = now(), sent = $6, token_retired = $7, rejected = $8, expired = $9, skipped = $10,
      unknown = $11, deferred = $12
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and window_no = $5 and state = 0
    """

  /// The window keeps only the keys whose outcome is still to come; it is planned for what was handed over.
  private static let accept = """
    update salvo.send_window
    set state = 4, accepted_at = now(), sent = $6, token_retired = $7, rejected = $8, expired = $9, skipped = $10,
      unknown = $11, deferred = $12, ids = $13, planned = $14
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and window_no = $5 and state = 0
    """

  /// By arrays, each key with its own token: a device that registered anew while the message was under way keeps its
  /// subscription.
  private static let retire = """
    update salvo.subscription s set state = 'retired', retired_at = now(), retired_reason = u.reason
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) u(profile_id, id, token, reason)
    where s.profile_id = u.profile_id and s.id = u.id and s.token = u.token and s.state = 'active'
    """

  func write(_ connection: Connection) throws -> CloseResult {
    do {
      return try connection.transaction { try update($0) }
    } catch is Fenced {
      return try standing(connection)
    }
  }

  private static let lock = """
    select from salvo.chunk where launch_id = $1 and channel_id = $2 and chunk_no = $3 for update
    """

  /// After a first try of unknown end: the row lock waits until the server is through with it.
  func writeAgain(_ connection: Connection) throws -> CloseResult {
    do {
      return try connection.transaction { connection in
        try connection.execute(Self.lock, Array(lease.guardParameters.prefix(3)))
        if try standing(connection) == .closed { return .closed }
        return try update(connection)
      }
    } catch is Fenced {
      return .fenced
    }
  }

  private static let place = """
    select token = $4 and state in (1, 3, 4) from salvo.send_window
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $5
    """

  /// Closed under this lease already, or taken away from it.
  /// - Throws: `StoreError` `.historyLost` when there is no such window: the database lost what it had committed.
  private func standing(_ connection: Connection) throws -> CloseResult {
    guard let row = try connection.execute(Self.place, windowParameters).first else {
      throw StoreError(
        .historyLost,
        "launch \(lease.launchID): window \(window.windowNo) of chunk \(lease.chunkNo) of channel \(lease.channelID) is"
          + " gone, which was committed before it was sent: the database lost rows, as a standby does that lagged when it"
          + " took over; don't run the launch before that is looked into")
    }
    return row.bool(0) == true ? .closed : .fenced
  }

  private var windowParameters: [Parameter] { lease.guardParameters + [.int4(window.windowNo)] }

  private func update(_ connection: Connection) throws -> CloseResult {
    let cursor = result.cursor
    let moved = try connection.execute(
      Self.moveCursor,
      lease.guardParameters + [
        .int8(cursor.profileID), .int8(cursor.subscriptionID), .double(terms.seconds),
      ])
    guard moved.affected == 1 else { throw Fenced() }

    var parameters = windowParameters + OutcomeCounts(result.rows).parameters
    if !result.accepted.isEmpty {
      let planned = Int32(clamping: result.rows.count + result.accepted.count)
      parameters += [.bytes(KeyList.encode(result.accepted)), .int4(planned)]
    }
    let closed = try connection.execute(result.accepted.isEmpty ? Self.close : Self.accept, parameters)
    guard closed.affected == 1 else { throw Fenced() }

    try Self.retire(result.retirements, connection)
    let place = WindowPlace(
      launchID: lease.launchID, channelID: lease.channelID, chunkNo: lease.chunkNo, windowNo: window.windowNo,
      attempt: lease.attempt, isApart: isApart)
    try writeInbox(connection)
    let refused = try place.write(
      result.rows, token: lease.token, verdicts: result.verdicts, dead: result.dead, to: connection)
    return refused.isEmpty ? .closed : .closedWithout(refused)
  }

  /// The first of a person's devices that got the message makes the row. Ascending, as retirements.
  private static let inbox = """
    insert into salvo.inbox (profile_id, launch_id, content)
    select u.profile_id, $1, u.content::jsonb from unnest($2::bigint[], $3::text[]) u(profile_id, content)
    order by u.profile_id
    on conflict do nothing
    """

  private func writeInbox(_ connection: Connection) throws {
    guard !result.inbox.isEmpty else { return }
    try connection.execute(
      Self.inbox,
      [
        .int8(lease.launchID), .int8Array(result.inbox.map(\.profileID)), .textArray(result.inbox.map(\.content)),
      ])
  }

  static func retire(_ retirements: [Retirement], _ connection: Connection) throws {
    guard !retirements.isEmpty else { return }
    // Ascending, so that two windows with the same devices don't wait for each other.
    let retirements = retirements.sorted { $0.key < $1.key }
    try connection.execute(
      Self.retire,
      [
        .int8Array(retirements.map(\.key.profileID)), .int8Array(retirements.map(\.key.subscriptionID)),
        .textArray(retirements.map(\.token)), .textArray(retirements.map { PostgresText.tidy($0.reason) }),
      ])
  }

  /// The chunk or the window is no longer this lease's; rolls the transaction back.
  private struct Fenced: Error {}
}
