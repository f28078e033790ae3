import Base
import Campaign
import Monitor
import Pipeline
import Postgres
import Signing
import Store

/// `--listen` and `--metrics-file` of a command that sends.
struct Monitoring: Sendable {
  static let options: [CommandSpec.Option] = [
    .init(name: "--listen", value: "ADDRESS:PORT", help: "page of launches, /metrics, /healthz, /readyz"),
    .init(
      name: "--listen-token", value: "REFERENCE", help: "file:NAME or env:NAME; with it the page takes commands"),
    .init(
      name: "--listen-host", value: "NAME", help: "name that --listen may be asked for by, beside addresses",
      isRepeatable: true),
    .init(name: "--metrics-file", value: "FILE.prom", help: "metrics for node_exporter, every 15 s and at the end"),
  ]
  /// Launches on the page.
  private static let launches: Int64 = 20

  private let settings: Monitor.Settings?
  private let file: String?

  /// - Throws: `UsageError`; `RunError` 78 when there is no such token.
  init(_ arguments: Arguments) throws {
    file = arguments.text("--metrics-file")
    if let file, !file.hasSuffix(".prom") {
      throw UsageError("--metrics-file must end in .prom, as node_exporter reads no other, not \"\(file)\"")
    }
    guard let text = arguments.text("--listen") else {
      for option in ["--listen-token", "--listen-host"] where arguments.has(option) {
        throw UsageError("\(option) goes with --listen")
      }
      settings = nil
      return
    }
    guard let address = ListenAddress(text) else {
      throw UsageError("--listen must be a numeric address and a port, 127.0.0.1:9464 or [::1]:9464, not \"\(text)\"")
    }
    settings = Monitor.Settings(
      address: address, hosts: Set(arguments.texts("--listen-host")), token: try Self.token(arguments))
  }

  private static func token(_ arguments: Arguments) throws -> ListenToken? {
    guard let text = arguments.text("--listen-token") else { return nil }
    // The words are not repeated: somebody may have given the token itself.
    guard let reference = CredentialReference(text) else {
      throw UsageError("--listen-token names where the token is, file:NAME in the credentials folder or env:NAME")
    }
    let bytes = CredentialText.tidy(
      try CredentialStore(folder: arguments.credentialsFolder).load(reference, of: "--listen-token"))
    guard let token = ListenToken(bytes) else {
      throw RunError(
        .configuration,
        "--listen-token: the token in \(text) has \(bytes.count) characters, \(ListenToken.shortest) are needed")
    }
    return token
  }

  /// Registers what the process itself counts, and starts to listen and write.
  /// - Throws: `ListenError`, `FileError`.
  func start(_ process: ProcessSettings, _ database: Database, stop: StopState) throws -> Watching {
    let metrics = Metrics()
    metrics.gauge("salvo_build_info", "1, with the version of this process.", [("version", Version.text)]).set(1)
    metrics.counter("salvo_database_reconnects_total", "Database connections made anew after one broke.") {
      Double(database.reconnects.value)
    }
    metrics.counter("salvo_database_connect_failures_total", "Tries to connect to the database that failed.") {
      Double(database.connectFailures.value)
    }
    ProcessMetrics.register(in: metrics)
    // A connection of its own, opened when somebody looks.
    let own = Database(conninfo: process.conninfo, applicationName: "salvo listen", connections: 1)
    let board = LaunchBoard(own)
    let commands = LaunchCommands(own)
    let source = Monitor.Source(
      launches: { try await board.read(limit: Self.launches) }, ping: { try await board.ping() },
      say: { try await commands.say($0, launch: $1, channel: $2) })
    return Watching(
      metrics: metrics,
      monitor: try settings.map {
        try Monitor($0, metrics: metrics, source: source, isStopping: { stop.isStopping }, log: process.log)
      },
      file: try file.map { try MetricsFile($0, metrics, process.log) })
  }
}

/// What was started.
struct Watching: Sendable {
  let metrics: Metrics
  fileprivate let monitor: Monitor?
  fileprivate let file: MetricsFile?

  /// The last numbers are written.
  func end() async {
    await monitor?.stop()
    await file?.stop()
  }
}
