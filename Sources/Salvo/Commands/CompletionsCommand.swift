struct CompletionsCommand: Command {
  static let spec = CommandSpec(
    words: ["completions"], operands: "bash|zsh|fish", operandCount: 1...1,
    summary: "prints a script that lets the shell complete salvo's words", options: [], usesDatabase: false)

  private let shell: Completions.Shell

  init(_ arguments: Arguments) throws {
    let name = arguments.operands[0]
    guard let shell = Completions.Shell(rawValue: name) else {
      throw UsageError(
        "completions are for \(Completions.Shell.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(name)\"")
    }
    self.shell = shell
  }

  func run() async throws -> Int32 {
    print(Completions.script(shell, Main.commands.map { $0.spec }))
    return 0
  }
}
