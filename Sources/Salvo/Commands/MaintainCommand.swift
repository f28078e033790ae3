import Base
import Store

struct MaintainCommand: Command {
  static let spec = CommandSpec(
    words: ["maintain"], operands: "", operandCount: 0...0,
    summary: "makes partitions ahead, drops and trims what ended long ago",
    options: [
      .init(name: "--keep", value: "DAYS", help: "launches that ended earlier lose all but their sums (90d)"),
      .init(name: "--dry-run", value: nil, help: "only says what would go"),
      .init(name: "--json", value: nil, help: "one JSON object"),
    ])

  private let settings: ProcessSettings
  private let keepDays: Int
  private let isDryRun: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    keepDays = try Self.days(arguments.text("--keep") ?? "90d")
    isDryRun = arguments.has("--dry-run")
    isJSON = arguments.has("--json")
  }

  /// `90d`, or the number alone.
  private static func days(_ text: String) throws(UsageError) -> Int {
    guard let days = Int(text.hasSuffix("d") ? String(text.dropLast()) : text), (1...36_500).contains(days) else {
      throw UsageError("--keep is a number of days from 1d to 36500d, not \"\(text)\"")
    }
    return days
  }

  func run() async throws -> Int32 {
    let maintenance = Maintenance(try await settings.migratedDatabase())
    let summary = try await isDryRun ? maintenance.look(keepDays: keepDays) : maintenance.run(keepDays: keepDays)
    if isJSON {
      print(summary.json.text)
    } else {
      let lines = Self.lines(summary, isDryRun: isDryRun)
      print(lines.isEmpty ? "nothing to do" : lines.joined(separator: "\n"))
    }
    return 0
  }

  private static func lines(_ summary: Maintenance.Summary, isDryRun: Bool) -> [String] {
    var lines = summary.partitionsMade.map { "made \($0)" }
    let dropped = isDryRun ? "would drop" : "dropped"
    if !summary.partitionsDropped.isEmpty {
      lines.append(
        "\(dropped) \(summary.partitionsDropped.joined(separator: ", ")): \(summary.bytesDropped / 1_048_576) MiB")
    }
    lines += summary.partitionsBusy.map { "\($0) is in use: the next run drops it" }
    let trimmed = isDryRun ? "would trim" : "trimmed"
    if summary.launches > 0 { lines.append("\(trimmed) launches: \(summary.launches), their sums stay") }
    let rows = summary.rows.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
    if !rows.isEmpty { lines.append("\(trimmed) rows: \(rows.joined(separator: ", "))") }
    return lines
  }
}
