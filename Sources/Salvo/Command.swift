import Base
import Pipeline
import Postgres
import Store

/// One command: its options read, then run.
protocol Command: Sendable {
  static var spec: CommandSpec { get }
  /// - Throws: `UsageError`.
  init(_ arguments: Arguments) throws
  /// - Returns: the exit code.
  func run() async throws -> Int32
}

extension Arguments {
  /// Where credential files are; nil when nobody says.
  var credentialsFolder: String? {
    text("--credentials") ?? Environment.value("SALVO_CREDENTIALS") ?? Environment.value("CREDENTIALS_DIRECTORY")
  }

  /// - Throws: `UsageError` when `--log` names no form.
  func logFormat() throws(UsageError) -> Log.Format {
    let form = text("--log") ?? "text"
    guard let format = Log.Format(rawValue: form) else { throw UsageError("--log is text or json, not \"\(form)\"") }
    return format
  }
}

/// What every command on the database needs from flags and environment.
struct ProcessSettings: Sendable {
  let conninfo: String
  let connections: Int
  let log: Log

  init(_ arguments: Arguments) throws(UsageError) {
    conninfo = arguments.text("--database") ?? ""
    connections = Int(try arguments.int("--db-connections", in: 1...64) ?? 3)
    log = Log(format: try arguments.logFormat())
  }

  /// One control connection and the data connections.
  func database() -> Database {
    Database(conninfo: conninfo, applicationName: "salvo", connections: connections + 1)
  }

  /// The same, its schema being this version's.
  /// - Throws: `StoreError` saying what to do about another one.
  func migratedDatabase() async throws -> Database {
    let database = database()
    try await Migrator(database).check()
    return database
  }
}

extension LaunchRun.Settings {
  /// From the flags of a command that prepares channels, then the environment; a flag it hasn't got is nobody's.
  init(_ arguments: Arguments) throws(UsageError) {
    self.init(
      credentialsFolder: arguments.credentialsFolder,
      extraCAFile: arguments.text("--ca-file") ?? Environment.value("SALVO_CA_FILE"),
      stateFolder: arguments.text("--state") ?? Environment.value("SALVO_STATE")
        ?? Environment.value("STATE_DIRECTORY"),
      memory: Int(try arguments.int("--memory", in: 1...4096) ?? 24) << 20)
  }
}
