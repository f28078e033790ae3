import Base
import Campaign
import Glibc
import Pipeline
import Report
import Store

struct ReportCommand: Command {
  static let spec = CommandSpec(
    words: ["report"], operands: "LAUNCH", operandCount: 1...1,
    summary: "what became of a launch, as one file; with --rows a line a message",
    options: [
      .init(name: "--format", value: "html|json|csv", help: "html (the default), or for programs; rows: json or csv"),
      .init(name: "--out", value: "FILE", help: "written whole or not at all; without it to stdout"),
      .init(name: "--rows", value: nil, help: "who got it and who didn't, in csv unless json is asked for; no tokens"),
      .init(
        name: "--outcome", value: "OUTCOME", help: "only those rows; may be given several times", isRepeatable: true),
    ])

  private let settings: ProcessSettings
  private let launch: Int64
  private let format: ReportFormat
  private let file: String?
  private let listsRows: Bool
  private let outcomes: [Outcome]

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    listsRows = arguments.has("--rows")
    let word = arguments.text("--format") ?? (listsRows ? "csv" : "html")
    guard let format = ReportFormat(rawValue: word), !listsRows || format != .html else {
      throw UsageError("--format is \(listsRows ? "json or csv with --rows" : "html, json or csv"), not \"\(word)\"")
    }
    self.format = format
    file = arguments.text("--out").flatMap { $0 == "-" ? nil : $0 }
    outcomes = try arguments.texts("--outcome").map { text in
      guard let outcome = Outcome.allCases.first(where: { $0.name == text }) else {
        throw UsageError(
          "--outcome is one of \(Outcome.allCases.map(\.name).joined(separator: ", ")), not \"\(text)\"")
      }
      return outcome
    }
    if !outcomes.isEmpty, !listsRows { throw UsageError("--outcome chooses rows: say --rows too") }
  }

  func run() async throws -> Int32 {
    let database = try await settings.migratedDatabase()
    do {
      let output = try OutputFile(file)
      if listsRows {
        var isFirst = true
        try await MessageLogReader(database).read(launch, outcomes: outcomes) { entries in
          if isFirst, format == .csv { try output.write(Array(MessageLines.csvHead.utf8)) }
          isFirst = false
          try output.write(Array((format == .csv ? MessageLines.csv(entries) : MessageLines.json(entries)).utf8))
        }
      } else {
        try output.write(ReportFile.bytes(try await ReportReader(database).read(launch), format))
      }
      try output.finish()
    } catch let error as FileError {
      throw RunError(.cannotWrite, "cannot write \(error)")
    }
    return 0
  }
}
