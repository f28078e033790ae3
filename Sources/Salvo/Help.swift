/// The texts of `--help`.
enum Help {
  static func overview(_ commands: [any Command.Type]) -> String {
    let width = commands.map { usage($0.spec).count }.max() ?? 0
    let lines = commands.map { command in
      "  \(pad(usage(command.spec), width))  \(command.spec.summary)"
    }
    return """
      salvo sends the push messages of a campaign launch and accounts for every one of them.

      usage: salvo COMMAND …
      \(lines.joined(separator: "\n"))

      salvo COMMAND --help tells more. Results go to stdout, logs to stderr.
      Exit: 0 all accounted · 64 usage · 65 content refused · 66 no such launch · 69 a lane stopped
            75 run me again · 77 credential refused · 78 configuration
      """
  }

  static func text(_ spec: CommandSpec) -> String {
    let width = spec.allOptions.map { name($0).count }.max() ?? 0
    let options = spec.allOptions.map { "  \(pad(name($0), width))  \($0.help)" }
    return """
      usage: salvo \(usage(spec)) [OPTIONS]
      \(spec.summary)

      \(options.joined(separator: "\n"))
      """
  }

  private static func usage(_ spec: CommandSpec) -> String {
    (spec.words + (spec.operands.isEmpty ? [] : [spec.operands])).joined(separator: " ")
  }

  private static func name(_ option: CommandSpec.Option) -> String {
    option.value.map { "\(option.name) \($0)" } ?? option.name
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
