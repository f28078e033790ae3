import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Damaged templates")
struct DamagedTemplateTests {
  private static let pieces = [
    "{", "}", "[", "]", "\"", "\\\"", "\\", ",", ":", " ", "\n", "1", "null", "x", "é", "{{", "}}", "{{-", "-}}",
    "{{.Title}}",
    "{{.Badge}}", "{{.Actions}}", "{{if .Title}}", "{{if .Badge}}", "{{else}}", "{{else if .Body}}", "{{end}}",
    "{{range .Actions}}", "{{range $i, $b := .Actions}}", "{{$b.Label}}", "{{$x := .Body}}", "{{$x}}", "{{/*", "*/}}",
    "{{json .Title}}", "{{.TTL | default 5}}", "|", "$", ".", "(", ")",
  ]

  private static let templates = [
    PublishedTemplates.firebase, PublishedTemplates.apns, PublishedTemplates.appMetrica,
    #"{ {{if .Title}}"a":"{{.Title}}",{{end}}"b":[{{range $i, $b := .Actions}}{{if $i}},{{end}}{{.Label}}{{end}}],"#
      + #""c":{{if .Body}}{"d":{{.Badge}}}{{else}}{{.TTL}}{{end}},"e":"{\"f\":\"{{.Title}}\",\"g\":[{{.Badge}}]}" }"#,
  ]

  /// Whatever a person saves: either it is refused with its place, or every payload is strict JSON.
  @Test("are refused, or still give JSON", arguments: 0..<4)
  func damaged(index: Int) throws {
    var random = SplitMix(state: UInt64(index) + 7)
    var accepted = 0
    for _ in 0..<400 {
      var text = Array(Self.templates[index].unicodeScalars)
      for _ in 0..<([1, 1, 2].randomElement(using: &random) ?? 1) {
        let at = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.remove(at: at)
        case 1: text.removeSubrange(at..<min(text.count, at + Int.random(in: 1...30, using: &random)))
        case 2: text.insert(contentsOf: text[at..<min(text.count, at + 20)], at: at)
        default: text.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").unicodeScalars, at: at)
        }
        if text.isEmpty { text = ["{"] }
      }
      var template = String.UnicodeScalarView()
      template.append(contentsOf: text)
      var bench = Bench(String(template))
      bench.dropEmpty = ["c.*", "aps.alert.*", "a", "e{}.*"]
      bench.content.title = "{{.Vars.t}}"
      bench.content.badge = [nil, 1].randomElement(using: &random) ?? nil
      bench.content.buttons = (0..<Int.random(in: 0...3, using: &random)).map { .init(label: "l\($0)\"", link: "") }
      bench.recipients = [.init(variables: #"{"t":"a\"\\b"}"#), .init(variables: #"{"t":""}"#)]
      if let refusal = bench.refusal() {
        #expect(refusal.line > 0 && refusal.column > 0 && !refusal.message.contains("\n"))
        continue
      }
      accepted += 1
      for payload in try bench.payloads() {
        do {
          _ = try JSONScanner.parse(payload)
        } catch {
          Issue.record("\(error) in \(payload) from \(bench.template)")
        }
      }
    }
    // Otherwise nothing was tried.
    #expect(accepted > 10)
  }
}
