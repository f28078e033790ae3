import Base
import Pipeline
import Store

struct CheckCommand: Command {
  static let spec = CommandSpec(
    words: ["check"], operands: "LAUNCH", operandCount: 1...1,
    summary: "renders everybody's message, sends nothing, says what would be refused",
    options: PreflightSettings.options + [
      .init(name: "--sample", value: "N", help: "only N recipients of each lane, from places all over it"),
      .init(
        name: "--online", value: nil,
        help: "tries credentials, lets Firebase validate a message; delivers nothing"),
      .init(name: "--json", value: nil, help: "one JSON object with all findings"),
    ])

  private let settings: PreflightSettings
  private let launch: Int64
  private let sample: Int?
  private let isOnline: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    settings = try PreflightSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    sample = try arguments.int("--sample", in: 1...1_000_000_000).map { Int($0) }
    isOnline = arguments.has("--online")
    isJSON = arguments.has("--json")
  }

  func run() async throws -> Int32 {
    let report = try await settings.preflight().check(launch, sample: sample, isOnline: isOnline)
    if isJSON { print(report.json) } else { for line in report.lines { print(line) } }
    return report.exitCode
  }
}

/// What commands need that look at a launch or try it.
struct PreflightSettings: Sendable {
  static let options: [CommandSpec.Option] = [
    .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
    .init(name: "--ca-file", value: "FILE", help: "PEM file, trusted besides the system's (SALVO_CA_FILE)"),
  ]

  let process: ProcessSettings
  let settings: LaunchRun.Settings

  init(_ arguments: Arguments) throws {
    process = try ProcessSettings(arguments)
    settings = try LaunchRun.Settings(arguments)
  }

  func preflight() async throws -> Preflight {
    let database = try await process.migratedDatabase()
    return Preflight(
      launches: LaunchStore(database), audience: AudienceReader(database),
      rates: RateStore(database, owner: RunnerName.make()), settings: settings, log: process.log)
  }
}
