import Base
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
      .init(name: "--json", value: nil, help: "the counts as one JSON object a launch, instead of lines"),
    ])

  private let process: ProcessSettings
  private let settings: LaunchRun.Settings
  private let launches: [Int64]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    process = try ProcessSettings(arguments)
    launches = try arguments.operands.indices.map { try arguments.id($0, "LAUNCH") }
    isJSON = arguments.has("--json")
    settings = LaunchRun.Settings(
      credentialsFolder: arguments.text("--credentials")
        ?? Environment.value("SALVO_CREDENTIALS") ?? Environment.value("CREDENTIALS_DIRECTORY"),
      extraCAFile: arguments.text("--ca-file") ?? Environment.value("SALVO_CA_FILE"),
      memory: Int(try arguments.int("--memory", in: 1...4096) ?? 24) << 20)
  }

  func run() async throws -> Int32 {
    let stop = StopState()
    Signals.ask(stop, log: process.log)
    let database = try await process.migratedDatabase()
    let owner = RunnerName.make()
    var worst: Int32 = 0
    for id in launches {
      if stop.isStopping { return ExitCode.worse(worst, RunError.Code.again.rawValue) }
      let run = LaunchRun(
        launches: LaunchStore(database), chunks: ChunkStore(database, owner: owner), windows: WindowStore(database),
        tokens: TokenStore(database), rates: RateStore(database, owner: owner),
        settings: settings, stop: stop, log: process.log)
      do {
        let report = try await run.run(id)
        if launches.count > 1, !isJSON { print("launch \(id)") }
        for line in isJSON ? [report.json] : report.lines { print(line) }
        worst = ExitCode.worse(worst, report.exitCode)
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
  static func worse(_ a: Int32, _ b: Int32) -> Int32 {
    let order: [Int32] = [77, 69, 75]
    return order.first { $0 == a || $0 == b } ?? max(a, b)
  }
}
