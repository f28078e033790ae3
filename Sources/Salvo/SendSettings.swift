import Base
import Pipeline
import Postgres
import Store

/// What every command that sends needs from flags and environment.
struct SendSettings: Sendable {
  static let options: [CommandSpec.Option] =
    [
      .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
      .init(
        name: "--ca-file", value: "FILE", help: "PEM file, trusted besides the system's (SALVO_CA_FILE)"
      ),
      .init(name: "--memory", value: "MIB", help: "MiB for rows and payloads in flight (24)"),
      .init(
        name: "--lease", value: "SECONDS",
        help: "a silent runner's chunks and jobs are taken then (60); less for drills"),
      .init(
        name: "--state", value: "DIR",
        help: "journal; results if the database is away (SALVO_STATE, STATE_DIRECTORY)"),
      .init(
        name: "--grace", value: "SECONDS", help: "after SIGTERM, leave at the latest then, with exit 75 (45)"),
    ] + Monitoring.options

  let process: ProcessSettings
  let grace: Double
  private let settings: LaunchRun.Settings
  private let lease: Double
  private let monitoring: Monitoring

  init(_ arguments: Arguments) throws {
    process = try ProcessSettings(arguments)
    grace = Double(try arguments.int("--grace", in: 0...3_600) ?? 45)
    lease = Double(try arguments.int("--lease", in: 3...3_600) ?? 60)
    settings = try LaunchRun.Settings(arguments)
    monitoring = try Monitoring(arguments)
  }

  /// Counts, listens and writes numbers, as the flags say, for as long as `body` takes.
  /// - Throws: `ListenError`, `FileError`; what `body` throws.
  func watched<Result>(
    _ database: Database, stop: StopState, _ body: (Watching) async throws -> Result
  ) async throws -> Result {
    let watching = try monitoring.start(process, database, stop: stop)
    do {
      let result = try await body(watching)
      await watching.end()
      return result
    } catch {
      await watching.end()
      throw error
    }
  }

  /// - Parameter share: of how many launches that are sent at a time by this process.
  func launchRun(
    _ database: Database, _ watching: Watching, owner: String, share: Int = 1, stop: StopState
  ) -> LaunchRun {
    var settings = settings
    settings.memory /= max(share, 1)
    return LaunchRun(
      launches: LaunchStore(database), chunks: ChunkStore(database, owner: owner, lease: lease),
      windows: WindowStore(database, lease: lease), tokens: TokenStore(database),
      rates: RateStore(database, owner: owner), settings: settings, stop: stop, log: process.log,
      metrics: watching.metrics)
  }

  /// Everything that is due, wherever it is written down.
  func workLoop(
    _ mode: WorkLoop.Mode, _ database: Database, _ watching: Watching, concurrency: Int, stop: StopState,
    told: @escaping WorkLoop.Told
  ) -> WorkLoop {
    let owner = RunnerName.make()
    let due = DueStore(database)
    return WorkLoop(
      mode,
      stores: WorkLoop.Stores(
        jobs: JobStore(database, owner: owner, lease: lease), due: due, schedules: ScheduleStore(database),
        runners: RunnerStore(database, owner: owner, host: RunnerName.host, pid: RunnerName.pid)),
      work: JobWork(
        commands: LaunchCommands(database), admin: LaunchAdmin(database), due: due,
        maintenance: Maintenance(database), reports: ReportReader(database), stateFolder: settings.stateFolder),
      concurrency: concurrency, version: Version.text,
      launchRun: { launchRun(database, watching, owner: owner, share: concurrency, stop: $0) }, stop: stop,
      log: process.log, told: told)
  }
}
