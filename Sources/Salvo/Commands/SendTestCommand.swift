import Base
import Pipeline
import Postgres
import Store

struct SendTestCommand: Command {
  static let spec = CommandSpec(
    words: ["send-test"], operands: "LAUNCH", operandCount: 1...1,
    summary: "sends the message to chosen devices now, beside the launch's results",
    options: PreflightSettings.options + [
      .init(
        name: "--to", value: "SUBSCRIPTION",
        help: "id, or PROFILE:ID; needed, may be given several times", isRepeatable: true)
    ])

  private let settings: PreflightSettings
  private let launch: Int64
  private let devices: [TestDevice]

  init(_ arguments: Arguments) throws {
    settings = try PreflightSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    devices = try arguments.texts("--to").map(Self.device)
    if devices.isEmpty { throw UsageError("--to SUBSCRIPTION is needed: the device to try the message on") }
  }

  private static func device(_ text: String) throws(UsageError) -> TestDevice {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard let last = parts.last, let subscription = last, subscription > 0, parts.count <= 2 else {
      throw UsageError("--to is a subscription's id or PROFILE:ID, not \"\(text)\"")
    }
    guard parts.count == 2 else { return TestDevice(profileID: nil, subscriptionID: subscription) }
    guard let profile = parts[0], profile > 0 else {
      throw UsageError("--to is a subscription's id or PROFILE:ID, not \"\(text)\"")
    }
    return TestDevice(profileID: profile, subscriptionID: subscription)
  }

  func run() async throws -> Int32 {
    let database = try await settings.process.migratedDatabase()
    let report = try await TestSend(
      launches: LaunchStore(database), audience: AudienceReader(database), tests: TestSendStore(database),
      tokens: TokenStore(database), rates: RateStore(database, owner: RunnerName.make()), settings: settings.settings,
      log: settings.process.log
    ).send(launch, to: devices)
    for line in report.lines { print(line) }
    return report.exitCode
  }
}
