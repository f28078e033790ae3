import Base
import Campaign
import Testing

@testable import Rendering

/// Functions in a payload template of a text that the launch knows, and of one that only the message knows: both must
/// come to the same.
@Suite("Functions")
struct FunctionTests {
  /// The payload for each way of knowing the title.
  private func payloads(_ template: String, title: String, _ change: (inout Bench) -> Void = { _ in }) throws
    -> [String]
  {
    var bench = Bench(template)
    bench.content.body = "B"
    bench.content.buttons = [.init(label: "one", link: "1"), .init(label: "two", link: "2")]
    change(&bench)
    bench.content.title = title
    let launch = try bench.payload()
    bench.content.title = "{{.Vars.t}}"
    bench.recipients = [.init(variables: JSON.object(JSONObject([.init(key: "t", value: .string(title))])).text)]
    return [launch, try bench.payload()]
  }

  private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"

  @Test(
    "in a string, by themselves and beside text",
    arguments: [
      ("{{upper .Title}}", "straße é", "STRASSE É"),
      ("{{.Title | lower}}", "ÀÉ İX", "àé i̇x"),
      ("{{title .Title}}", "hello wOrld jerry's ǆ été", "Hello WOrld Jerry's ǅ Été"),
      ("{{truncate 3 .Title}}", "abcdef", "abc"),
      ("{{.Title | truncate 9}}", "12345678\(family)9", "12345678\(family)"),
      ("{{.Title | truncate 9 \"characters\"}}", "12345678\(family)9", "12345678\(family)"),
      ("{{truncate 33 \"bytes\" .Title}}", "12345678\(family)9", "12345678\(family)"),
      ("{{truncate 32 \"bytes\" .Title}}", "12345678\(family)9", "12345678"),
      ("{{truncate 3 \"bytes\" .Title}}", "жё", "ж"),
      ("{{truncate 0 .Title}}.", "abc", "."),
      ("{{truncate 99 .Title}}", "abc", "abc"),
      ("{{urlquery .Title}}", "Tom & Jerry/é", "Tom+%26+Jerry%2F%C3%A9"),
      ("{{len .Title}}", "é😀", "6"),
      ("{{printf \"<%s|%5s|%-5s|%.1s>\" .Title .Title .Title .Title}}", "é\"x", "<é\"x|  é\"x|é\"x  |é>"),
      ("{{printf \"%d bytes\" (len .Title)}}", "abc", "3 bytes"),
      ("{{printf \"%q\" .Title}}", "a\"b\u{7}\u{7F}", "\"a\\\"b\\u0007\u{7F}\""),
      ("{{json .Title}}", "a\"b", "\"a\\\"b\""),
      ("{{toJson (upper .Title)}}", "a\"b", "\"A\\\"B\""),
      ("{{json (len .Title)}}", "abc", "3"),
      ("{{eq .Title \"x\"}} {{ne .Title \"x\"}} {{eq .Title \"y\" \"x\"}}", "x", "true false true"),
      ("{{lt .Title \"b\"}}{{le .Title \"a\"}}{{gt .Title \"a\"}}{{ge .Title \"b\"}}", "a", "truetruefalsefalse"),
      ("{{eq .Title \"e\\u0301\"}}", "é", nil),
      ("{{and .Title .Body}} {{and .Title 0}}", "x", "B 0"),
      ("{{and .Title .Body}}|{{and .Body .Title}}", "", "|"),
      ("{{or .Title .Body}}", "", "B"),
      ("{{or .Title 5}}", "", "5"),
      ("{{not .Title}}", "x", "false"),
      ("{{not (not .Title)}}", "", "false"),
      ("{{.Title | default \"d\"}}", "", "d"),
      ("{{.Title | default (len .Title)}}", "", "0"),
      ("{{len .Title | default 7}}", "", "0"),
      ("{{.Title | upper | default \"d\"}}", "x", "X"),
      ("{{(index .Actions (len .Title)).Label}}", "x", "two"),
      ("{{with index .Actions (len .Title)}}{{.Link}}{{end}}", "", "1"),
      (
        "{{range $i, $b := .Actions}}{{if eq $.Title $b.Label}}[{{$b.Label}}]{{else}}{{$i}}{{end}}{{end}}", "two",
        "0[two]"
      ),
      ("{{with .Title}}<{{.}}>{{else}}none{{end}}", "x", "<x>"),
      ("{{with .Title}}<{{.}}>{{else}}none{{end}}", "", "none"),
      ("{{with upper .Title}}{{lower .}}{{.}}{{end}}", "x", "xX"),
      ("{{with .Title}}{{with .}}{{.}}{{end}}{{else with .Body}}{{.}}{{end}}", "", "B"),
      ("{{if $t := .Title}}{{$t}}{{else}}no{{$t}}{{end}}", "x", "x"),
      ("{{$x := \"a\"}}{{if .Title}}{{$x = \"b\"}}{{else}}{{$x = .Body}}{{end}}{{$x}}", "x", "b"),
      ("{{$x := \"a\"}}{{if .Title}}{{$x = \"b\"}}{{else}}{{$x = .Body}}{{end}}{{$x}}", "", "B"),
      ("{{$x := \"a\"}}{{if .Title}}{{$x := \"b\"}}{{$x}}{{end}}{{$x}}", "x", "ba"),
      ("{{$n := 0}}{{range .Actions}}{{if eq $.Title .Label}}{{$n = .Link}}{{end}}{{end}}{{$n}}", "two", "2"),
      ("{{$n := 0}}{{range .Actions}}{{if eq $.Title .Label}}{{$n = .Link}}{{end}}{{end}}{{$n}}", "", "0"),
      ("{{$l := .Actions}}{{if .Title}}{{range $l}}{{.Label}}{{end}}{{end}}", "x", "onetwo"),
      ("{{$b := index .Actions 0}}{{if .Title}}{{$b = index .Actions 1}}{{end}}{{$b.Label}}", "x", "two"),
      ("{{$b := index .Actions 0}}{{if .Title}}{{$b = index .Actions 1}}{{end}}{{$b.Label}}", "", "one"),
    ] as [(String, String, String?)])
  func inString(action: String, title: String, expected: String?) throws {
    let template = #"{"t":""# + action + #"","u":"x"# + action + #"y","v":"{\"w\":\""# + action + #"\"}"}"#
    if expected == nil {
      // Go's \u is not among the escapes of this language's texts.
      #expect(Bench(template).refusal()?.message.contains("of the escapes there are") == true)
      return
    }
    for payload in try payloads(template, title: title) {
      let json = try JSONScanner.parse(payload)
      for text in [json["t"], try json["v"]?.inside()["w"]] {
        #expect(text?.string.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
      }
      #expect(json["u"] == .string("x\(expected ?? "")y"))
    }
  }

  @Test(
    "as a bare value each keeps its own type",
    arguments: [
      ("{{upper .Title}}", "a\"b", #""A\"B""#), ("{{len .Title}}", "abc", "3"), ("{{eq .Title \"x\"}}", "x", "true"),
      ("{{not .Title}}", "x", "false"), ("{{or .Title 5}}", "", "5"), ("{{or .Title 5}}", "x", #""x""#),
      ("{{and .Title 5}}", "x", "5"), ("{{and .Title true}}", "", #""""#), ("{{and .Title nil}}", "x", nil),
      ("{{or .Title .Badge}}", "", nil), ("{{default .Badge .Title}}", "", nil),
      ("{{json (or .Title nil)}}", "", nil), ("{{json (or .Title .Badge) | json}}", "", nil),
      ("{{printf \"%q\" (or .Title nil)}}", "", nil),
      ("{{json (or .Title 5)}}", "", "5"), ("{{printf \"%q\" .Title}}", "a\"\u{7}", #""a\"\u0007""#),
      ("{{printf \"%q\" (len .Title)}}", "abc", #""3""#), ("{{printf \"%s\" .Title}}", "\"", #""\"""#),
      ("{{printf \"%q-\" .Title}}", "a", #""\"a\"-""#), ("{{upper .Badge}}", "", nil),
      ("{{printf \"%v\" .Badge}}", "", nil), ("{{truncate 5 .Badge}}", "", nil), ("{{index .Data \"x\"}}", "", nil),
      ("{{len .Data}}", "", "0"), ("{{gt .Badge 0}}", "", "false"), ("{{lt .Badge 0}}", "", "false"),
      ("{{eq .Badge nil}}", "", "true"), ("{{ne .Badge 0}}", "", "true"), ("{{upper 5}}", "", #""5""#),
      ("{{with .Title}}{{.}}{{else}}0{{end}}", "", "0"), ("{{with .Title}}{{.}}{{else}}0{{end}}", "5", #""5""#),
    ] as [(String, String, String?)])
  func bare(action: String, title: String, expected: String?) throws {
    let member = expected.map { #""v":\#($0),"# } ?? ""
    for payload in try payloads(#"{"v":\#(action),"z":1}"#, title: title) { #expect(payload == "{\(member)\"z\":1}") }
    // In a text of its own, nothing takes the member along too.
    for payload in try payloads(#"{"i":"{\"v\":\#(action),\"z\":1}"}"#, title: title) {
      #expect(try JSONScanner.parse(payload)["i"]?.inside() == JSONScanner.parse("{\(member)\"z\":1}"))
    }
  }

  @Test("in quotes nothing is nothing too: alone it takes its member along, beside text it leaves the text")
  func quotedAbsence() throws {
    let template =
      #"{"v":"{{json (or .Title nil)}}","w":"{{or .Title nil | printf "%q"}}","x":"-{{json (or .Title nil)}}","y":"-{{json .Badge}}","z":1}"#
    for payload in try payloads(template, title: "") { #expect(payload == #"{"x":"-","y":"-","z":1}"#) }
    for payload in try payloads(template, title: "x") {
      #expect(payload == #"{"v":"\"x\"","w":"\"x\"","x":"-\"x\"","y":"-","z":1}"#)
    }
  }

  @Test(
    "C02: printf %q is JSON's quoting, never Go's",
    arguments: ["{{printf \"%q\" .Title}}", "{{.Title | printf \"%q\"}}"])
  func quoting(action: String) throws {
    let title = "Tom & Jerry's <b>\"Deal\"</b>\u{7}\u{7F}\u{2028}😀"
    for payload in try payloads(#"{"t":\#(action)}"#, title: title) {
      #expect(payload == "{\"t\":\"Tom & Jerry's <b>\\\"Deal\\\"</b>\\u0007\u{7F}\u{2028}😀\"}")
      #expect(!payload.contains("\\a") && !payload.contains("\\x7f"))
    }
  }

  @Test("a time to live keeps the meaning of its place through functions and variables")
  func timeToLive() throws {
    let template =
      #"{ {{$t := .TTL}}{{if .Title}}{{$t = 5}}{{end}}"ttl":{{$t}},"time_to_live":{{$t}},"d":{"ttl":{{.TTL | default 60}}},"#
      + #""u":{{printf "%d" .TTL}},"g":{{gt .TTL 60}}}"#
    for payload in try payloads(template, title: "", { $0.content.ttlMilliseconds = 3_600_000 }) {
      #expect(payload == #"{"ttl":"3600s","time_to_live":3600,"d":{"ttl":"3600s"},"u":"3600","g":true}"#)
    }
    for payload in try payloads(template, title: "x", { $0.content.ttlMilliseconds = 3_600_000 }) {
      #expect(payload == #"{"ttl":5,"time_to_live":5,"d":{"ttl":"3600s"},"u":"3600","g":true}"#)
    }
  }

  @Test("numbers of any size are compared by their digits, and keep them")
  func digits() throws {
    var bench = Bench(
      #"{"a":{{eq .Data.a .Data.b}},"b":{{lt .Data.b .Data.a}},"c":{{eq .Data.c 129.9 }},"d":{{eq .Data.d 1000}},"#
        + #""e":{{lt .Data.e 1}},"f":{{gt .Data.f 0}},"g":{{lt .Data.g -1}},"h":{{eq .Data.z 0}},"i":{{.Data.c}},"#
        + #""j":{{or .Data.d 0}},"k":"{{printf "%d" .Data.a}}","l":{{lt .Data.h .Data.a}}}"#)
    bench.content.data = try #require(
      JSONScanner.parse(
        #"{"a":9007199254740993,"b":9007199254740992,"c":129.90,"d":1e3,"e":1e-400,"f":1e-999999999999999999999,"#
          + #""g":-1.0000000000000000000001,"h":-1e99999999999999999999,"z":-0.0}"#
      ).object)
    #expect(
      try bench.payload()
        == #"{"a":false,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true,"h":true,"i":129.90,"j":1e3,"#
        + #""k":"9007199254740993","l":true}"#)
  }

  @Test("a content text transforms the recipient's values before they are escaped for their place")
  func personal() throws {
    var bench = Bench(#"{"t":"{{.Title}}","u":"{{.Title | lower}}","v":"{\"w\":\"{{.Title}}\"}"}"#)
    bench.content.title =
      "{{with .Profile.name | upper}}Hi {{.}}{{else}}Hi{{end}}, {{range $i, $x := .Vars.items}}{{if $i}} & {{end}}{{truncate 3 $x}}{{end}}"
    bench.recipients = [
      .init(attributes: #"{"name":"a\"\\\n"}"#, variables: #"{"items":["shoes","\"hats\""]}"#),
      .init(attributes: "{}", variables: "{}"),
    ]
    let payloads = try bench.payloads().map { try JSONScanner.parse($0) }
    #expect(payloads[0]["t"] == .string("Hi A\"\\\n, sho & \"ha"))
    #expect(payloads[0]["u"] == .string("hi a\"\\\n, sho & \"ha"))
    #expect(try payloads[0]["v"]?.inside()["w"] == .string("Hi A\"\\\n, sho & \"ha"))
    #expect(payloads[1]["t"] == .string("Hi, "))
  }

  @Test(
    "what a function makes of a missing value is missing",
    arguments: ["upper", "urlquery", "truncate 3", "printf `%s`"])
  func missing(function: String) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = "Hi {{.Profile.name | \(function)}}"
    let rejections = try bench.slice().rejections
    #expect(rejections.map(\.reason) == ["missing_value"])
    bench.options.missing = .blank
    #expect(try bench.payload() == #"{"t":"Hi "}"#)
    bench.content.title = "Hi {{.Profile.name | \(function) | default `you`}}"
    #expect(try bench.payload() == #"{"t":"Hi you"}"#)
  }

  @Test("a text in a branch that isn't taken is not asked for")
  func untaken() throws {
    var bench = Bench(#"{"t":"{{if eq .SubTitle "x"}}{{.Title}}{{else}}-{{end}}"}"#)
    bench.content.title = "{{.Vars.missing}}"
    bench.content.subtitle = "{{.Vars.s}}"
    bench.recipients = [.init(variables: #"{"s":"y"}"#), .init(variables: #"{"s":"x"}"#)]
    let slice = try bench.slice()
    #expect(slice.messages.map(\.input) == [0])
    #expect(slice.rejections.map(\.reason) == ["missing_value"])
  }

  @Test(
    "what is refused, and where",
    arguments: [
      ("{{printf .Title}}", 3, "printf takes its format first, written out in quotes"),
      ("{{printf \"%s\"}}", 3, "the format takes 1 values, here are 0"),
      ("{{printf \"%s\" 1 2}}", 3, "the format takes 1 values, here are 2"),
      ("{{printf \"%x\" 1}}", 3, "printf has no %x; there are %s %v %q %d %t %f %e %%"),
      ("{{printf \"%\" 1}}", 3, "the format ends within a verb"),
      ("{{printf \"%[1]s\" 1}}", 3, "printf has no %["),
      ("{{printf \"%*d\" 1 2}}", 3, "printf has no %*"),
      ("{{printf \"%9999d\" 1}}", 3, "a width or precision above 1000"),
      ("{{printf \"%05s\" `a`}}", 3, "%s takes no + and no 0"),
      ("{{printf \"%d\" .Priority}}", 3, "%d can't write text"),
      ("{{printf \"%d\" 1.5}}", 3, "%d can't write a number"),
      ("{{printf \"%t\" 1}}", 3, "%t can't write a number"),
      ("{{printf \"%f\" `a`}}", 3, "%f can't write text"),
      ("{{truncate `a` .Body}}", 3, "truncate takes a whole number first, here is a"),
      ("{{truncate -1 .Body}}", 3, "truncate takes a whole number first, here is -1"),
      ("{{truncate 1.5 .Body}}", 3, "truncate takes a whole number first, here is 1.5"),
      ("{{truncate 5 `words` .Body}}", 3, "truncate counts \"characters\" or \"bytes\", not words"),
      ("{{truncate .Body}}", 3, "truncate takes 2 or 3 operands, here are 1"),
      ("{{eq 1}}", 3, "eq takes 2 or more operands, here are 1"),
      ("{{eq .Actions .Actions}}", 3, "eq takes plain values, .Actions is none"),
      ("{{json .Actions}}", 3, "json takes plain values, .Actions is none"),
      ("{{upper .Actions}}", 3, "upper takes plain values, .Actions is none"),
      ("{{len (index .Actions 0)}}", 3, "len takes plain values"),
      ("{{index .Title 0}}", 3, "index takes a list or an object, .Title is none"),
      ("{{(index .Actions 0).Lable}}", 21, "there is no (index .Actions 0).Lable (did you mean .Label?)"),
      ("{{index .Actions 0 \"Lable\"}}", 3, "did you mean .Label?"),
      ("{{index .Actions 0 1}}", 3, "takes a name in quotes"),
      ("{{index .Actions 3}}", 3, "index .Actions 3 can't be written as it is: a button has"),
      ("{{and .Title .Actions}}", 3, "may be a list, so it can't be written"),
      ("{{and .Title len .Body}}", 14, "a call among operands stands in parentheses: (len …)"),
      ("{{uper .Title}}", 3, "there is no function 'uper' (did you mean upper?)"),
      ("{{html .Title}}", 3, "the function 'html' is not supported: values are escaped for their place"),
      ("{{slice .Title 1}}", 3, "the function 'slice' is not supported: truncate shortens a text"),
      ("{{$titel := 1}}{{$title}}", 18, "there is no $title here (did you mean $titel?); there are $titel"),
      ("{{$x = 1}}", 3, "there is no $x here"),
      ("{{$ := 1}}", 3, "a variable needs a name"),
      ("{{$x := .Title}}{{$x = .Actions}}", 19, "$x was declared for another kind of value"),
      ("{{$x := .}}", 9, "'.' needs a name here"),
      ("{{with $}}{{end}}", 8, "'$' needs a name"),
      ("{{if .Title}}{{else with .Body}}{{end}}", 21, "'}}' was expected"),
      ("{{with .Title}}{{else if .Body}}{{end}}", 23, "'}}' was expected"),
      ("{{with .Title}}", 1, "the 'with' that begins here has no 'end'"),
      ("{{with .Title}}{{.x}}{{end}}", 18, "a plain value, it has no .x"),
      ("{{with .Actions}}{{.}}{{end}}", 20, ". is a list: range over it"),
      ("{{range $i $x := .Actions}}{{end}}", 9, "there is no $i here"),
      ("{{range $i, $x .Actions}}{{end}}", 16, "':=' was expected"),
      ("{{range 10001}}x{{end}}", 1, "range needs a list"),
      ("{{range 1000}}{{range 11}}x{{end}}{{end}}", 15, "ranges go round more than 10000 times"),
      ("{{(.Title}}", 10, "')' was expected"),
      ("{{.Title | }}", 12, "a function was expected after '|'"),
      ("{{= 1}}", 3, "a value was expected"),
    ])
  func refusals(action: String, column: Int, message: String) throws {
    var bench = Bench(#"{"t":""# + action + #""}"#)
    bench.content.buttons = [.init(label: "one", link: "1")]
    let error = try #require(bench.refusal())
    #expect(error.message.contains(message), "\(error)")
    #expect(error.column == column + 6, "\(error)")
  }

  @Test("what would grow without end is refused: deep calls, doubling texts, steps for every message")
  func growth() throws {
    let parentheses = String(repeating: "(", count: 10_000)
    #expect(Bench("{\"t\":{{\(parentheses)}}}").refusal()?.message.contains("more than 64 calls") == true)
    let pipes = String(repeating: " | upper", count: 10_000)
    #expect(Bench("{\"t\":{{.Title\(pipes)}}}").refusal()?.message.contains("more than 64 calls") == true)
    let double = String(repeating: #"{{$x = printf "%s%s" $x $x}}"#, count: 40)
    #expect(
      Bench(#"{ {{$x := "abc"}}\#(double)"t":"{{$x}}"}"#).refusal()?.message.contains("more than 262144 bytes") == true)
    var bench = Bench(#"{ {{$x := .Title}}\#(double)"t":"{{$x}}"}"#)
    bench.content.title = "{{.Vars.t}}"
    #expect(bench.refusal()?.message == "this takes more than 256 steps for every message")
    let branches = String(repeating: "{{else if .Title}}", count: 100)
    #expect(Bench("{\"t\":\"{{if .Body}}\(branches){{end}}\"}").refusal()?.message == "more than 64 branches")
  }

  @Test("a range takes its list from a variable that each message decides, but no list of the message's own")
  func openLists() throws {
    let template =
      #"{ {{$l := .Data.a}}{{if .Title}}{{$l = .Data.b}}{{end}}"l":[{{range $i, $v := $l}}{{if $i}},{{end}}{{$v}}{{end}}]}"#
    let data = try #require(JSONScanner.parse(#"{"a":[1],"b":[2,3]}"#).object)
    for (title, expected) in [("", "[1]"), ("x", "[2,3]")] {
      for payload in try payloads(template, title: title, { $0.content.data = data }) {
        #expect(payload == "{\"l\":\(expected)}")
      }
    }
    var bench = Bench(#"{"l":"{{range (len .Title)}}x{{end}}"}"#)
    bench.content.title = "{{.Vars.t}}"
    #expect(bench.refusal()?.message.contains("must be the launch's") == true)
  }
}
