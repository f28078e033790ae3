import Base
import Campaign
import Postgres
import Report
import Store

struct LaunchListCommand: Command {
  static let spec = CommandSpec(
    words: ["launch", "list"], operands: "", operandCount: 0...0, summary: "lists the newest launches",
    options: [
      .init(name: "--limit", value: "N", help: "how many (20)"),
      .init(name: "--json", value: nil, help: "one JSON object a launch, times in UTC"),
    ])

  private let settings: ProcessSettings
  private let limit: Int64
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    limit = try arguments.int("--limit", in: 1...10_000) ?? 20
    isJSON = arguments.has("--json")
  }

  func run() async throws -> Int32 {
    try await Self.list(settings.migratedDatabase(), limit: limit, isJSON: isJSON)
    return 0
  }

  /// Prints the newest launches, newest first.
  static func list(_ database: Database, limit: Int64, isJSON: Bool) async throws {
    let launches = try await LaunchAdmin(database).list(limit: limit)
    if isJSON {
      for launch in launches { print(Self.json(launch)) }
      return
    }
    var table = TextTable(columns: [
      .right("LAUNCH"), .left("STATE"), .right("PLANNED"), .right("REMAINING"), .left("CREATED"), .left("CAMPAIGN"),
    ])
    for launch in launches {
      table.add([
        "\(launch.id)", launch.state.rawValue, "\(launch.planned)", "\(launch.remaining)",
        launch.createdAt.localText, launch.campaignName,
      ])
    }
    for line in table.lines { print(line) }
  }

  private static func json(_ launch: LaunchListing) -> String {
    var object = JSONObject()
    object.set("launch", .number(String(launch.id)))
    object.set("state", .string(launch.state.rawValue))
    object.set("campaign", .string(launch.campaignName))
    object.set("planned", .number(String(launch.planned)))
    object.set("remaining", .number(String(launch.remaining)))
    object.set("created_at", .string(launch.createdAt.rfc3339))
    return JSON.object(object).text
  }
}
