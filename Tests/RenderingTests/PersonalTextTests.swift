import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Personal texts")
struct PersonalTextTests {
  private func texts(
    _ title: String, _ people: [Bench.Person], missing: LaunchOptions.Missing = .reject
  ) throws -> [String?] {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = title
    bench.options.missing = missing
    bench.recipients = people
    let slice = try bench.slice()
    var texts = [String?](repeating: nil, count: people.count)
    for message in slice.messages {
      texts[message.input] = try JSONScanner.parse(Array(slice.bytes[message.body.range]))["t"]?.string
    }
    return texts
  }

  static let ann = Bench.Person(
    profile: 41, subscription: 42, externalID: "crm-1", locale: "ru-RU", timeZone: "Europe/Moscow",
    attributes: #"{"name":"Анна","id":"own id","locale":"xx","points":129.90,"big":18446744073709551616,"vip":true,"#
      + #""address":{"city":"Пермь"},"tags":["a","b"],"nothing":null,"empty":""}"#,
    variables: #"{"code":"A\"1","n":{"deep":0}}"#)

  @Test(
    "what a text may name",
    arguments: [
      ("Hi {{.Profile.name}}!", "Hi Анна!"),
      ("{{.Profile.id}}", "41"),
      ("{{.Profile.external_id}}", "crm-1"),
      ("{{.Profile.locale}}", "ru-RU"),
      ("{{.Profile.time_zone}}", "Europe/Moscow"),
      ("{{.Subscription.id}}", "42"),
      ("{{.Profile.points}} {{.Profile.big}}", "129.90 18446744073709551616"),
      ("{{.Profile.vip}}", "true"),
      ("{{.Profile.address.city}}", "Пермь"),
      ("{{.Profile.address}}{{.Profile.tags}}", #"{"city":"Пермь"}["a","b"]"#),
      ("{{.Vars.code}}/{{.Vars.n.deep}}", "A\"1/0"),
      ("{{.Profile.empty}}|", "|"),
      ("{{if .Profile.vip}}VIP {{end}}{{.Profile.name}}", "VIP Анна"),
      ("{{if .Profile.nothing}}x{{else}}y{{end}}{{if .Profile.missing}}x{{end}}", "y"),
      ("{{.Profile.missing | default \"friend\"}}{{default \"f\" .Profile.empty}}", "friendf"),
      ("{{range $i, $t := .Profile.tags}}{{if $i}}+{{end}}{{$t}}{{end}}", "a+b"),
      ("{{range .Profile.none}}x{{else}}no tags{{end}}", "no tags"),
      ("{{json .Profile.name}}", "\"Анна\""),
      ("plain \"text\" {{\"{{\"}}", "plain \"text\" {{"),
    ])
  func names(text: String, expected: String) throws {
    #expect(try texts(text, [Self.ann]) == [expected])
  }

  @Test("a value that looks like a template is only text")
  func onePass() throws {
    let person = Bench.Person(attributes: #"{"name":"{{.Vars.code}} {{.X"}"#)
    #expect(try texts("{{.Profile.name}}", [person]) == ["{{.Vars.code}} {{.X"])
  }

  @Test("a missing value rejects the message, and says which", arguments: ["missing", "nothing", "address.street"])
  func missing(attribute: String) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = "Hi {{.Profile.\(attribute)}}"
    bench.recipients = [
      .init(attributes: #"{"missing":1,"nothing":1,"address":{"street":1}}"#), Self.ann, .init(),
    ]
    let slice = try bench.slice()
    #expect(slice.messages.map(\.input) == [0])
    #expect(slice.rejections.map(\.input) == [1, 2])
    #expect(slice.rejections.map(\.reason) == ["missing_value", "missing_value"])
    #expect(
      slice.rejections[0].detail
        == "content.title names .Profile.\(attribute), which this recipient does not have")
    #expect(String(decoding: slice.bytes[slice.messages[0].body.range], as: UTF8.self) == #"{"t":"Hi 1"}"#)
  }

  @Test("or is nothing, if the launch says so")
  func blank() throws {
    #expect(try texts("Hi {{.Profile.name}}!", [Self.ann, .init()], missing: .blank) == ["Hi Анна!", "Hi !"])
  }

  @Test(
    "attributes that can't be read reject their own message only",
    arguments: [#"{"name":"#, "[1]", "5", #"{"name":1,"name":2}"#, "", "\u{0}"])
  func broken(attributes: String) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = "{{.Profile.name}}"
    bench.recipients = [.init(attributes: attributes), Self.ann, .init(attributes: "null")]
    bench.options.missing = .blank
    let slice = try bench.slice()
    #expect(slice.messages.map(\.input) == [1, 2])
    #expect(slice.rejections.map(\.reason) == ["wrong_value"])
    #expect(slice.rejections[0].detail.hasPrefix("the profile's attributes are not"))
    bench.content.title = "{{.Vars.x}}"
    bench.recipients = [.init(variables: attributes)]
    #expect(try bench.slice().rejections.map(\.reason) == ["wrong_value"])
  }

  @Test("a range over what is no list rejects the message")
  func notAList() throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = "{{range .Profile.name}}x{{end}}"
    bench.recipients = [Self.ann]
    #expect(
      try bench.slice().rejections.map(\.detail) == [
        "content.title, line 1, column 1: range needs a list, .Profile.name is text here"
      ])
  }

  @Test("what no text names is not read")
  func lazy() throws {
    let broken = Bench.Person(profile: 9, externalID: "e", attributes: "{", variables: "{")
    #expect(try texts("{{.Profile.id}} {{.Profile.external_id}}", [broken]) == ["9 e"])
  }

  @Test(
    "the columns that the rows must carry",
    arguments: [
      ("plain", []), ("{{.Profile.id}} {{.Subscription.id}}", []), ("{{.Profile.locale}}", .profile),
      ("{{.Profile.name}}", .profile), ("{{if .Vars.x}}x{{end}}", .variables),
      ("{{.Vars.x | default .Profile.y}}", [.profile, .variables]),
    ] as [(String, PersonalColumns)])
  func columns(text: String, columns: PersonalColumns) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = text
    #expect(try bench.renderer().columns == columns)
    // A text that the template does not use needs nothing.
    bench.template = #"{"t":"{{.Body}}"}"#
    #expect(try bench.renderer().columns == [])
  }

  @Test(
    "a text that is no template is refused with its field",
    arguments: [
      ("{{.Name}}", "there is no .Name: a content text has .Profile .Subscription .Vars"),
      ("{{.Profile}}", ".Profile needs a name, as in .Profile.city"),
      ("{{if .Vars}}x{{end}}", ".Vars needs a name"),
      ("{{.Subscription.token}}", "there is no .Subscription.token: a subscription has .id"),
      ("{{.Title}}", "there is no .Title"),
      ("{{code}}", "there is no function 'code'"),
    ])
  func refused(text: String, message: String) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = text
    let error = try #require(bench.refusal())
    #expect(error.source == "content.title")
    #expect(error.message.hasPrefix(message), "\(error)")
    bench.content.title = nil
    bench.content.buttons = [.init(label: "ok", link: "\n\(text)")]
    #expect(bench.refusal()?.source == "content.buttons[0].link")
    #expect(bench.refusal()?.line == 2)
  }

  @Test("personal labels of buttons stand in JSON in a string")
  func buttons() throws {
    var bench = Bench(#"{"b":\#(PublishedTemplates.buttons)}"#)
    bench.content.buttons = [.init(label: "{{.Vars.code}}", link: "x"), .init(label: "b", link: "{{.Profile.name}}")]
    bench.recipients = [Self.ann]
    #expect(
      try bench.payload()
        == #"{"b":"[{\"label\":\"A\\\"1\",\"link\":\"x\"},{\"label\":\"b\",\"link\":\"Анна\"}]"}"#)
  }
}
