import Base
import Campaign
import Glibc
import Pipeline
import Store

struct RunCommand: Command {
  static let spec = CommandSpec(
    words: ["run"], operands: "LAUNCH…", operandCount: 1...1000,
    summary: "sends launches until every message is accounted",
    options: [
      .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
      .init(
        name: "--ca-file", value: "FILE", help: "PEM file, trusted besides the system's (SALVO_CA_FILE)"
      ),
      .init(name: "--memory", value: "MIB", help: "MiB for rows and payloads in flight (24)"),
      .init(
        name: "--lease", value: "SECONDS",
        help: "a silent runner's chunks are taken then (60); less for drills"),
      .init(
        name: "--state", value: "DIR",
        help: "journal; results if the database stays away (SALVO_STATE, STATE_DIRECTORY)"),
      .init(
        name: "--grace", value: "SECONDS", help: "after SIGTERM, leave at the latest then, with exit 75 (45)"),
      .init(name: "--strict", value: nil, help: "exit 2 when a launch needs a decision about unknown messages"),
      .init(name: "--json", value: nil, help: "the counts as one JSON object a launch, instead of lines"),
    ])

  private let process: ProcessSettings
  private let settings: LaunchRun.Settings
  private let launches: [Int64]
  private let isJSON: Bool
  private let isStrict: Bool
  private let lease: Double
  private let grace: Double

  init(_ arguments: Arguments) throws {
    process = try ProcessSettings(arguments)
    launches = try arguments.operands.indices.map { try arguments.id($0, "LAUNCH") }
    isJSON = arguments.has("--json")
    isStrict = arguments.has("--strict")
    grace = Double(try arguments.int("--grace", in: 0...3_600) ?? 45)
    lease = Double(try arguments.int("--lease", in: 3...3_600) ?? 60)
    settings = LaunchRun.Settings(
      credentialsFolder: arguments.text("--credentials")
        ?? Environment.value("SALVO_CREDENTIALS") ?? Environment.value("CREDENTIALS_DIRECTORY"),
      extraCAFile: arguments.text("--ca-file") ?? Environment.value("SALVO_CA_FILE"),
      stateFolder: arguments.text("--state") ?? Environment.value("SALVO_STATE")
        ?? Environment.value("STATE_DIRECTORY"),
      memory: Int(try arguments.int("--memory", in: 1...4096) ?? 24) << 20)
  }

  func run() async throws -> Int32 {
    let stop = StopState(grace: grace)
    Signals.ask(stop, log: process.log)
    let database = try await process.migratedDatabase()
    let owner = RunnerName.make()
    var worst: Int32 = 0
    for id in launches {
      if stop.isStopping { return ExitCode.worse(worst, RunError.Code.again.rawValue) }
      let run = LaunchRun(
        launches: LaunchStore(database), chunks: ChunkStore(database, owner: owner, lease: lease),
        windows: WindowStore(database, lease: lease), tokens: TokenStore(database),
        rates: RateStore(database, owner: owner), settings: settings, stop: stop, log: process.log)
      do {
        let report = try await run.run(id)
        if launches.count > 1, !isJSON { print("launch \(id)") }
        for line in isJSON ? [report.json] : report.lines { print(line) }
        worst = ExitCode.worse(worst, report.exitCode)
        if isStrict, report.state == .needsDecision { worst = ExitCode.worse(worst, ExitCode.needsDecision) }
      } catch {
        // What is wrong with one launch keeps none of the others back.
        let failure = Failure(error)
        process.log.error(failure.text)
        worst = ExitCode.worse(worst, failure.exitCode)
      }
    }
    return worst
  }
}

/// Mixed ends: 77 before 69 before 75 before 0.
enum ExitCode {
  static let needsDecision: Int32 = 2

  static func worse(_ a: Int32, _ b: Int32) -> Int32 {
    let order: [Int32] = [77, 69, 75]
    return order.first { $0 == a || $0 == b } ?? max(a, b)
  }
}
