import Base
import Glibc
import Report
import Store

struct StatusCommand: Command {
  static let spec = CommandSpec(
    words: ["status"], operands: "[LAUNCH]", operandCount: 0...1,
    summary: "where a launch stands; without one, the newest launches",
    options: [
      .init(name: "--watch", value: nil, help: "again every second, until the launch is over"),
      .init(name: "--json", value: nil, help: "one JSON object, times in UTC; with --watch one a line"),
      .init(name: "--limit", value: "N", help: "without LAUNCH: how many (20)"),
    ])

  /// Seconds between two looks.
  private static let pause: UInt32 = 1

  private let settings: ProcessSettings
  private let launch: Int64?
  private let watches: Bool
  private let isJSON: Bool
  private let limit: Int64

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = arguments.operands.isEmpty ? nil : try arguments.id(0, "LAUNCH")
    watches = arguments.has("--watch")
    isJSON = arguments.has("--json")
    limit = try arguments.int("--limit", in: 1...10_000) ?? 20
    if launch == nil, watches { throw UsageError("--watch needs a LAUNCH to watch") }
  }

  func run() async throws -> Int32 {
    let database = try await settings.migratedDatabase()
    guard let launch else {
      try await LaunchListCommand.list(database, limit: limit, isJSON: isJSON)
      return 0
    }
    let reader = StatusReader(database)
    while true {
      let status = try await reader.read(launch, withReasons: true)
      show(status)
      if !watches || status.isOver { return 0 }
      try await Task.sleep(nanoseconds: UInt64(Self.pause) * 1_000_000_000)
    }
  }

  private func show(_ status: LaunchStatus) {
    if isJSON {
      print(StatusJSON.object(status).text)
    } else {
      let width = isatty(1) == 1 ? StandardError.size.columns : .max
      let lines = StatusText.lines(status, width: width)
      // Home, then what is below cleared: less flicker than clearing first.
      if watches, isatty(1) == 1 {
        print("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\n\u{1B}[J", terminator: "")
      } else {
        print(lines.joined(separator: "\n"))
      }
    }
    fflush(nil)
  }
}
