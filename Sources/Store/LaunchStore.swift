public import Base
public import Campaign
public import Postgres

/// Launches and lanes: load, plan, progress, finish.
public struct LaunchStore: Sendable {
  let database: Database
  public init(_ database: Database) { self.database = database }

  /// The launch with its campaign and account, texts and options checked.
  /// - Throws: `StoreError` `.notFound`, `.content`, `.away`.
  public func load(_ id: Int64) async throws -> Launch { throw StoreError(.notFound, "") }

  /// The channels that have recipients in the launch, or lanes once it is planned.
  public func channels(of launch: Int64) async throws -> [Channel] { [] }

  /// Plans once: draft or scheduled → planning → running; frozen audience, lanes, chunks, duplicates. Returns at once
  /// when the launch is planned already; waits when another runner is planning.
  /// - Throws: `StoreError` `.state` when the launch can't run: cancelled, missed, no recipients …
  public func plan(_ launch: Int64, sizing: [LaneSizing]) async throws {}

  public func lanes(of launch: Int64) async throws -> [LaneRecord] { [] }
  public func progress(of launch: Int64) async throws -> [LaneProgress] { [] }

  /// Running → finished when every chunk is done, no window is open, accepted or in doubt, and nothing remains.
  /// - Returns: the launch's state afterwards.
  public func finish(_ launch: Int64) async throws -> LaunchState { .running }

  public func stopLane(_ launch: Int64, channel: Int64, reason: String) async throws {}
  public func coolLane(_ launch: Int64, channel: Int64, until: EpochMilliseconds) async throws {}
  /// The operator starts the launch again: stopped lanes run, their breaker counters begin anew.
  public func resumeLanes(_ launch: Int64) async throws {}
}
