import Store

struct AudienceCommand: Command {
  static let spec = CommandSpec(
    words: ["audience"], operands: "LAUNCH", operandCount: 1...1,
    summary: "adds every active subscription of the enabled channels, and prints how many",
    options: [
      .init(name: "--channel", value: "ID", help: "only this channel; may be given several times", isRepeatable: true)
    ])

  private let settings: ProcessSettings
  private let launch: Int64
  private let channels: [Int64]

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    channels = try arguments.ints("--channel", in: 1...Int64.max)
  }

  func run() async throws -> Int32 {
    print(try await LaunchAdmin(settings.migratedDatabase()).audienceAll(launch: launch, channels: channels))
    return 0
  }
}
