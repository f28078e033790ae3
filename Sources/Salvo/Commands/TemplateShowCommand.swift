import Campaign
import Pipeline
import Providers
import Rendering

struct TemplateShowCommand: Command {
  static let spec = CommandSpec(
    words: ["template", "show"], operands: "PROVIDER", operandCount: 1...1,
    summary: "prints a built-in template, to begin a channel's own with",
    options: [.init(name: "--profile", value: "PROFILE", help: "payload profile (the first that template list names)")])

  private let provider: any Provider
  private let profile: PayloadProfile

  init(_ arguments: Arguments) throws {
    provider = try TemplateCheck.provider(named: arguments.operands[0])
    let known = provider.profiles.filter { $0 != .custom }
    let name = arguments.text("--profile") ?? known.first?.rawValue ?? ""
    guard let profile = known.first(where: { $0.rawValue == name }) else {
      throw UsageError(
        "\(provider.name) has no built-in template of profile \"\(name)\"; there are "
          + known.map(\.rawValue).joined(separator: ", "))
    }
    self.profile = profile
  }

  func run() async throws -> Int32 {
    let channel = TemplateSamples.channel(of: provider, profile: profile, template: nil)
    do {
      let shape = try provider.shape(of: channel, launch: TemplateSamples.launch(TemplateSamples.plain))
      print(String(decoding: shape.template.text, as: UTF8.self), terminator: "")
    } catch {
      throw RunError(.configuration, "\(error)")
    }
    return 0
  }
}
