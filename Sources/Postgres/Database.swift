/// A few connections, each with its own thread, shared by everything in the process.
public final class Database: Sendable {
  /// Connects lazily; the first use of a connection may throw.
  public init(conninfo: String, applicationName: String, connections: Int) {}

  /// Runs `body` on a free connection's thread. A connection that broke is opened anew for the next use; what was
  /// running when it broke throws and is never repeated here.
  public func run<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    throw PostgresError(.connection, "not connected")
  }

  /// Host, port, database and user for messages, never the password.
  public var place: String { "" }
}
