internal import Base
internal import Campaign
internal import Postgres

/// The provider's word about an accepted window, written once. The chunk is not touched: its cursor moved on when the
/// window was accepted.
struct WindowSettling {
  let window: AcceptedWindow
  let rows: [DeliveryRow]
  /// The database refused the rows together before: each is tried by itself.
  var isApart = false

  /// Compare-and-swap: of several settlers one writes.
  private static let settle = """
    update salvo.send_window
    set state = 3, closed_at = now(), next_poll_at = null, sent = sent + $5, token_retired = token_retired + $6,
      rejected = rejected + $7, expired = expired + $8, skipped = skipped + $9, unknown = unknown + $10,
      deferred = deferred + $11
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $4 and state = 4
    """

  /// - Returns: false when it was settled before.
  func write(_ connection: Connection) throws -> Bool {
    try connection.transaction { connection in
      let parameters = window.keyParameters + OutcomeCounts(rows).parameters
      guard try connection.execute(Self.settle, parameters).affected == 1 else { return false }
      let place = WindowPlace(
        launchID: window.launchID, channelID: window.channelID, chunkNo: window.chunkNo, windowNo: window.windowNo,
        attempt: window.attempt, isApart: isApart)
      try place.write(rows, token: 0, verdicts: 0, dead: 0, to: connection)
      return true
    }
  }

  private static let isSettled = """
    select from salvo.send_window
    where launch_id = $1 and channel_id = $2 and chunk_no = $3 and window_no = $4 and state = 3
    """

  /// After a first try of unknown end. Should it be settled, it was most likely by that: nobody can tell, and for the
  /// books it is the same.
  func writeAgain(_ connection: Connection) throws -> Bool {
    if try write(connection) { return true }
    return try !connection.execute(Self.isSettled, window.keyParameters).isEmpty
  }
}

extension AcceptedWindow {
  /// $1 to $4 of the statements about it.
  var keyParameters: [Parameter] {
    [.int8(launchID), .int8(channelID), .int4(chunkNo), .int4(windowNo)]
  }
}
