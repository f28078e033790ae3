import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Keys that may be there twice")
struct DuplicateKeyTests {
  /// With the title known to each message alone.
  private func bench(_ template: String) -> Bench {
    var bench = Bench(template)
    bench.content.title = "{{.Vars.t}}"
    bench.content.body = "{{.Vars.b}}"
    bench.recipients = [
      .init(variables: #"{"t":"x","b":"x"}"#), .init(variables: #"{"t":"","b":"x"}"#),
      .init(variables: #"{"t":"x","b":""}"#), .init(variables: #"{"t":"","b":""}"#),
    ]
    return bench
  }

  @Test(
    "are refused when messages may have both",
    arguments: [
      (#"{"a":1{{if .Title}},"a":2{{end}}}"#, 21),
      (#"{"z":1{{if .Title}},"a":1{{end}}{{if .Body}},"a":2{{end}}}"#, 46),
      (#"{"z":1{{if .Title}},"a":1{{end}}{{if not .Body}},"a":2{{end}}}"#, 50),
      (#"{"z":1{{if eq .Title "a"}},"a":1{{end}}{{if eq .Title "b"}},"a":2{{end}}}"#, 61),
      (#"{"o":"{\"z\":1{{if .Title}},\"a\":\"{{.Title}}\"{{end}}{{if .Body}},\"a\":2{{end}}}"}"#, 69),
      (#"{"é":1,"\u00e9":2}"#, 8),
    ])
  func refused(template: String, column: Int) throws {
    let error = try #require(bench(template).refusal())
    #expect(error.column == column, "\(error)")
    #expect(error.message.contains("there twice"), "\(error)")
  }

  @Test(
    "are none where one excludes the other",
    arguments: [
      #"{"z":1{{if .Title}},"a":1{{else}},"a":2{{end}}}"#,
      #"{"z":1{{if .Title}},"a":1{{else if .Body}},"a":2{{else}},"a":3{{end}}}"#,
      #"{"z":1{{with .Title}},"a":"{{.}}"{{else with .Body}},"a":"{{.}}"{{end}}}"#,
      #"{"z":1{{if .Title}},"a":1{{end}}{{if not .Title}},"a":2{{end}}}"#,
      #"{"z":1{{if .Title}}{{if .Body}},"a":1{{end}}{{end}}{{if not .Body}},"a":2{{end}}}"#,
      #"{"a":{"a":1{{if .Title}},"b":2{{end}}}{{if .Title}},"b":1{{end}}}"#,
      #"{"a":{{.Badge}},"z":1{{if .Title}},"a2":1{{end}}}"#,
      #"{"e\u0301":1,"é":2}"#,
    ])
  func accepted(template: String) throws {
    for payload in try bench(template).payloads() { _ = try JSONScanner.parse(payload) }
  }
}
