public import Campaign

/// What is known of a window whose results could not be written under its lease.
public struct Testimony: Sendable, Equatable {
  /// The launch's id.
  public var launchID: Int64
  /// The channel's id.
  public var channelID: Int64
  /// The lease's fencing token, as it was.
  public var token: Int64
  /// Which attempt at the messages it was.
  public var attempt: Int16
  /// A row a message that something is known of: those that were never handed over are deferred.
  public var rows: [DeliveryRow]
  /// Tokens that the provider called dead.
  public var retirements: [Retirement]
  /// `fenced`: by the runner itself. `spool`: from a file that it left.
  public var source: String

  /// What the runner knew when it lost the chunk, under the token it had then.
  public init(
    launchID: Int64, channelID: Int64, token: Int64, attempt: Int16, rows: [DeliveryRow],
    retirements: [Retirement] = [],
    source: String
  ) {
    self.launchID = launchID
    self.channelID = channelID
    self.token = token
    self.attempt = attempt
    self.rows = rows
    self.retirements = retirements
    self.source = source
  }

  /// - Parameter keys: all of the window's. Those that `result` doesn't tell of were never handed over; of those that
  ///   a provider accepted it alone can tell.
  public init(of keys: [RecipientKey], under lease: ChunkLease, result: WindowResult) {
    let told = Set(result.rows.map(\.key)).union(result.accepted)
    let unsent = keys.filter { !told.contains($0) }.map {
      DeliveryRow(key: $0, outcome: .deferred, reason: "not_handed_over")
    }
    self.init(
      launchID: lease.launchID, channelID: lease.channelID, token: lease.token, attempt: lease.attempt,
      rows: result.rows + unsent, retirements: result.retirements, source: "fenced")
  }
}
