public import Postgres

/// `salvo.runner`: who runs, for people. Nothing reads it to decide.
public struct RunnerStore: Sendable {
  let database: Database
  let owner: String
  let host: String
  let pid: Int32

  /// - Parameter owner: as leases carry it.
  public init(_ database: Database, owner: String, host: String, pid: Int32) {
    self.database = database
    self.owner = owner
    self.host = host
    self.pid = pid
  }

  private static let beat = """
    insert into salvo.runner (owner, host, pid, version) values ($1, $2, $3, $4)
    on conflict (owner) do update set seen_at = now()
    """

  /// Says that this process is there.
  public func beat(version: String) async throws {
    try await database.perform("saying that this runner is there") { [self] connection in
      try connection.execute(Self.beat, [.text(owner), .text(host), .int4(pid), .text(version)])
    }
  }
}
