/// One step of the schema: numbered, applied once, in order.
public struct Migration: Sendable {
  /// 1 for `0001_schema.sql`; the schema's version after it was applied.
  public let version: Int
  public let name: String
  /// The SQL text, several statements, run in one transaction.
  public let sql: [UInt8]
}

/// Every migration this binary carries, oldest first. The last one's version is the version it needs.
public let migrations: [Migration] = [
  Migration(version: 1, name: "0001_schema", sql: PackageResources._001_schema_sql),
  Migration(version: 2, name: "0002_functions", sql: PackageResources._002_functions_sql),
  Migration(version: 3, name: "0003_views", sql: PackageResources._003_views_sql),
  Migration(version: 4, name: "0004_jobs", sql: PackageResources._004_jobs_sql),
  Migration(version: 5, name: "0005_house", sql: PackageResources._005_house_sql),
  Migration(version: 6, name: "0006_inbox", sql: PackageResources._006_inbox_sql),
  Migration(version: 7, name: "0007_targets", sql: PackageResources._007_targets_sql),
]
