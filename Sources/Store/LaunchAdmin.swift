public import Base
public import Campaign
public import Postgres

/// A launch as a list shows it.
public struct LaunchListing: Sendable {
  public var id: Int64
  public var state: LaunchState
  public var campaignName: String
  public var planned: Int64
  public var remaining: Int64
  public var createdAt: String
}

/// What the command line and platforms do with launches before they run.
public struct LaunchAdmin: Sendable {
  let database: Database
  public init(_ database: Database) { self.database = database }
  public func create(
    campaign: Int64, content: JSON, options: JSON, notBefore: String?, notAfter: String?
  ) async throws -> Int64 { 0 }
  public func list(limit: Int64) async throws -> [LaunchListing] { [] }
  public func audienceAll(launch: Int64, channels: [Int64]) async throws -> Int64 { 0 }
}
