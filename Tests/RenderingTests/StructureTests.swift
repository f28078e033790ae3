import Base
import Campaign
import Testing

@testable import Rendering

@Suite("A template as JSON with holes")
struct StructureTests {
  @Test(
    "what can't be JSON is refused, and where",
    arguments: [
      (#"{"a":1,}"#, 1, 7, "a comma with nothing behind it"),
      (#"{"a":1 "b":2}"#, 1, 8, "a comma is missing before this"),
      (#"{,"a":1}"#, 1, 2, "a comma with nothing before it"),
      (#"{"a":[1,,2]}"#, 1, 9, "a comma with nothing before it"),
      (#"{"a":1,"a":2}"#, 1, 8, "the key \"a\" is there twice"),
      (#"{"a":1,"b":{"c":1,"c":2}}"#, 1, 19, "the key \"c\" is there twice"),
      (#"{"a":01}"#, 1, 6, "a value was expected"),
      (#"{"a":yes}"#, 1, 6, "a value was expected"),
      (#"{"a":'x'}"#, 1, 6, "a value was expected"),
      (#"{"a" 1}"#, 1, 6, "':' was expected"),
      (#"{a:1}"#, 1, 2, "a key in quotes was expected"),
      (#"{"a":1"#, 1, 7, "the '{' at line 1, column 1 is not closed"),
      (#"{"a":[1}"#, 1, 8, "']' was expected, for the bracket at line 1, column 6"),
      (#"{"a":1} x"#, 1, 9, "this is more"),
      (#"{"a":"x"#, 1, 8, "the string that began at line 1, column 6 is not closed"),
      (#"{"a":"\q"}"#, 1, 7, "JSON has no such escape"),
      (#"{"a":"\ud83d"}"#, 1, 7, "JSON has no such escape"),
      ("{\"a\":\"x\ny\"}", 1, 8, "a control character must be escaped"),
      (#""just text""#, 1, 1, "a payload is an object"),
      (#"{{.Badge}}"#, 1, 3, "a payload is an object"),
      (#"{{if .Title}}{}{{else}}{{.Badge}}{{end}}"#, 1, 1, "a payload is an object"),
      ("", 1, 1, "a value was expected"),
      (#"{"{{.Title}}":1}"#, 1, 3, "a key must be written out, an action can't be in it"),
      (#"{"x{{.Title}}":1}"#, 1, 4, "a key must be written out, an action can't be in it"),
      (#"{ {{.Title}}:1}"#, 1, 3, "a key must be written out, an action can't be one"),
      (#"{"a":{{.Badge}}5}"#, 1, 16, "a bare value is one action alone"),
      (#"{"a":5{{.Badge}}}"#, 1, 7, "a bare value is one action alone"),
      (#"{"a":{{.Badge}}{{.Badge}}}"#, 1, 16, "a bare value is one action alone"),
      (#"{"a":{{.Badge}}"x"}"#, 1, 16, "a bare value is one action alone"),
    ])
  func refusals(template: String, line: Int, column: Int, message: String) throws {
    let error = try #require(Bench(template).refusal())
    #expect([error.line, error.column] == [line, column], "\(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test(
    "a branch that ends elsewhere than it began is refused with both places",
    arguments: [
      (#"{"a":{{if .Title}}1{{end}}}"#, 1, 6, "at line 1, column 20"),
      (#"{"a":"x{{if .Title}}y"{{else}}z"{{end}}}"#, 1, 22, "the string that began at line 1, column 6"),
      (#"{"a":{{with .Title}}"{{.}}{{else}}0{{end}}}"#, 1, 27, "the string that began at line 1, column 21"),
      (#"{"a":{{with .Title}}{"b":{{.}}{{else}}0{{end}}}"#, 1, 31, "the '{' at line 1, column 21"),
      (#"{"a":"{\"b\":{{if .Title}}1,\"c\":{{else}}2{{end}}}"}"#, 1, 28, "a branch must end with its one value"),
      (#"{"a":1{{if .Title}}}{{end}}"#, 1, 20, "which began at line 1, column 7"),
      (#"{{if .Title}}{"a":1{{else}}{"b":1{{end}}}"#, 1, 20, "the '{' at line 1, column 14"),
      (#"{"a":{"b":1{{if .Title}},"c":{{end}}}}"#, 1, 30, "a value was expected"),
      (#"{"a":{{if .Title}}1,"b":2{{else}}2{{end}}}"#, 1, 20, "a branch must end with its one value"),
      (#"{"a":{{range .Actions}}1{{end}}}"#, 1, 6, "a range may give none or several"),
      (#"{"a":[{{range .Actions}}"{{.Label}}{{end}}"]}"#, 1, 36, "the string that began at line 1, column 25"),
    ])
  func branches(template: String, line: Int, column: Int, message: String) throws {
    let error = try #require(Bench(template).refusal())
    #expect([error.line, error.column] == [line, column], "\(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test("conditions around members, elements and values, with the commas as written")
  func conditionalMembers() throws {
    let template = """
      { {{if .Title}}"t": "{{.Title}}", {{end}}"a": [{{if .Silent}}1{{else}}2{{end}}, 3]{{if .Body}},
        "b": {{if .Silent}}{"x": 1}{{else}}"{{.Body}}"{{end}}{{end}} }
      """
    var bench = Bench(template)
    #expect(try bench.payload() == #"{"a":[2,3]}"#)
    bench.content.title = "T"
    bench.content.body = "B"
    #expect(try bench.payload() == #"{"t":"T","a":[2,3],"b":"B"}"#)
    bench.content.silent = true
    #expect(try bench.payload() == #"{"t":"T","a":[1,3],"b":{"x":1}}"#)
  }

  @Test("two conditions on one value are rehearsed together")
  func correlatedConditions() throws {
    let template = #"{ {{if .Title}}"t":1{{end}}{{if .Title}},{{end}}"a":2 }"#
    #expect(try Bench(template).payload() == #"{"a":2}"#)
  }

  @Test(
    "a condition that only the message decides",
    arguments: [
      (#"{ {{if .Title}}"t":1,{{end}}"s":1}"#, #"{"t":1,"s":1}"#, #"{"s":1}"#),
      (#"{ {{if .Title}}{{else}}"t":1,{{end}}"s":1}"#, #"{"s":1}"#, #"{"t":1,"s":1}"#),
      (
        #"{"s":1{{if .Title}},"t":{"u":"{{.Title}}"}{{end}},"z":2}"#, #"{"s":1,"t":{"u":"x"},"z":2}"#, #"{"s":1,"z":2}"#
      ),
      (#"{"s":[{{if .Title}}1{{else if .Body}}2{{else}}3{{end}}]}"#, #"{"s":[1]}"#, #"{"s":[2]}"#),
      (#"{"s":{{if .Title}}{"a":1}{{else}}"{{.Body}}"{{end}},"z":2}"#, #"{"s":{"a":1},"z":2}"#, #"{"s":"B","z":2}"#),
      (#"{"s":"{{if .Title}}[{{.Title}}]{{else}}-{{end}}"}"#, #"{"s":"[x]"}"#, #"{"s":"-"}"#),
      (#"{"s":"{{if .Title}}[\"{{.Title}}\"]{{end}}"}"#, #"{"s":"[\"x\"]"}"#, #"{"s":""}"#),
      (#"{"s":{{.Title | default "d"}},"u":"{{default .Body .Title}}"}"#, #"{"s":"x","u":"x"}"#, #"{"s":"d","u":"B"}"#),
      (#"{"s":"{{.Title | default .UID | json}}"}"#, #"{"s":"\"x\""}"#, nil),
    ] as [(String, String, String?)])
  func openConditions(template: String, present: String, absent: String?) throws {
    var bench = Bench(template)
    bench.content.title = "{{.Vars.t}}"
    bench.content.body = "B"
    bench.recipients = [.init(variables: #"{"t":"x"}"#), .init(variables: #"{"t":""}"#)]
    let payloads = try bench.payloads()
    #expect(payloads[0] == present)
    if let absent { #expect(payloads[1] == absent) }
  }

  @Test("with too many conditions to try all, the launch's own values are tried too", arguments: [true, false])
  func launchValues(isPersonal: Bool) throws {
    let others = ["Banner", "Media", "ClickURL", "URL", "Deeplink", "LEDColor", "IconBackground", "Silent"]
      .map { "{{if .\($0)}}{{end}}" }.joined()
    // A comma too many when there are title and body, but no icon and no image.
    let fault = "{{if .Title}}{{if .Body}}{{if .Icon}}{{else if .Image}}{{else}},{{end}}{{end}}{{end}}"
    var bench = Bench(#"{ \#(others)"a":1\#(fault)}"#)
    #expect(bench.refusal() == nil)
    bench.content.title = isPersonal ? "{{.Profile.id}}" : "T"
    #expect(bench.refusal() == nil)
    bench.content.body = "B"
    #expect(bench.refusal()?.message == "a comma with nothing behind it before the closing bracket")
    bench.content.icon = "i"
    #expect(bench.refusal() == nil)
  }

  @Test("both ways when only the message decides")
  func launchValuesOpen() throws {
    let others = ["Banner", "Media", "ClickURL", "URL", "Deeplink", "LEDColor", "IconBackground", "Silent"]
      .map { "{{if .\($0)}}{{end}}" }.joined()
    let fault = "{{if .Title}}{{else if .Body}}{{if .Icon}}{{if .Image}}{{else}},{{end}}{{end}}{{end}}"
    var bench = Bench(#"{ \#(others)"a":1\#(fault)}"#)
    bench.content.title = "T"
    bench.content.body = "B"
    bench.content.icon = "i"
    #expect(bench.refusal() == nil)
    bench.content.title = "{{.Profile.id}}"
    #expect(bench.refusal()?.message == "a comma with nothing behind it before the closing bracket")
  }

  @Test("a comma that a value decides is refused before that value comes")
  func conditionalComma() throws {
    let error = try #require(Bench(#"{"a":1,{{if .Title}}"b":2{{end}}}"#).refusal())
    #expect([error.line, error.column] == [1, 7])
    #expect(error.message.hasPrefix("a comma with nothing behind it"))
  }

  static let actions =
    #"{"actions":[{{range $i, $a := .Actions}}{{if $i}},{{end}}{"id":"{{$a.ID}}","title":"{{$a.Title}}","url":"{{$a.URL}}"}{{end}}]}"#

  @Test("C04: none, one and three buttons, in order, with a comma only between them")
  func buttons() throws {
    var bench = Bench(Self.actions)
    #expect(try bench.payload() == #"{"actions":[]}"#)
    bench.content.buttons = [.init(label: "Yes", link: "https://shop.example/", id: "y")]
    #expect(try bench.payload() == #"{"actions":[{"id":"y","title":"Yes","url":"https://shop.example/"}]}"#)
    bench.content.buttons += [
      .init(label: "Да, \"сейчас\"", link: "https://shop.example/?a=1&b=2", id: "n"),
      .init(label: "", link: "z", id: ""),
    ]
    #expect(
      try bench.payload() == #"{"actions":[{"id":"y","title":"Yes","url":"https://shop.example/"},"#
        + #"{"id":"n","title":"Да, \"сейчас\"","url":"https://shop.example/?a=1&b=2"},{"id":"","title":"","url":"z"}]}"#
    )
  }

  @Test("C04: else on an empty list")
  func emptyList() throws {
    let template = #"{"a":[{{range .Actions}}1{{else}}"none"{{end}}]}"#
    let error = try #require(Bench(template).refusal())
    #expect(error.message.contains("a comma is missing"))
    #expect(try Bench(#"{"a":"{{range .Actions}}1{{else}}none{{end}}"}"#).payload() == #"{"a":"none"}"#)
  }

  @Test(
    "C04: the naive forms are refused, whatever the launch has",
    arguments: [
      (#"{"a":[{{range .Actions}}{"t":"{{.Label}}"},{{end}}]}"#, 43, "1 elements"),
      (#"{"a":[{{range .Actions}}{"t":"{{.Label}}"}{{end}}]}"#, 25, "2 elements"),
      (#"{"a":[{{range $i, $a := .Actions}},{"t":"{{.Label}}"}{{end}}]}"#, 35, "1 elements"),
      (#"{"a":[0,{{range .Actions}}{"t":"{{.Label}}"}{{end}}]}"#, 8, "0 elements"),
      (#"{"a":"[{{range .Actions}}{\"t\":\"{{.Label}}\"},{{end}}]"}"#, 48, "1 elements"),
    ])
  func naiveRange(template: String, column: Int, sample: String) throws {
    let error = try #require(Bench(template).refusal())
    #expect(error.column == column, "\(error)")
    #expect(error.message.contains("comma") && error.message.contains(sample), "\(error)")
  }
}
