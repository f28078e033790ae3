internal import Base
internal import Campaign
internal import Postgres

/// What the next holder of a chunk does first, in the transaction that takes it: it accounts for the windows that the
/// former left open. Their messages may have been sent or not; each becomes `unknown` on the same attempt, by the
/// window's own list and never by reading the audience again, which may have changed.
struct WindowRecovery {
  let lease: ChunkLease
  let takeover: Takeover
  let owner: String
  /// The database refused the rows together before: each is tried by itself.
  var isApart = false

  private static let open = """
    select window_no, attempt, ids from salvo.send_window
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and state = 0 and token < $4
    order by window_no for update
    """

  /// With the new token: whoever left it open must find it taken.
  private static let doubt = """
    update salvo.send_window set state = 2, closed_at = now(), token = $4, skipped = $6, unknown = $7
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $5 and state = 0
    """

  private static let accept = """
    update salvo.send_window
    set state = 4, accepted_at = now(), token = $4, skipped = $6, unknown = $7, ids = $8
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $5 and state = 0
    """

  private static let moveCursor = """
    update salvo.chunk set cursor_profile = $5, cursor_subscription = $6
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and token = $4 and state = 1
    """

  private static let active = """
    select s.profile_id, s.id from unnest($2::bigint[], $3::bigint[]) u(profile_id, id)
    join salvo.subscription s on s.profile_id = u.profile_id and s.id = u.id
    where s.channel_id = $1 and s.state = 'active'
    """

  /// - Returns: the lease with its cursor past what was left open.
  func write(_ connection: Connection) throws -> ChunkLease {
    var lease = lease
    var left = LeftBehind(owner: owner)
    for row in try connection.execute(Self.open, lease.guardParameters) {
      guard let number = row.int(0).flatMap(Int32.init(exactly:)),
        let attempt = row.int(1).flatMap(Int16.init(exactly:)),
        let ids = row.bytes(2)
      else { throw StoreError(.refused, "launch \(lease.launchID): a row of salvo.send_window can't be read") }
      let window = try account(KeyList.decode(ids), connection)
      left.unknown += window.rows.count { $0.outcome == .unknown }
      left.awaited += window.awaited.count
      lease.cursor = max(lease.cursor, window.last)
      let counts: [Parameter] = [
        .int4(number), .int4(Int32(clamping: window.rows.count { $0.outcome == .skipped })),
        .int4(Int32(clamping: window.rows.count { $0.outcome == .unknown })),
      ]
      if window.awaited.isEmpty {
        try connection.execute(Self.doubt, lease.guardParameters + counts)
      } else {
        try connection.execute(Self.accept, lease.guardParameters + counts + [.bytes(KeyList.encode(window.awaited))])
      }
      let place = WindowPlace(
        launchID: lease.launchID, channelID: lease.channelID, chunkNo: lease.chunkNo, windowNo: number,
        attempt: attempt, isApart: isApart)
      let refused = try place.write(window.rows, token: lease.token, verdicts: 0, dead: 0, to: connection)
      left.unknown -= refused.count { $0.row.outcome == .unknown }
    }
    guard left.unknown > 0 || left.awaited > 0 || lease.cursor > self.lease.cursor else { return lease }
    // Its holder may have left word before it went.
    if left.unknown > 0 {
      left.unknown -= try EvidenceSettling(launch: lease.launchID, channel: lease.channelID).write(connection)
    }
    lease.leftBehind = left
    try connection.execute(
      Self.moveCursor,
      lease.guardParameters + [.int8(lease.cursor.profileID), .int8(lease.cursor.subscriptionID)])
    return lease
  }

  private struct Accounted {
    var rows: [DeliveryRow] = []
    var awaited: [RecipientKey] = []
    var last: RecipientKey
  }

  private func account(_ keys: [RecipientKey], _ connection: Connection) throws -> Accounted {
    var window = Accounted(last: keys.last ?? lease.cursor)
    let skip = Set(lease.skip)
    let older = Set(lease.older)
    let asked = takeover.settlesLater ? try stillActive(keys, connection) : []
    for key in keys {
      if skip.contains(key) {
        window.rows.append(DeliveryRow(key: key, outcome: .skipped, reason: "duplicate", uid: takeover.uid(key)))
      } else if older.contains(key) {
        window.rows.append(DeliveryRow(key: key, outcome: .skipped, reason: "not_most_recent", uid: takeover.uid(key)))
      } else if asked.contains(key) {
        window.awaited.append(key)
      } else {
        // Counted as handed over once: nobody knows that it wasn't.
        window.rows.append(
          DeliveryRow(key: key, outcome: .unknown, reason: "in_doubt", requests: 1, uid: takeover.uid(key)))
      }
    }
    return window
  }

  /// Those that the transfer held for sure if it was made at all: who isn't active now may not have been then either.
  private func stillActive(_ keys: [RecipientKey], _ connection: Connection) throws -> Set<RecipientKey> {
    let rows = try connection.execute(
      Self.active,
      [.int8(lease.channelID), .int8Array(keys.map(\.profileID)), .int8Array(keys.map(\.subscriptionID))])
    return Set(
      rows.compactMap { row in
        guard let profile = row.int(0), let subscription = row.int(1) else { return nil }
        return RecipientKey(profileID: profile, subscriptionID: subscription)
      })
  }
}
