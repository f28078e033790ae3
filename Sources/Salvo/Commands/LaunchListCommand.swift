import Campaign
import Store

struct LaunchListCommand: Command {
  static let spec = CommandSpec(
    words: ["launch", "list"], operands: "", operandCount: 0...0, summary: "the newest launches, a line each",
    options: [.init(name: "--limit", value: "N", help: "how many (20)")])

  private let settings: ProcessSettings
  private let limit: Int64

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    limit = try arguments.int("--limit", in: 1...10_000) ?? 20
  }

  func run() async throws -> Int32 {
    for launch in try await LaunchAdmin(settings.database()).list(limit: limit) {
      print(
        "\(launch.id)  \(launch.state.rawValue)  \(launch.campaignName)  planned \(launch.planned)"
          + " remaining \(launch.remaining)  created \(launch.createdAt)")
    }
    return 0
  }
}
