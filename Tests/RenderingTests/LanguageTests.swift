import Base
import Campaign
import Testing

@testable import Rendering

@Suite("The language of templates")
struct LanguageTests {
  /// Renders a template whose text is all in the string `t`.
  private func text(_ inner: String, _ change: (inout Bench) -> Void = { _ in }) throws -> String? {
    var bench = Bench(#"{"t":""# + inner + #""}"#)
    bench.content.title = "T"
    bench.content.buttons = [.init(label: "a", link: "1"), .init(label: "b", link: "2"), .init(label: "c", link: "3")]
    change(&bench)
    return try bench.json()["t"]?.string
  }

  @Test(
    "what Go's text/template gives",
    arguments: [
      ("x{{.Title}}y", "xTy"),
      ("x {{- .Title -}} y", "xTy"),
      ("x {{- .Title }} y", "xT y"),
      ("x {{ .Title -}} y", "x Ty"),
      ("x{{/* a comment with }} and \" in it */}}y", "xy"),
      ("x {{- /* trimmed */ -}} y", "xy"),
      ("{{if .Title}}yes{{end}}", "yes"),
      ("{{if .Body}}yes{{end}}", ""),
      ("{{if .Body}}yes{{else}}no{{end}}", "no"),
      ("{{if .Body}}1{{else if .SubTitle}}2{{else if .Title}}3{{else}}4{{end}}", "3"),
      ("{{if 0}}yes{{else}}no{{end}}", "no"),
      ("{{if 0.0}}yes{{else}}no{{end}}", "no"),
      ("{{if 10}}yes{{else}}no{{end}}", "yes"),
      ("{{if true}}yes{{end}}{{if false}}no{{end}}{{if nil}}no{{end}}", "yes"),
      ("{{if .Actions}}some{{end}}", "some"),
      ("{{range .Actions}}{{.Label}}{{end}}", "abc"),
      ("{{range $b := .Actions}}{{$b.Link}}{{end}}", "123"),
      ("{{range $i, $b := .Actions}}{{if $i}},{{end}}{{$i}}{{$b.Label}}{{end}}", "0a,1b,2c"),
      ("{{range $i, $b := .Actions}}{{$.Title}}{{.Label}}{{end}}", "TaTbTc"),
      ("{{range .Actions}}x{{else}}none{{end}}", "xxx"),
      ("{{$t := .Title}}{{$t}}{{$t}}", "TT"),
      ("{{$b := .Actions}}{{range $b}}{{.Label}}{{end}}", "abc"),
      ("{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}", "21"),
      ("{{range .Actions}}{{range $.Actions}}{{.Label}}{{end}};{{end}}", "abc;abc;abc;"),
      ("{{`raw`}}{{\"quoted\"}}{{12.50}}", "rawquoted12.50"),
      ("{{ .Title | default \"d\" }}{{ default \"d\" .Body }}", "Td"),
      ("{{ .Body | default .SubTitle | default \"e\" }}", "e"),
      ("{{ default 1 0 }}{{ default true false }}", "0false"),
      ("{{ (.Body | default (`p`)) }}", "p"),
      ("{{ json .Title }}{{ json 5 }}{{ .Silent | json }}", "\"T\"5false"),
      ("{{.Silent}} {{.Vibration}}", "false false"),
    ])
  func semantics(template: String, expected: String) throws {
    #expect(try text(template) == expected)
  }

  @Test("a range over no buttons takes its else")
  func emptyRange() throws {
    #expect(try text("{{range .Actions}}x{{else}}none{{end}}") { $0.content.buttons = [] } == "none")
  }

  @Test("a range over custom data goes by key, as Go goes over a map")
  func rangeOverObject() throws {
    let json = JSONObject([
      .init(key: "z", value: .number("1")), .init(key: "a", value: .array([.string("x"), .string("y")])),
    ])
    let template = "{{range $k, $v := .Data}}{{$k}}={{if $k}}{{$v}}{{end}};{{end}}{{range .Data.a}}{{.}}{{end}}"
    #expect(try text(template) { $0.content.data = json } == #"a=["x","y"];z=1;xy"#)
  }

  @Test(
    "what is refused, and where",
    arguments: [
      ("{\n \"a\": \"{{.Titel}}\"}", 2, 10, "there is no .Titel (did you mean .Title?): a payload has .Actions .Badge"),
      ("{\"a\":\"é{{.Titel}}\"}", 1, 10, "there is no .Titel"),
      ("{\"a\":\"👩‍👩‍👧{{.Titel}}\"}", 1, 10, "there is no .Titel"),
      ("{\"a\":\"{{range .Actions}}{{.Title}}{{.Titel}}{{end}}\"}", 1, 37, "a button has .ID .Icon .Label .Link"),
      ("{\"a\":\"{{$x}}\"}", 1, 9, "there is no $x here"),
      ("{\"a\":\"{{if .Title}}{{$x := 1}}{{end}}{{$x}}\"}", 1, 40, "there is no $x here"),
      ("{\"a\":\"{{range $b := .Actions}}{{end}}{{$b.Label}}\"}", 1, 40, "there is no $b here"),
      ("{\"a\":\"{{.Title.x}}\"}", 1, 15, ".Title is a plain value"),
      ("{\"a\":\"{{.Actions.Label}}\"}", 1, 17, ".Actions is a list"),
      ("{\"a\":\"{{.Actions}}\"}", 1, 9, ".Actions is a list: range over it"),
      ("{\"a\":\"{{range .Actions}}{{.}}{{end}}\"}", 1, 27, "a button has"),
      ("{\"a\":\"{{range .Title}}{{end}}\"}", 1, 15, "range needs a list"),
      ("{\"a\":\"{{printf \\\"%q\\\" .Title}}\"}", 1, 16, "this character means nothing"),
      ("{\"a\":{{print .Title}}}", 1, 8, "the function 'print' is not supported: write the values side by side"),
      ("{\"a\":{{html .Title}}}", 1, 8, "the function 'html' is not supported"),
      ("{\"a\":{{json}}}", 1, 8, "json takes 1 operands, here are 0"),
      ("{\"a\":{{json .Title .Body}}}", 1, 8, "json takes 1 operands, here are 2"),
      ("{\"a\":\"{{define `x`}}\"}", 1, 7, "the word 'define' is not supported: a template is one text"),
      ("{\"a\":\"{{range .Actions}}{{break}}{{end}}\"}", 1, 25, "put what it would skip under an if"),
      ("{\"a\":{{.Title}} ,\"b\":{{end}}}", 1, 22, "there is no 'if', 'with' or 'range' to end here"),
      ("{\"a\":\"{{if .Title}}x\"}", 1, 7, "the 'if' that begins here has no 'end'"),
      ("{\"a\":\"{{range .Actions}}x{{else}}y{{else}}z{{end}}\"}", 1, 35, "already has its 'else'"),
      ("{\"a\":\"{{.Title\"}", 1, 15, "is not closed"),
      ("{\"a\":\"{{.Title", 1, 7, "the action that begins here has no '}}'"),
      ("{\"a\":\"{{/* x\"}", 1, 7, "the comment that begins here has no '*/'"),
      ("{\"a\":\"{{.Title .Body}}\"}", 1, 16, "this is too much"),
      ("{\"a\":\"{{}}\"}", 1, 9, "a value was expected"),
      ("{\"a\":\"{{.Title | 5}}\"}", 1, 18, "a function was expected after '|'"),
      ("{\"a\":\"{{range .Actions}}{{range $.Actions}}{{range $.Actions}}{{range $.Actions}}\"}", 1, 63, "more than 3"),
    ])
  func refusals(template: String, line: Int, column: Int, message: String) throws {
    let error = try #require(Bench(template).refusal())
    #expect(error.source == "template")
    #expect([error.line, error.column] == [line, column], "\(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test("a template that is not UTF-8 is refused where it stops being that")
  func invalidUTF8() throws {
    let source = SourceText(name: "t", bytes: Array("{\"a\":\n\"é".utf8) + [0xFF] + Array("\"}".utf8))
    #expect(
      throws: TemplateError(source: "t", line: 2, column: 3, message: "this is not valid UTF-8")
    ) { try Parser.parse(source, root: Variable.schema) }
  }

  @Test("an error reads as one line with its place")
  func description() throws {
    let error = try #require(Bench("{\"a\":\n{{.X}}}").refusal())
    #expect(error.description.hasPrefix("template, line 2, column 3: there is no .X"))
  }
}
