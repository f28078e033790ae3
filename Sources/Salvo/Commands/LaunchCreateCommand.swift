import Base
import Campaign
import Pipeline
import Rendering
import Store

struct LaunchCreateCommand: Command {
  static let spec = CommandSpec(
    words: ["launch", "create"], operands: "", operandCount: 0...0,
    summary: "makes a launch, a draft without recipients, and prints its id",
    options: [
      .init(name: "--campaign", value: "ID", help: "whose launch it is; needed"),
      .init(name: "--content", value: "FILE", help: "JSON of the message, needed; - reads stdin"),
      .init(name: "--options", value: "FILE", help: "JSON of the launch's options"),
      .init(
        name: "--at", value: "TIME", help: "not before: 2026-12-24 18:00+01"),
      .init(name: "--not-after", value: "TIME", help: "worthless from then on; a time as above"),
    ])

  private let settings: ProcessSettings
  private let campaign: Int64
  private let content: String
  private let options: String?
  private let notBefore: String?
  private let notAfter: String?

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    guard let campaign = try arguments.int("--campaign", in: 1...Int64.max) else {
      throw UsageError("--campaign ID is needed")
    }
    guard let content = arguments.text("--content") else {
      throw UsageError("--content FILE is needed: the JSON of the message")
    }
    self.campaign = campaign
    self.content = content
    options = arguments.text("--options")
    notBefore = arguments.text("--at")
    notAfter = arguments.text("--not-after")
  }

  func run() async throws -> Int32 {
    let message = try Self.json(content)
    let choices = try options.map { try Self.json($0) } ?? .object(JSONObject())
    let warnings: [String]
    do {
      let read = try Content(json: message)
      try ContentTexts.check(read)
      warnings = read.warnings + (try LaunchOptions(json: choices).warnings)
    } catch {
      throw RunError(.content, "\(error)")
    }
    let id = try await LaunchAdmin(settings.migratedDatabase()).create(
      campaign: campaign, content: message, options: choices, notBefore: notBefore, notAfter: notAfter)
    for warning in warnings { settings.log.warning("launch \(id): \(warning)") }
    print(id)
    return 0
  }

  private static func json(_ path: String) throws -> JSON {
    do {
      return try JSONScanner.parse(try FileReader.read(path == "-" ? "/dev/stdin" : path, limit: 4 << 20))
    } catch let error as FileError {
      throw RunError(.notFound, "cannot read \(error)")
    } catch let error as JSONError {
      throw RunError(.content, "\(path), \(error)")
    }
  }
}
