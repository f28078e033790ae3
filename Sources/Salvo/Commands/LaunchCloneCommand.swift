import Store

struct LaunchCloneCommand: Command {
  static let spec = CommandSpec(
    words: ["launch", "clone"], operands: "LAUNCH", operandCount: 1...1,
    summary: "makes a draft with another launch's campaign, content, options; prints its id",
    options: [.init(name: "--audience", value: nil, help: "and with its recipients and their variables")])

  private let settings: ProcessSettings
  private let launch: Int64
  private let withAudience: Bool

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    withAudience = arguments.has("--audience")
  }

  func run() async throws -> Int32 {
    print(try await LaunchAdmin(settings.migratedDatabase()).clone(launch, withAudience: withAudience))
    return 0
  }
}
