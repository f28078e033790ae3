public import Campaign
public import Postgres

/// Windows: the intent before sending, the results after.
public struct WindowStore: Sendable {
  let database: Database
  public init(_ database: Database) { self.database = database }

  /// Commits the intent to send exactly `keys`, renews the lease. Nothing may be sent before it returns `.opened`.
  public func open(_ lease: ChunkLease, keys: [RecipientKey]) async throws -> OpenResult { .fenced }

  /// Results, cursor, counts, retry chunk for the deferred, retirements and breaker counters in one transaction; the
  /// window is closed, or accepted when `accepted` is not empty. Renews the lease.
  public func close(_ window: OpenWindow, of lease: ChunkLease, result: WindowResult) async throws -> CloseResult {
    .fenced
  }

  /// Windows of the lane that wait for the provider's word.
  public func accepted(launch: Int64, channel: Int64) async throws -> [AcceptedWindow] { [] }

  /// Writes the results of an accepted window, once: false when somebody else did.
  public func settle(_ window: AcceptedWindow, rows: [DeliveryRow]) async throws -> Bool { false }
}
