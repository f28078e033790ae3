internal import Migrations
public import Postgres

/// Brings the schema to the version of this binary.
///
/// What was applied stands in `salvo.schema_version`, one row a migration. The table is made beside the first
/// migration, which makes the schema, and anybody may read it: `check` runs under every role.
public struct Migrator: Sendable {
  /// Any number will do as long as it never changes: runs of different versions must meet.
  private static let lock: Int64 = 7_307_219_406_112_001

  let database: Database
  /// - Parameter database: `migrate` needs the role that owns the schema.
  public init(_ database: Database) { self.database = database }

  /// Applies what is missing, each in its own transaction, one process at a time.
  /// - Returns: names of what was applied.
  /// - Throws: `StoreError.version` when the database is newer than this binary; `.away`, `.refused`, then everything
  ///   before the migration it names is applied.
  public func migrate() async throws -> [String] {
    let needed = migrations.last?.version ?? 0
    let place = database.place
    var applied: [String] = []
    for migration in migrations {
      let isApplied = try await run("migration \(migration.name)") { connection in
        try connection.transaction { connection in
          // Others' migrations and long indexes may take their time.
          try connection.execute("set local lock_timeout = 0")
          try connection.execute("set local statement_timeout = 0")
          try connection.execute("select pg_advisory_xact_lock($1)", [.int8(Self.lock)])
          // Read only now: who held the lock before has committed.
          let version = try Self.version(connection)
          guard version <= needed else { throw Self.newer(version, than: needed, at: place) }
          guard version < migration.version else { return false }
          try connection.script(migration.sql)
          try Self.record(migration, connection)
          return true
        }
      }
      if isApplied { applied.append(migration.name) }
    }
    return applied
  }

  /// - Throws: `StoreError.version` when the schema isn't exactly this binary's, saying what to do; `.away`.
  public func check() async throws {
    let needed = migrations.last?.version ?? 0
    let version = try await run("reading the schema's version") { try Self.version($0) }
    if version > needed { throw Self.newer(version, than: needed, at: database.place) }
    if version == 0, needed > 0 {
      throw StoreError(.version, "the database \(database.place) has no Salvo schema: run `salvo migrate`")
    }
    if version < needed {
      throw StoreError(
        .version,
        "the schema in \(database.place) has version \(version), this salvo needs \(needed): run `salvo migrate`")
    }
  }

  /// 0 before the first migration.
  private static func version(_ connection: Connection) throws(PostgresError) -> Int {
    let exists = try connection.execute("select to_regclass('salvo.schema_version') is not null")
    guard exists.first?.bool(0) == true else { return 0 }
    let rows = try connection.execute("select max(version) from salvo.schema_version")
    return Int(rows.first?.int(0) ?? 0)
  }

  private static func record(_ migration: Migration, _ connection: Connection) throws(PostgresError) {
    try connection.execute(
      """
      create table if not exists salvo.schema_version (
        version int primary key, name text not null, applied_at timestamptz not null default now())
      """)
    try connection.execute("grant select on salvo.schema_version to public")
    try connection.execute(
      "insert into salvo.schema_version (version, name) values ($1, $2)",
      [.int4(Int32(truncatingIfNeeded: migration.version)), .text(migration.name)])
  }

  private static func newer(_ version: Int, than needed: Int, at place: String) -> StoreError {
    StoreError(
      .version,
      "the schema in \(place) has version \(version), this salvo knows \(needed): use the salvo that migrated it")
  }

  private func run<Result: Sendable>(
    _ doing: String, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    do {
      return try await database.run(body)
    } catch let error as PostgresError {
      throw StoreError(error, doing: doing, at: database.place)
    }
  }
}
