import Base
import Campaign
import Signing
import Testing

@testable import Rendering

@Suite("Slices of a page")
struct SliceTests {
  private static let key = String(repeating: "0123456789abcdef", count: 8)

  private func links() throws -> HubLinks {
    try HubLinks(hubURL: "https://hub.example/p", keys: [LinkKey(text: Array(Self.key.utf8))])
  }

  private func people(_ count: Int) -> [Bench.Person] {
    (0..<count).map {
      .init(
        profile: Int64($0), subscription: Int64($0 + 1000), token: "token-\($0)\"",
        attributes: "{\"name\":\"N\($0)\\n\"}")
    }
  }

  @Test("links lead to the hub and name the message, in JSON in a string as at the root")
  func trackingLinks() throws {
    var bench = Bench(#"{"h":\#(PublishedTemplates.hubLink),"o":"{{.URLOpenEvent}}"}"#)
    bench.links = try links()
    bench.recipients = people(3)
    let slice = try bench.slice()
    for message in slice.messages {
      let json = try JSONScanner.parse(Array(slice.bytes[message.body.range]))
      let inner = try #require(json["h"]).inside()
      let open = try #require(inner["open"]?.string)
      #expect(json["o"]?.string == open)
      #expect(open.hasPrefix("https://hub.example/p/"))
      let uid = Array(slice.bytes[message.uid.range])
      #expect(try links().decode(open) == HubLinks.Link(kind: .open, uid: uid))
      #expect(try links().decode(inner["ack"]?.string ?? "") == HubLinks.Link(kind: .ack, uid: uid))
    }
  }

  @Test("landmarks cover values with their quotes and brackets, also inside JSON in a string")
  func landmarks() throws {
    var bench = Bench(
      #"{"m":{"token":["{{.SubscriptionID}}"],"data":{"a":"{{.Title}}"},"s":"{\"in\":{\"x\":\"{{.Title}}\"}}","n":{{.Badge}}}}"#
    )
    bench.landmarks = ["m.token", "m.data.a", "m.s{}.in.x", "m.n", "m.data", "m.s", "", "m.absent", "m.token[]"]
    bench.content.title = "{{.Profile.name}}"
    bench.recipients = people(2)
    let slice = try bench.slice()
    let texts = slice.landmarks.map { String(decoding: slice.bytes[$0.range], as: UTF8.self) }
    let expected = (0...1).map { n in
      [
        #"["token-\#(n)\""]"#, #""N\#(n)\n""#, #"\"N\#(n)\\n\""#, "", #"{"a":"N\#(n)\n"}"#,
        #""{\"in\":{\"x\":\"N\#(n)\\n\"}}""#,
        #"{"m":{"token":["token-\#(n)\""],"data":{"a":"N\#(n)\n"},"s":"{\"in\":{\"x\":\"N\#(n)\\n\"}}"}}"#, "",
        #""token-\#(n)\"""#,
      ]
    }
    #expect(texts == expected[0] + expected[1])
  }

  @Test("a landmark that a message drops is nowhere in it, and found again in the next")
  func droppedLandmark() throws {
    var bench = Bench(#"{"a":{"t":"{{.Title}}","k":1},"z":"{{.Title}}"}"#)
    bench.landmarks = ["a.t", "a", "z"]
    bench.dropEmpty = ["a.t"]
    bench.content.title = "{{.Vars.t}}"
    bench.recipients = ["x", "", "yy"].map { .init(variables: "{\"t\":\"\($0)\"}") }
    let slice = try bench.slice()
    let texts = slice.landmarks.map { String(decoding: slice.bytes[$0.range], as: UTF8.self) }
    #expect(
      texts == [
        #""x""#, #"{"t":"x","k":1}"#, #""x""#, "", #"{"k":1}"#, #""""#, #""yy""#, #"{"t":"yy","k":1}"#, #""yy""#,
      ])
  }

  @Test("a payload that differs by nothing but its token is rendered once where the adapter lists the tokens")
  func shared() throws {
    var bench = Bench(PublishedTemplates.hms)
    bench.provider = "android-hms"
    bench.links = try links()
    bench.options.tracking = .group
    bench.listsTokens = true
    bench.landmarks = ["message.token"]
    bench.recipients = people(5)
    let renderer = try bench.renderer(group: 9)
    #expect(renderer.isShared)
    let slice = renderer.render(bench.input)
    #expect(Set(slice.messages.map(\.body)).count == 1)
    #expect(Set(slice.messages.map(\.uid)).count == 1)
    #expect(slice.messages.map(\.input) == [0, 1, 2, 3, 4])
    #expect(slice.landmarks.count == 5)
    #expect(Set(slice.landmarks).count == 1)
    let id = try MessageID.decode(slice.bytes[slice.messages[0].uid.range])
    #expect(id.kind == .unique)
    #expect([id.profile, id.subscription, id.group] == [0, 0, 9])
    let json = try JSONScanner.parse(Array(slice.bytes[slice.messages[0].body.range]))
    let link = try #require(try json["message/data/_hub_link"]?.inside()["ack"]?.string)
    #expect(try links().decode(link).uid == Array(slice.bytes[slice.messages[0].uid.range]))
  }

  @Test("and separately where it carries the token")
  func notListed() throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.options.tracking = .group
    bench.recipients = people(2)
    let renderer = try bench.renderer()
    #expect(renderer.isShared)
    let slice = renderer.render(bench.input)
    let tokens = try slice.messages.map {
      try JSONScanner.parse(Array(slice.bytes[$0.body.range]))["message/token"]?.string
    }
    #expect(tokens == ["token-0\"", "token-1\""])
  }

  @Test("an id or a personal text makes a payload a message's own")
  func personal() throws {
    var bench = Bench(PublishedTemplates.hms)
    #expect(try !bench.renderer().isShared)
    bench.template = #"{"t":"{{.Title}}","k":"{{.SubscriptionID}}"}"#
    #expect(try bench.renderer().isShared)
    bench.content.title = "{{.Profile.id}}"
    #expect(try !bench.renderer().isShared)
    bench.options.tracking = .group
    #expect(try !bench.renderer().isShared)
  }

  @Test("ids stay a message's own when its payload names none")
  func ids() throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.listsTokens = true
    bench.recipients = people(2)
    let slice = try bench.slice()
    #expect(Set(slice.messages.map(\.body)).count == 1)
    let profiles = try slice.messages.map { try MessageID.decode(slice.bytes[$0.uid.range]).profile }
    #expect(profiles == [0, 1])
  }

  @Test("tasks that render side by side give the same bytes")
  func concurrent() async throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.links = try links()
    bench.content.title = "{{.Profile.name}} 😀"
    bench.recipients = people(100)
    let renderer = try bench.renderer()
    let input = bench.input
    let expected = renderer.render(input)
    let slices = await withTaskGroup(of: RenderedSlice.self) { group in
      for _ in 0..<8 { group.addTask { renderer.render(input) } }
      return await group.reduce(into: [RenderedSlice]()) { $0.append($1) }
    }
    #expect(slices.count == 8)
    #expect(expected.messages.count == 100)
    for slice in slices {
      #expect(slice.bytes == expected.bytes)
      #expect(slice.messages.map(\.body) == expected.messages.map(\.body))
    }
  }

  @Test("nothing to render is nothing")
  func empty() throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.recipients = []
    let slice = try bench.slice()
    #expect(slice.bytes.isEmpty && slice.messages.isEmpty && slice.rejections.isEmpty)
  }
}
