/// The manual page in man(7)'s macros, made from the table of commands.
enum ManPage {
  static func text(_ specs: [CommandSpec]) -> String {
    var lines = [
      ".TH SALVO 1 \(Version.date) \"salvo \(Version.text)\" \"User Commands\"", ".SH NAME",
      "salvo \\- \(escaped(Help.summary))", ".SH SYNOPSIS", ".B salvo", ".I COMMAND", "[\\fIOPTIONS\\fR]",
      ".SH DESCRIPTION",
      """
      Salvo reads a launch's subscriptions from PostgreSQL, sends each a message over the provider of its channel, and
      writes one result a message back. Results go to stdout, logs to stderr; on a terminal
      .B salvo run
      shows a live line a lane.
      .SH COMMANDS
      """,
    ]
    for spec in specs {
      lines += [".SS \"\(escaped(([spec.name] + [spec.operands]).joined(separator: " ").trimmed))\""]
      lines += [sentence(spec.summary)]
      lines += spec.options.flatMap(option)
    }
    lines.append(".SH OPTIONS")
    lines.append("Every command knows these; those that use no database leave out the first two.")
    lines += (CommandSpec.database + CommandSpec.common).flatMap(option)
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in ExitCode.meanings { lines += [".TP", ".B \(code)", sentence(meaning)] }
    lines.append(".SH ENVIRONMENT")
    for (name, meaning) in environment { lines += [".TP", ".B \(name)", sentence(meaning)] }
    return lines.joined(separator: "\n")
  }

  private static let environment = [
    ("PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSFILE", "the database, where --database doesn't say"),
    ("SALVO_CREDENTIALS", "folder of credential files; without it systemd's CREDENTIALS_DIRECTORY"),
    ("SALVO_CA_FILE", "PEM file of certificates that are trusted besides the system's"),
    ("SALVO_STATE", "folder for results that the database couldn't be told; without it systemd's STATE_DIRECTORY"),
    ("NO_COLOR", "when it is set and not empty, nothing is coloured"),
  ]

  private static func option(_ option: CommandSpec.Option) -> [String] {
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return [".TP", "\\fB\(escaped(option.name))\\fR\(value)", sentence(option.help)]
  }

  private static func sentence(_ text: String) -> String {
    let text = escaped(text)
    return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Backslashes, hyphens that are typed as such, and a beginning that would be taken for a macro (groff_char(7)).
  private static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    return [".", "'"].contains(escaped.first) ? "\\&" + escaped : escaped
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
