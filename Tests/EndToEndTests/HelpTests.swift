import Foundation
import Testing

extension Runs {
  /// What is made from the table of commands: manual page and completions.
  @Suite struct HelpTests {
    /// First words of the lines of `salvo --help` that name a command.
    private static func commands(_ stack: Stack) async throws -> [String] {
      let lines = try await stack.salvo("--help").out.components(separatedBy: "\n")
      return lines.drop { !$0.hasPrefix("usage") }.dropFirst().prefix { $0.hasPrefix("  ") }.map { line in
        line.dropFirst(2).split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
          .prefix(["launch", "template"].contains { line.hasPrefix("  \($0) ") } ? 2 : 1).joined(separator: " ")
      }
    }

    @Test("the manual page has every command, option, exit code and variable, and man finds nothing wrong with it")
    func manual() async throws {
      let stack = try await Stack.shared()
      let page = try await stack.salvo("man").out
      #expect(page.hasPrefix(".TH SALVO 1 "))
      let commands = try await Self.commands(stack)
      try #require(commands.count >= 18)
      for command in commands {
        #expect(page.contains(".SS \"salvo \(command.replacing("-", with: "\\-"))"), "\(command)")
      }
      for option in ["--credentials", "--watch", "--format", "--outcome", "--database", "--help"] {
        #expect(page.contains("\\fB\(option.replacing("-", with: "\\-"))\\fR"), "\(option)")
      }
      for code in [0, 2, 64, 65, 66, 69, 70, 73, 75, 77, 78] { #expect(page.contains(".TP\n.B \(code)\n"), "\(code)") }
      for name in ["SALVO_CREDENTIALS", "SALVO_CA_FILE", "SALVO_STATE", "NO_COLOR"] { #expect(page.contains(name)) }

      let file = "\(stack.folder)/salvo.1"
      try page.write(toFile: file, atomically: true, encoding: .utf8)
      for (program, words) in [
        ("/usr/bin/mandoc", ["-T", "lint", "-W", "warning"]), ("/usr/bin/man", ["--warnings", "-l"]),
      ]
      where FileManager.default.isExecutableFile(atPath: program) {
        let ended = try await Shell.run(program, words + [file], ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
        #expect(ended.code == 0 && ended.err == "", "\(program): \(ended.out.suffix(500)) \(ended.err)")
      }
    }

    @Test("bash completes commands, their second words, options, and the words an option takes")
    func bash() async throws {
      let stack = try await Stack.shared()
      let file = "\(stack.folder)/salvo.bash"
      try await stack.salvo("completions", "bash").out.write(toFile: file, atomically: true, encoding: .utf8)
      func complete(_ words: String...) async throws -> [String] {
        let script = """
          set -eu
          source '\(file)'
          COMP_WORDS=("$@")
          COMP_CWORD=$(($# - 1))
          _salvo
          printf '%s\\n' "${COMPREPLY[@]-}"
          """
        let ended = try await Shell.run("/bin/bash", ["-c", script, "bash"] + words)
        #expect(ended.code == 0 && ended.err == "", "\(ended.err)")
        return ended.outLines
      }
      let firsts = try await complete("salvo", "")
      for command in try await Self.commands(stack) {
        #expect(firsts.contains(String(command.split(separator: " ")[0])), "\(command)")
      }
      #expect(try await complete("salvo", "stat") == ["status"])
      #expect(try await complete("salvo", "launch", "cr") == ["create"])
      #expect(try await complete("salvo", "status", "1", "--w") == ["--watch"])
      #expect(try await complete("salvo", "report", "1", "--format", "") == ["html", "json", "csv"])
      #expect(try await complete("salvo", "run", "--memory", "") == [])
      #expect(try await complete("salvo", "run", "--state", stack.folder + "/cred") == [stack.folder + "/credentials"])
    }

    @Test(
      "each shell reads its own script without a complaint; another shell is refused",
      arguments: ["bash", "zsh", "fish"])
    func syntax(shell: String) async throws {
      let stack = try await Stack.shared()
      let script = try await stack.salvo("completions", shell).out
      for word in ["status", "create", "watch"] { #expect(script.contains(word), "\(word)") }
      let program = "/usr/bin/\(shell)"
      if FileManager.default.isExecutableFile(atPath: program) {
        let file = "\(stack.folder)/complete.\(shell)"
        try script.write(toFile: file, atomically: true, encoding: .utf8)
        let ended = try await Shell.run(program, ["-n", file])
        #expect(ended.code == 0 && ended.err == "", "\(ended.err)")
      }
      try await stack.trySalvo(["completions", "tcsh"]).expectOneLine(64, ["bash, zsh, fish", "tcsh"])
    }
  }
}
