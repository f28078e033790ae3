import Campaign
import Glibc
import Store

struct RetryCommand: Command {
  static let spec = CommandSpec(
    words: ["retry"], operands: "LAUNCH", operandCount: 1...1,
    summary: "sends unknown, expired or rejected messages again, as an attempt",
    options: [
      .init(
        name: "--outcome", value: "unknown|expired|rejected", help: "which; needed, may be given several times",
        isRepeatable: true),
      .init(name: "--reason", value: "TEXT", help: "only those with exactly this reason"),
      .init(name: "--channel", value: "ID", help: "only the lane of this channel"),
      .init(name: "--yes", value: nil, help: "don't ask"),
    ])

  private let settings: ProcessSettings
  private let launch: Int64
  private let outcomes: [Outcome]
  private let reason: String?
  private let channel: Int64?
  private let isSure: Bool

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    outcomes = try arguments.texts("--outcome").map { text in
      guard let outcome = [Outcome.unknown, .expired, .rejected].first(where: { $0.name == text }) else {
        throw UsageError("--outcome is unknown, expired or rejected, not \"\(text)\"")
      }
      return outcome
    }
    guard !outcomes.isEmpty else { throw UsageError("--outcome is needed: unknown, expired or rejected") }
    reason = arguments.text("--reason")
    channel = try arguments.int("--channel", in: 1...Int64.max)
    isSure = arguments.has("--yes")
  }

  func run() async throws -> Int32 {
    let commands = LaunchCommands(settings.database())
    let count = try await commands.countRetry(launch: launch, outcomes: outcomes, reason: reason, channel: channel)
    let words = outcomes.map(\.name).joined(separator: " or ") + (reason.map { " (\($0))" } ?? "")
    guard count > 0 else {
      print("launch \(launch): no message is \(words)")
      return 0
    }
    guard try isSure || confirmed("\(count) messages of launch \(launch) are \(words). Send them again?") else {
      print("nothing is sent again")
      return 0
    }
    let again = try await commands.retry(launch: launch, outcomes: outcomes, reason: reason, channel: channel)
    print("launch \(launch): \(again) messages go again as their next attempt; salvo run \(launch) sends them")
    return 0
  }

  private func confirmed(_ question: String) throws -> Bool {
    guard isatty(0) == 1 else {
      throw UsageError("\(question) Nobody can be asked here: say --yes")
    }
    print("\(question) [y/N] ", terminator: "")
    fflush(nil)
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}
