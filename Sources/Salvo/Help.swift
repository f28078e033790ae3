/// The texts of `--help`.
enum Help {
  static func overview(_ commands: [any Command.Type]) -> String {
    """
    salvo sends the push messages of a campaign launch and accounts for every one of them.

    usage: salvo COMMAND …
    \(list(commands))

    salvo COMMAND --help tells more. Results go to stdout, logs to stderr.

    exit code
      0   every message is accounted, or there was nothing to do
      2   with --strict: a launch needs a decision about unknown messages
      64  wrong words on the command line
      65  content, template or the launch's state refused
      66  no such launch, campaign or file
      69  a lane stopped: something must be mended first
      70  a fault of salvo's own, or books that verify finds wrong
      73  cannot write a file
      75  run it again: database away, stopped by a signal, messages left
      77  a provider refused a credential
      78  configuration: settings, schema version, missing credential file
    """
  }

  /// The commands that begin with one word: `salvo launch --help`.
  static func group(_ word: String, _ commands: [any Command.Type]) -> String {
    """
    usage: salvo \(word) COMMAND …
    \(list(commands))

    salvo \(word) COMMAND --help tells more.
    """
  }

  private static func list(_ commands: [any Command.Type]) -> String {
    let width = commands.map { usage($0.spec).count }.max() ?? 0
    return commands.map { "  \(pad(usage($0.spec), width))  \($0.spec.summary)" }.joined(separator: "\n")
  }

  static func text(_ spec: CommandSpec) -> String {
    let width = spec.allOptions.map { name($0).count }.max() ?? 0
    let options = spec.allOptions.map { "  \(pad(name($0), width))  \($0.help)" }
    return """
      usage: salvo \(usage(spec)) [OPTIONS]
      \(spec.summary)

      options
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
