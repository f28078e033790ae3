import Campaign
import Providers

struct TemplateListCommand: Command {
  static let spec = CommandSpec(
    words: ["template", "list"], operands: "", operandCount: 0...0,
    summary: "lists providers and their payload profiles; custom is a channel's own template", options: [])

  init(_ arguments: Arguments) throws {}

  func run() async throws -> Int32 {
    for provider in Registry.providers {
      print(([provider.name] + provider.profiles.map(\.rawValue)).joined(separator: "\t"))
    }
    return 0
  }
}
