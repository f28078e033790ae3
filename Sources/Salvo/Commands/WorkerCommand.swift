import Base
import Campaign
import Pipeline
import Store

struct WorkerCommand: Command {
  static let spec = CommandSpec(
    words: ["worker"], operands: "", operandCount: 0...0,
    summary: "does jobs, due launches, schedules, retries until SIGTERM; any number share them",
    options: SendSettings.options + [
      .init(name: "--concurrency", value: "N", help: "jobs and launches at a time (2)"),
      .init(name: "--poll", value: "SECONDS", help: "between two looks for work, more or less (2)"),
    ])

  private let settings: SendSettings
  private let concurrency: Int
  private let poll: Double

  init(_ arguments: Arguments) throws {
    settings = try SendSettings(arguments)
    concurrency = Int(try arguments.int("--concurrency", in: 1...64) ?? 2)
    poll = Double(try arguments.int("--poll", in: 1...3_600) ?? 2)
  }

  func run() async throws -> Int32 {
    let stop = StopState(grace: settings.grace)
    let log = settings.process.log
    Signals.ask(stop, log: log)
    let database = try await settings.process.migratedDatabase()
    log.info("working, \(concurrency) at a time")
    try await settings.watched(database, stop: stop) { watching in
      try await settings.workLoop(.forever(poll: poll), database, watching, concurrency: concurrency, stop: stop) {
        launch, result in
        let log = log.with("launch", launch)
        switch result {
        case .success(let report): log.info("\(report.state.rawValue): \(report.lines.last ?? "")")
        case .failure(let error): log.error(Failure(error).text)
        }
      }.run()
    }
    log.info("stopped; what was not finished is given back")
    return 0
  }
}
