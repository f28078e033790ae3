import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Escaping by place")
struct EscapingTests {
  /// `"` as it stands inside `depth` strings: the quote itself, then one escaped, then that escaped.
  private func quote(_ depth: Int) -> String {
    String(repeating: "\\", count: (1 << depth) - 1) + "\""
  }

  @Test("C01: quote, backslash, line ends and tab in a string")
  func rawNewline() throws {
    var bench = Bench(#"{"message":{"notification":{"title":"{{.Title}}","body":"{{.Body}}"}}}"#)
    bench.content.title = #"Sale "50%" C:\deals"#
    bench.content.body = "Line1\r\nLine2\tend"
    #expect(bench.content.title?.count == 19)
    #expect(
      try bench.payload()
        == #"{"message":{"notification":{"title":"Sale \"50%\" C:\\deals","body":"Line1\r\nLine2\tend"}}}"#)
  }

  @Test("C01: a line break between members of the template is white space")
  func newlineBetweenMembers() throws {
    #expect(try Bench("{\n\"a\":\r\n\"x y\",\t\"b\" : 1\n}\n").payload() == #"{"a":"x y","b":1}"#)
  }

  @Test(
    "C02: escaped once in every form",
    arguments: [
      #"{"t":"{{.Title}}"}"#, #"{"t":{{.Title | toJson}}}"#, #"{"t":{{json .Title}}}"#, #"{"t":{{.Title | json}}}"#,
      #"{"t":{{.Title}}}"#, #"{"t":{{json .Title | json}}}"#,
    ])
  func once(template: String) throws {
    var bench = Bench(template)
    let title = "Tom & Jerry's <b>\"Deal\"</b>\u{7}\u{7F}\u{2028}😀"
    bench.content.title = title
    #expect(
      try bench.payload() == "{\"t\":\"Tom & Jerry's <b>\\\"Deal\\\"</b>\\u0007\u{7F}\u{2028}😀\"}")
    #expect(try bench.json()["t"]?.string.map { Array($0.unicodeScalars) } == Array(title.unicodeScalars))
  }

  @Test("json in a string is JSON as text")
  func jsonInString() throws {
    var bench = Bench(#"{"t":"{{json .Title}}","d":"{{json .Data}}","e":{{.Data}}}"#)
    bench.content.title = "a\"b"
    bench.content.data = JSONObject([.init(key: "k\"", value: .array([.string("\n"), .number("1.0")]))])
    #expect(
      try bench.payload()
        == #"{"t":"\"a\\\"b\"","d":"{\"k\\\"\":[\"\\n\",1.0]}","e":{"k\"":["\n",1.0]}}"#)
  }

  @Test("the same for a text that only the message knows", arguments: [#"{{json .Title}}"#, #"{{.Title}}"#])
  func personalJSON(action: String) throws {
    var bench = Bench(#"{"bare":"# + action + #","text":"{{json .Title}}","inner":"{\"t\":\#(action)}"}"#)
    bench.content.title = "{{.Profile.name}}"
    bench.recipients = [.init(attributes: #"{"name":"a\"b\\\n"}"#)]
    let json = try bench.json()
    #expect(json["bare"] == .string("a\"b\\\n"))
    #expect(json["text"] == .string(#""a\"b\\\n""#))
    #expect(try json["inner"]?.inside()["t"] == .string("a\"b\\\n"))
  }

  @Test("a value keeps its scalars in JSON in a string in a string in a string", arguments: 0...3)
  func depths(depth: Int) throws {
    // {"v":"…"} wrapped `depth` times into {"v":"<the escaped text>"}.
    var template = #"{"v":"{{.Title}}","n":{{.Badge}}}"#
    for _ in 0..<depth {
      let inner = template.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      template = #"{"v":""# + inner + #""}"#
    }
    var bench = Bench(template)
    let title = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}e\u{301}é😀\u{202E}\u{2029}\\\"\\n{{.Body}}"
    // Written by the recipient: what looks like an action in it is not one.
    bench.content.title = "{{.Vars.t}}"
    bench.recipients = [.init(variables: JSON.object(JSONObject([.init(key: "t", value: .string(title))])).text)]
    bench.content.badge = 5
    var json = try bench.json()
    for _ in 0..<depth { json = try #require(json["v"]).inside() }
    #expect(json["v"]?.string.map { Array($0.unicodeScalars) } == Array(title.unicodeScalars))
    #expect(json["n"] == .number("5"))
    // The quotes around the innermost value, byte for byte.
    #expect(try bench.payload().contains("\(quote(depth))n\(quote(depth)):5"))
  }

  @Test("escapes in the template's own text survive")
  func templateEscapes() throws {
    let template = #"{"a\u00e9\"":"\ud83d\ude00\/\n{{.Title}}\\","b":"{\"x\":\"\\u0041\\n\\\"{{.Title}}\"}"}"#
    #expect(try Bench(template).payload() == #"{"aé\"":"😀/\n\\","b":"{\"x\":\"A\\n\\\"\"}"}"#)
  }

  @Test(
    "which strings are JSON themselves",
    arguments: [
      (#"{\"a\":\"{{.Title}}\"}"#, true),
      (#" { \"a\" : \"{{.Title}}\" } "#, true),
      (#"[{\"a\":\"{{.Title}}\"}]"#, true),
      (#"[\"{{.Title}}\"]"#, true),
      (#"[[\"{{.Title}}\"]]"#, true),
      (#"{ {{if .Title}}\"a\":\"{{.Title}}\"{{end}} }"#, true),
      (#"[{{range $i, $b := .Actions}}{{if $i}},{{end}}\"{{$.Title}}\"{{end}}]"#, true),
      (#"{{if .Title}}[\"{{.Title}}\"]{{else}}[]{{end}}"#, true),
      (#"{{if .Body}}{{else if .Title}}{\"a\":\"{{.Title}}\"}{{end}}"#, true),
      (#"[{{.Title}}] sale"#, false),
      (#"[{{.Title}}]"#, false),
      (#"[{{.Title}}, {{.Title}}]"#, false),
      (#"[{{if .Title}}{{.Title}}{{end}}]"#, false),
      (#"[1, {{.Title}}]"#, false),
      (#"{ {{.Title}} }"#, false),
      (#"{{.Title}}: [\"x\"]"#, false),
      (#"{smile} {{.Title}} {smile}"#, false),
      (#"[\"{{.Title}}\"] and more"#, false),
      (#"{{if .Title}}[{{.Title}}]{{else}}-{{end}}"#, false),
    ])
  func nesting(text: String, isJSON: Bool) throws {
    var bench = Bench(#"{"v":""# + text + #""}"#)
    bench.content.title = "a\"b"
    bench.content.buttons = [.init(label: "", link: "")]
    let value = try #require(try bench.json()["v"]?.string)
    // Inside JSON the title is escaped once more than in plain text.
    #expect(value.contains(isJSON ? #"a\"b"# : #"a"b"#))
    if isJSON { _ = try JSONScanner.parse(value) }
  }

  @Test("a value that is itself JSON text stays a text, in whatever place, and `json` makes it one more text")
  func valueIsJSON() throws {
    let text = #"{"a":"b\"c","d":[1,"\\n"]}"#
    for title in [#"{"a":"b\"c","d":[1,"\\n"]}"#, "{{.Vars.t}}"] {
      var bench = Bench(
        #"{"s":"{{.Title}}","b":{{.Title}},"j":{{json .Title}},"t":"x{{.Title}}","js":"{{json .Title}}","#
          + #""i":"{\"s\":\"{{.Title}}\",\"b\":{{.Title}},\"k\":\"{\\\"s\\\":{{.Title}}}\"}"}"#)
      bench.content.title = title
      bench.recipients = [.init(variables: JSON.object(JSONObject([.init(key: "t", value: .string(text))])).text)]
      let json = try bench.json()
      for key in ["s", "b", "j"] { #expect(json[key] == .string(text), "\(key)") }
      #expect(json["t"] == .string("x" + text))
      #expect(try json["js"]?.inside() == .string(text))
      let inner = try #require(try json["i"]?.inside())
      #expect(inner["s"] == .string(text))
      #expect(inner["b"] == .string(text))
      #expect(try inner["k"]?.inside()["s"] == .string(text))
      #expect(try json["s"]?.inside()["a"] == .string("b\"c"))
    }
  }

  @Test("with, variables and assignments escape for where their value is written, not for where it was set")
  func movedValues() throws {
    let template =
      #"{ {{$x := .Title}}"a":"{{$x}}","b":"{{$first := true}}[{{range .Actions}}{{if not $first}},{{end}}{{$first = false}}"#
      + #"{\"l\":\"{{.Label}}\",\"x\":{{$x}}}{{end}}]","c":"{{with $x}}{\"d\":\"{{.}}\"}{{else}}{}{{end}}","e":{{with $x}}{{.}}{{else}}0{{end}} }"#
    for title in ["a\"b\\", "{{.Vars.t}}"] {
      var bench = Bench(template)
      bench.content.title = title
      bench.content.buttons = [.init(label: "\"1\\", link: ""), .init(label: "2\n", link: "")]
      bench.recipients = [.init(variables: #"{"t":"a\"b\\"}"#)]
      let json = try bench.json()
      #expect(json["a"] == .string("a\"b\\"))
      let list = try #require(try json["b"]?.inside())
      #expect(list["0/l"] == .string("\"1\\"))
      #expect(list["1/l"] == .string("2\n"))
      #expect(list["1/x"] == .string("a\"b\\"))
      #expect(try json["c"]?.inside()["d"] == .string("a\"b\\"))
      #expect(json["e"] == .string("a\"b\\"))
    }
  }

  @Test("a string that is meant as JSON and does not parse is refused when it has holes")
  func brokenInner() throws {
    let error = try #require(Bench(#"{"a":"{\"b\":\"{{.Title}}\",\"c\"}"}"#).refusal())
    #expect([error.line, error.column] == [1, 34])
    #expect(error.message == "':' was expected after the key")
    let comma = try #require(Bench(#"{"a":"{\"b\":\"{{.Title}}\",}"}"#).refusal())
    #expect([comma.line, comma.column] == [1, 28])
    #expect(try Bench(#"{"a":"{\"b\",}"}"#).payload() == #"{"a":"{\"b\",}"}"#)
  }
}
