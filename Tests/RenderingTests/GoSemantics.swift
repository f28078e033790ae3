/// What Go's text/template gives, rule by rule of its documentation (pkg.go.dev/text/template). `.Vars` holds the data.
enum GoSemantics {
  struct Row: Sendable {
    let template: String
    let data: String
    let result: String

    init(_ template: String, _ data: String, _ result: String) {
      self.template = template
      self.data = data
      self.result = result
    }
  }

  static let rows: [Row] = [
    // Text and spaces.
    Row(#"plain"#, #"{}"#, #"plain"#),
    Row(#"a{{.Vars.x}}b"#, #"{"x":"X"}"#, #"aXb"#),
    Row(#"{{23 -}} < {{- 45}}"#, #"{}"#, #"23<45"#),
    Row(#"a {{- .Vars.x -}} b"#, #"{"x":"X"}"#, #"aXb"#),
    Row(#"a {{- .Vars.x}} b"#, #"{"x":"X"}"#, #"aX b"#),
    Row(#"a {{.Vars.x -}} b"#, #"{"x":"X"}"#, #"a Xb"#),
    Row(#"{{- "x" -}}"#, #"{}"#, #"x"#),
    Row(#"{{-3}}"#, #"{}"#, #"-3"#),
    Row(#"a {{/* a comment */}} b"#, #"{}"#, #"a  b"#),
    Row(#"a {{- /* a comment */ -}} b"#, #"{}"#, #"ab"#),
    Row(#"{{/* }} " {{ */}}x"#, #"{}"#, #"x"#),
    Row(#"} }x{ {"#, #"{}"#, #"} }x{ {"#),
    // Constants.
    Row(#"{{"a\"b"}}"#, #"{}"#, #"a"b"#),
    Row(#"{{`a\b`}}"#, #"{}"#, #"a\b"#),
    Row(#"{{"a\\b"}}"#, #"{}"#, #"a\b"#),
    Row(#"{{12}} {{true}} {{false}}"#, #"{}"#, #"12 true false"#),
    Row(#"{{"{{"}}"#, #"{}"#, #"{{"#),
    // Paths.
    Row(#"{{.Vars.a.b.c}}"#, #"{"a":{"b":{"c":"deep"}}}"#, #"deep"#),
    Row(#"{{$.Vars.x}}"#, #"{"x":"X"}"#, #"X"#),
    Row(#"{{(.Vars.a).b}}"#, #"{"a":{"b":1}}"#, #"1"#),
    Row(#"{{.Vars.n}} {{.Vars.t}} {{.Vars.f}}"#, #"{"n":5,"t":true,"f":false}"#, #"5 true false"#),
    // if: what is empty is false.
    Row(#"{{if .Vars.x}}T{{end}}"#, #"{"x":"a"}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{end}}"#, #"{"x":""}"#, #""#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":0}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":-1}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":0.5}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":false}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":true}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":null}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":[]}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":[0]}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":{}}"#, #"F"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":{"a":0}}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":" "}"#, #"T"#),
    Row(#"{{if .Vars.x}}T{{else}}F{{end}}"#, #"{"x":"false"}"#, #"T"#),
    Row(#"{{if .Vars.a}}1{{else if .Vars.b}}2{{else}}3{{end}}"#, #"{"a":1,"b":1}"#, #"1"#),
    Row(#"{{if .Vars.a}}1{{else if .Vars.b}}2{{else}}3{{end}}"#, #"{"b":1}"#, #"2"#),
    Row(#"{{if .Vars.a}}1{{else if .Vars.b}}2{{else}}3{{end}}"#, #"{}"#, #"3"#),
    Row(#"{{if .Vars.a}}1{{else if .Vars.b}}2{{end}}"#, #"{}"#, #""#),
    Row(#"{{if .Vars.a}}{{if .Vars.b}}ab{{else}}a{{end}}{{else}}-{{end}}"#, #"{"a":1}"#, #"a"#),
    Row(#"{{if $x := .Vars.a}}{{$x}}{{else}}none{{$x}}{{end}}"#, #"{"a":"A"}"#, #"A"#),
    Row(#"{{if $x := .Vars.a}}{{$x}}{{else}}none{{$x}}{{end}}"#, #"{"a":0}"#, #"none0"#),
    // with.
    Row(#"{{with .Vars.a}}{{.b}}{{end}}"#, #"{"a":{"b":"B"}}"#, #"B"#),
    Row(#"{{with .Vars.a}}{{.}}{{else}}none{{end}}"#, #"{"a":"x"}"#, #"x"#),
    Row(#"{{with .Vars.a}}{{.}}{{else}}none{{end}}"#, #"{"a":""}"#, #"none"#),
    Row(#"{{with .Vars.a}}x{{else}}{{.Vars.b}}{{end}}"#, #"{"b":"B"}"#, #"B"#),
    Row(#"{{with .Vars.a}}{{$.Vars.b}}{{end}}"#, #"{"a":1,"b":"B"}"#, #"B"#),
    Row(#"{{with $x := .Vars.a}}{{$x}}{{.}}{{end}}"#, #"{"a":"A"}"#, #"AA"#),
    Row(#"{{with $x := 3}}{{with 4}}{{.}}{{$x}}{{end}}{{end}}"#, #"{}"#, #"43"#),
    Row(#"{{with .Vars.a}}{{with .b}}{{.}}{{end}}{{.b}}{{end}}"#, #"{"a":{"b":"B"}}"#, #"BB"#),
    // range.
    Row(#"{{range .Vars.l}}{{.}};{{end}}"#, #"{"l":[1,2,3]}"#, #"1;2;3;"#),
    Row(#"{{range .Vars.l}}x{{else}}none{{end}}"#, #"{"l":[]}"#, #"none"#),
    Row(#"{{range .Vars.l}}x{{else}}none{{end}}"#, #"{"l":null}"#, #"none"#),
    Row(#"{{range .Vars.l}}x{{else}}none{{end}}"#, #"{}"#, #"none"#),
    Row(#"{{range .Vars.l}}x{{end}}"#, #"{"l":[]}"#, #""#),
    Row(#"{{range $v := .Vars.l}}{{$v}}{{end}}"#, #"{"l":["a","b"]}"#, #"ab"#),
    Row(#"{{range $i, $v := .Vars.l}}{{if $i}},{{end}}{{$i}}={{$v}}{{end}}"#, #"{"l":["a","b","c"]}"#, #"0=a,1=b,2=c"#),
    Row(
      #"{{range $k, $v := .Vars.m}}{{$k}}={{$v}};{{end}}"#, #"{"m":{"z":1,"a":2,"é":3,"B":4}}"#, #"B=4;a=2;z=1;é=3;"#),
    Row(#"{{range .Vars.m}}{{.}}{{end}}"#, #"{"m":{"b":1,"a":2}}"#, #"21"#),
    Row(#"{{range .Vars.m}}x{{else}}none{{end}}"#, #"{"m":{}}"#, #"none"#),
    Row(
      #"{{range .Vars.l}}{{.n}}{{range .s}}{{.}}{{end}};{{end}}"#, #"{"l":[{"n":1,"s":["a","b"]},{"n":2,"s":[]}]}"#,
      #"1ab;2;"#),
    Row(#"{{range .Vars.l}}{{$.Vars.x}}{{end}}"#, #"{"l":[1,2],"x":"X"}"#, #"XX"#),
    Row(#"{{range .Vars.l}}{{with .n}}{{.}}{{else}}-{{end}}{{end}}"#, #"{"l":[{"n":1},{},{"n":3}]}"#, #"1-3"#),
    Row(
      #"{{range $i, $v := .Vars.l}}{{range $j, $w := $v}}{{$i}}{{$j}}{{$w}} {{end}}{{end}}"#,
      #"{"l":[["a"],["b","c"]]}"#, #"00a 10b 11c "#),
    Row(#"{{range $x := .Vars.l}}{{$x}}{{end}}{{range $x := .Vars.l}}{{$x}}{{end}}"#, #"{"l":[1]}"#, #"11"#),
    Row(#"{{$v := 0}}{{range $v = .Vars.l}}{{end}}{{$v}}"#, #"{"l":[1,2]}"#, #"2"#),
    Row(#"{{$i := 0}}{{$v := 0}}{{range $i, $v = .Vars.l}}{{end}}{{$i}}{{$v}}"#, #"{"l":["a","b"]}"#, #"1b"#),
    // Variables.
    Row(#"{{$x := .Vars.a}}{{$x}}{{$x}}"#, #"{"a":"A"}"#, #"AA"#),
    Row(#"{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}"#, #"{}"#, #"21"#),
    Row(#"{{$x := 1}}{{if true}}{{$x = 2}}{{$x}}{{end}}{{$x}}"#, #"{}"#, #"22"#),
    Row(#"{{$x := "a"}}{{if .Vars.a}}{{$x = "b"}}{{else}}{{$x = "c"}}{{end}}{{$x}}"#, #"{"a":1}"#, #"b"#),
    Row(#"{{$x := "a"}}{{if .Vars.a}}{{$x = "b"}}{{else}}{{$x = "c"}}{{end}}{{$x}}"#, #"{"a":0}"#, #"c"#),
    Row(#"{{$last := ""}}{{range .Vars.l}}{{$last = .}}{{end}}{{$last}}"#, #"{"l":["a","b"]}"#, #"b"#),
    Row(
      #"{{$first := true}}{{range .Vars.l}}{{if $first}}{{$first = false}}{{else}},{{end}}{{.}}{{end}}"#,
      #"{"l":[1,2,3]}"#, #"1,2,3"#),
    Row(#"{{$x := 1}}{{$x := 2}}{{$x}}"#, #"{}"#, #"2"#),
    Row(#"{{with $x := .Vars.a}}{{$x = "z"}}{{$x}}{{.}}{{end}}"#, #"{"a":"A"}"#, #"zA"#),
    Row(#"{{$m := .Vars.m}}{{$m.a}}{{$m.b.c}}"#, #"{"m":{"a":1,"b":{"c":2}}}"#, #"12"#),
    // Pipelines and parentheses.
    Row(#"{{.Vars.x | len}}"#, #"{"x":"abc"}"#, #"3"#),
    Row(#"{{.Vars.x | printf "%s-%s" "a"}}"#, #"{"x":"b"}"#, #"a-b"#),
    Row(#"{{printf "%d" (len .Vars.x)}}"#, #"{"x":"abc"}"#, #"3"#),
    Row(#"{{("x" | printf "%s%s" "y") | len}}"#, #"{}"#, #"2"#),
    Row(#"{{"output" | printf "%s" | printf "%q"}}"#, #"{}"#, #""output""#),
    Row(#"{{with "output"}}{{printf "%q" .}}{{end}}"#, #"{}"#, #""output""#),
    Row(#"{{with $x := "output" | printf "%q"}}{{$x}}{{end}}"#, #"{}"#, #""output""#),
    Row(#"{{if (eq (len .Vars.l) 2)}}two{{end}}"#, #"{"l":[1,2]}"#, #"two"#),
    // and, or, not.
    Row(#"{{and .Vars.a .Vars.b}}"#, #"{"a":"A","b":"B"}"#, #"B"#),
    Row(#"{{and .Vars.a .Vars.b}}"#, #"{"a":0,"b":"B"}"#, #"0"#),
    Row(#"{{and 1 "" 2}}x"#, #"{}"#, #"x"#),
    Row(#"{{or .Vars.a .Vars.b}}"#, #"{"a":"A","b":"B"}"#, #"A"#),
    Row(#"{{or .Vars.a .Vars.b}}"#, #"{"a":"","b":"B"}"#, #"B"#),
    Row(#"{{or 0 "" false}}"#, #"{}"#, #"false"#),
    Row(#"{{and true}}{{or "x"}}"#, #"{}"#, #"truex"#),
    Row(#"{{not .Vars.a}} {{not .Vars.b}}"#, #"{"a":0,"b":"x"}"#, #"true false"#),
    Row(#"{{or .Vars.a (index .Vars.l 9)}}"#, #"{"a":"A","l":[]}"#, #"A"#),
    Row(#"{{and .Vars.a (index .Vars.l 9)}}"#, #"{"a":0,"l":[]}"#, #"0"#),
    Row(#"{{if and .Vars.a (not .Vars.b)}}T{{else}}F{{end}}"#, #"{"a":1,"b":0}"#, #"T"#),
    Row(#"{{if or .Vars.a .Vars.b .Vars.c}}T{{else}}F{{end}}"#, #"{"a":0,"b":"","c":[]}"#, #"F"#),
    // Comparison.
    Row(#"{{eq 1 1}} {{eq 1 2}} {{eq "a" "a"}} {{eq true true}}"#, #"{}"#, #"true false true true"#),
    Row(#"{{eq .Vars.x "b" "a"}} {{eq .Vars.x "b" "c"}}"#, #"{"x":"a"}"#, #"true false"#),
    Row(#"{{ne 1 2}} {{ne "a" "a"}}"#, #"{}"#, #"true false"#),
    Row(#"{{lt 1 2}} {{lt 2 2}} {{le 2 2}} {{gt 3 2}} {{ge 2 3}}"#, #"{}"#, #"true false true true false"#),
    Row(#"{{lt "a" "b"}} {{lt "B" "a"}} {{gt "ab" "a"}}"#, #"{}"#, #"true true true"#),
    Row(#"{{lt -2 -1}} {{lt 9 10}} {{gt 1.5 1.25}}"#, #"{}"#, #"true true true"#),
    Row(#"{{eq .Vars.n 5}}{{if gt .Vars.n 3}} big{{end}}"#, #"{"n":5}"#, #"true big"#),
    Row(#"{{eq .Vars.a .Vars.b}}"#, #"{"a":9007199254740993,"b":9007199254740992}"#, #"false"#),
    Row(#"{{eq .Vars.x "a"}}"#, #"{}"#, #"false"#),
    Row(#"{{if eq .Vars.x "a"}}A{{else if eq .Vars.x "b"}}B{{else}}?{{end}}"#, #"{"x":"b"}"#, #"B"#),
    // len and index.
    Row(#"{{len .Vars.x}}"#, #"{"x":"日本"}"#, #"6"#),
    Row(#"{{len .Vars.l}} {{len .Vars.m}} {{len ""}}"#, #"{"l":[1,2],"m":{"a":1}}"#, #"2 1 0"#),
    Row(#"{{index .Vars.l 1}}"#, #"{"l":["a","b"]}"#, #"b"#),
    Row(#"{{index .Vars.m "a b"}}"#, #"{"m":{"a b":"c"}}"#, #"c"#),
    Row(#"{{index .Vars.m "l" 1 "x"}}"#, #"{"m":{"l":[0,{"x":"y"}]}}"#, #"y"#),
    Row(#"{{(index .Vars.l 0).n}}"#, #"{"l":[{"n":7}]}"#, #"7"#),
    Row(#"{{$k := "b"}}{{index .Vars.m $k}}"#, #"{"m":{"a":1,"b":2}}"#, #"2"#),
    Row(#"{{1 | index .Vars.l}}"#, #"{"l":["a","b"]}"#, #"b"#),
    Row(#"{{index .Vars.x}}"#, #"{"x":"whole"}"#, #"whole"#),
    Row(#"{{range $i, $v := .Vars.l}}{{index $.Vars.m $i}}{{end}}"#, #"{"l":[1,1],"m":["x","y"]}"#, #"xy"#),
    // printf and urlquery.
    Row(#"{{printf "%s %v %d" "a" "b" 3}}"#, #"{}"#, #"a b 3"#),
    Row(#"{{printf "%5d|%-5d|%05d|%+d" 42 42 42 42}}"#, #"{}"#, #"   42|42   |00042|+42"#),
    Row(#"{{printf "%06d|%-4d|%4d" -42 -1 -1}}"#, #"{}"#, #"-00042|-1  |  -1"#),
    Row(#"{{printf "%5s|%-5s|%.2s|%5.1s" "abc" "abc" "abc" "abc"}}"#, #"{}"#, #"  abc|abc  |ab|    a"#),
    Row(#"{{printf "%6s|%.1s" "日本" "日本"}}"#, #"{}"#, #"    日本|日"#),
    Row(#"{{printf "%.2f %f %8.3f %.0f" 1.005 0.5 -2.5 2.5}}"#, #"{}"#, #"1.00 0.500000   -2.500 2"#),
    Row(#"{{printf "%08.2f|%+.1f|%-8.1f|" 3.14159 2.0 2.5}}"#, #"{}"#, #"00003.14|+2.0|2.5     |"#),
    Row(#"{{printf "%e %.3e" 123456.789 0.00012}}"#, #"{}"#, #"1.234568e+05 1.200e-04"#),
    Row(#"{{printf "%t %v" true false}}"#, #"{}"#, #"true false"#),
    Row(#"{{printf "100%% %s" "x"}}"#, #"{}"#, #"100% x"#),
    Row(#"{{printf "%q" .Vars.x}}"#, #"{"x":"a\"b\\c\nd"}"#, #""a\"b\\c\nd""#),
    Row(#"{{printf "%8q|%-8q|" "ab" "ab"}}"#, #"{}"#, #"    "ab"|"ab"    |"#),
    Row(#"{{printf "no verbs"}}"#, #"{}"#, #"no verbs"#),
    Row(#"{{urlquery .Vars.x}}"#, #"{"x":"a b&c=d/é?~-_.+%"}"#, #"a+b%26c%3Dd%2F%C3%A9%3F~-_.%2B%25"#),
    Row(#"?q={{.Vars.x | urlquery}}"#, #"{"x":"да"}"#, #"?q=%D0%B4%D0%B0"#),
  ]

  /// What Go has learnt since 1.22: a range over a number, and `else with`.
  static let newer: [Row] = [
    Row(#"{{range 3}}{{.}}{{end}}"#, #"{}"#, #"012"#),
    Row(#"{{range $i := .Vars.n}}{{$i}};{{end}}"#, #"{"n":2}"#, #"0;1;"#),
    Row(#"{{range .Vars.n}}x{{else}}none{{end}}"#, #"{"n":0}"#, #"none"#),
    Row(#"{{range (len .Vars.s)}}*{{end}}"#, #"{"s":"abc"}"#, #"***"#),
    Row(#"{{with .Vars.a}}1{{.}}{{else with .Vars.b}}2{{.}}{{else}}3{{end}}"#, #"{"b":"B"}"#, #"2B"#),
    Row(#"{{with .Vars.a}}1{{.}}{{else with .Vars.b}}2{{.}}{{else}}3{{end}}"#, #"{}"#, #"3"#),
  ]

  /// What ends Go's rendering with an error, and where a rule of this language differs does too.
  static let errors: [(template: String, data: String, message: String)] = [
    (#"{{eq .Vars.x 1}}"#, #"{"x":"a"}"#, "eq can't compare text with a number"),
    (#"{{eq .Vars.x true}}"#, #"{"x":1}"#, "eq can't compare a number with true or false"),
    (#"{{lt .Vars.x 1}}"#, #"{"x":"a"}"#, "lt can't compare text with a number"),
    (#"{{lt true false}}"#, #"{}"#, "lt can't compare true or false with true or false"),
    (#"{{eq .Vars.l .Vars.l}}"#, #"{"l":[1]}"#, "eq can't compare a list with a list"),
    (#"{{index .Vars.l 2}}"#, #"{"l":[1,2]}"#, "index 2 is out of range: the list has 2"),
    (#"{{index .Vars.l -1}}"#, #"{"l":[1,2]}"#, "index -1 is out of range: the list has 2"),
    (#"{{$k := "a"}}{{index .Vars.l $k}}"#, #"{"l":[1,2]}"#, "index takes a whole number for a list, here is a"),
    (#"{{index .Vars.m 1}}"#, #"{"m":{"a":1}}"#, "index takes the name of a member in quotes, here is a number"),
    (#"{{index .Vars.n 1}}"#, #"{"n":5}"#, "index takes a list or an object, here is a number"),
    (#"{{len .Vars.n}}"#, #"{"n":5}"#, "len takes a text, a list or an object, here is a number"),
    (#"{{range .Vars.x}}{{end}}"#, #"{"x":true}"#, "range needs a list"),
    (#"{{range $i, $v := .Vars.n}}{{end}}"#, #"{"n":2}"#, "a range over a number has one variable"),
    (#"{{and .Vars.a (index .Vars.l 9)}}"#, #"{"a":1,"l":[]}"#, "index 9 is out of range: the list has 0"),
  ]
}
