import Base
import Campaign
import Pipeline
import Postgres
import Store

struct RunCommand: Command {
  static let spec = CommandSpec(
    words: ["run"], operands: "LAUNCH…|--due", operandCount: 0...1000,
    summary: "sends launches until every message is accounted",
    options: SendSettings.options + [
      .init(
        name: "--due", value: nil, help: "whatever is due now: launches, schedules, jobs, retries; for cron"),
      .init(name: "--concurrency", value: "N", help: "with --due: jobs and launches at a time (2)"),
      .init(name: "--strict", value: nil, help: "exit 2 when a launch needs a decision about unknown messages"),
      .init(name: "--json", value: nil, help: "the counts as one JSON object a launch, instead of lines"),
    ])

  /// A launch that so many runners are at is left to them by `--due`: starts of every minute don't pile up.
  private static let mostRunners: Int64 = 4

  private let settings: SendSettings
  private let launches: [Int64]
  private let isDue: Bool
  private let concurrency: Int
  private let isJSON: Bool
  private let isStrict: Bool

  init(_ arguments: Arguments) throws {
    settings = try SendSettings(arguments)
    launches = try arguments.operands.indices.map { try arguments.id($0, "LAUNCH") }
    isDue = arguments.has("--due")
    guard isDue == launches.isEmpty else {
      throw UsageError("salvo run takes LAUNCH… or --due\(isDue ? ", not both" : ""); salvo run --help tells more")
    }
    if !isDue, arguments.has("--concurrency") { throw UsageError("--concurrency goes with --due") }
    concurrency = Int(try arguments.int("--concurrency", in: 1...64) ?? 2)
    isJSON = arguments.has("--json")
    isStrict = arguments.has("--strict")
  }

  func run() async throws -> Int32 {
    let stop = StopState(grace: settings.grace)
    Signals.ask(stop, log: settings.process.log)
    let database = try await settings.process.migratedDatabase()
    return try await settings.watched(database, stop: stop) { watching in
      isDue ? try await runDue(database, watching, stop) : await runNamed(database, watching, stop)
    }
  }

  private func runNamed(_ database: Database, _ watching: Watching, _ stop: StopState) async -> Int32 {
    let owner = RunnerName.make()
    var worst: Int32 = 0
    for id in launches {
      if stop.isStopping { return ExitCode.worse(worst, RunError.Code.again.rawValue) }
      do {
        let report = try await LiveProgress(settings.process, launch: id).during {
          try await settings.launchRun(database, watching, owner: owner, stop: stop).run(id)
        }
        if launches.count > 1, !isJSON { print("launch \(id)") }
        worst = ExitCode.worse(worst, tell(report))
      } catch {
        // What is wrong with one launch keeps none of the others back.
        worst = ExitCode.worse(worst, tell(error, of: id))
      }
    }
    return worst
  }

  private func runDue(_ database: Database, _ watching: Watching, _ stop: StopState) async throws -> Int32 {
    let worst = Guarded<Int32>(0)
    let pass = settings.workLoop(
      .once(mostRunners: Self.mostRunners), database, watching, concurrency: concurrency, stop: stop
    ) { launch, result in
      let code: Int32
      switch result {
      case .success(let report):
        if !isJSON { print("launch \(launch)") }
        let end = tell(report)
        // What waits until it is due is for a later pass, not for the one who reads cron's mail.
        code = report.isWaiting ? 0 : end
      case .failure(let error): code = tell(error, of: launch)
      }
      worst.withLock { $0 = ExitCode.worse($0, code) }
    }
    try await pass.run()
    return worst.withLock { stop.isStopping ? ExitCode.worse($0, RunError.Code.again.rawValue) : $0 }
  }

  /// - Returns: the exit code.
  private func tell(_ report: RunReport) -> Int32 {
    for line in isJSON ? [report.json] : report.lines { print(line) }
    return isStrict && report.state == .needsDecision ? ExitCode.needsDecision : report.exitCode
  }

  private func tell(_ error: any Error, of launch: Int64) -> Int32 {
    let failure = Failure(error)
    settings.process.log.with("launch", launch).error(failure.text)
    return failure.exitCode
  }
}
