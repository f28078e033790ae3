import Store

struct MigrateCommand: Command {
  static let spec = CommandSpec(
    words: ["migrate"], operands: "", operandCount: 0...0,
    summary: "brings the schema to this version; safe when two run at once", options: [])

  private let settings: ProcessSettings

  init(_ arguments: Arguments) throws { settings = try ProcessSettings(arguments) }

  func run() async throws -> Int32 {
    let applied = try await Migrator(settings.database()).migrate()
    print(applied.isEmpty ? "the schema is up to date" : applied.map { "applied \($0)" }.joined(separator: "\n"))
    return 0
  }
}
