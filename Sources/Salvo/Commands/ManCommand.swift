struct ManCommand: Command {
  static let spec = CommandSpec(
    words: ["man"], operands: "", operandCount: 0...0, summary: "prints the manual page, salvo(1), for man to read",
    options: [], usesDatabase: false)

  init(_ arguments: Arguments) throws {}

  func run() async throws -> Int32 {
    print(ManPage.text(Main.commands.map { $0.spec }))
    return 0
  }
}
