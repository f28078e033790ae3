import Base
import Pipeline
import Providers

struct PreviewCommand: Command {
  static let spec = CommandSpec(
    words: ["preview"], operands: "LAUNCH", operandCount: 1...1,
    summary: "shows requests as they would be made, tokens and secrets masked",
    options: PreflightSettings.options + [
      .init(name: "--profile", value: "ID", help: "those to all of a person's devices"),
      .init(name: "--subscription", value: "ID", help: "that to one device"),
      .init(
        name: "--provider", value: "PROVIDER", help: "only its lanes; without a choice, the first recipient of each"),
    ])

  private let settings: PreflightSettings
  private let launch: Int64
  private let choice: Preflight.Choice

  init(_ arguments: Arguments) throws {
    settings = try PreflightSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    choice = Preflight.Choice(
      profile: try arguments.int("--profile", in: 0...Int64.max),
      subscription: try arguments.int("--subscription", in: 1...Int64.max),
      provider: try arguments.text("--provider").map { try TemplateCheck.provider(named: $0).name })
  }

  func run() async throws -> Int32 {
    let previews = try await settings.preflight().preview(launch, choice)
    for (index, preview) in previews.enumerated() {
      if index > 0 { print() }
      for line in preview.lines { print(line) }
    }
    return previews.contains(where: \.isRefused) ? RunError.Code.content.rawValue : 0
  }
}
