import Base
import Store

/// What was sent and how: content, options and the channels' settings. No secret is in a row; a channel names where
/// its secret lies.
struct ReportSettings {
  private let report: LaunchReport

  init(_ report: LaunchReport) { self.report = report }

  var html: HTML {
    var channels = HTMLTable(["Channel", "Provider", "Payload", "Credential", "Settings"])
    for channel in report.channels {
      let payload: HTML = channel.hasOwnTemplate ? "own template" : "\(channel.payloadProfile)"
      channels.add([
        "\(foreign: channel.name)", "\(channel.provider)", payload, "<code>\(foreign: channel.credential)</code>",
        "<code>\(foreign: channel.settings.text)</code>",
      ])
    }
    return HTMLReport.section(
      "What was sent, and how",
      """
      <h3>Content</h3>
      <pre><bdi>\(report.content.indented)</bdi></pre>
      <h3>Options</h3>
      <pre><bdi>\(report.options.indented)</bdi></pre>
      \(channels.isEmpty ? .empty : "<h3>Channels, as they are now</h3>\n\(channels.html)")
      """)
  }
}

extension JSON {
  /// On several lines, two blanks a level, for people.
  var indented: String { indented(0) }

  private func indented(_ level: Int) -> String {
    let inner = String(repeating: "  ", count: level + 1)
    let outer = String(repeating: "  ", count: level)
    switch self {
    case .object(let object) where !object.isEmpty:
      let members = object.members.map { "\(inner)\(JSON.string($0.key).text): \($0.value.indented(level + 1))" }
      return "{\n\(members.joined(separator: ",\n"))\n\(outer)}"
    case .array(let elements) where !elements.isEmpty:
      return "[\n\(elements.map { inner + $0.indented(level + 1) }.joined(separator: ",\n"))\n\(outer)]"
    default: return text
    }
  }
}
