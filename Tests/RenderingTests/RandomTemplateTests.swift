import Base
import Campaign
import Glibc
import Signing
import Testing

@testable import Rendering

@Suite("Random templates of the language")
struct RandomTemplateTests {
  private static let fields = ["title", "body", "subtitle", "icon", "image", "click"]
  private static let recipients = 40

  /// How many payloads to render; the long run asks for a million.
  private static var wanted: Int { getenv("SALVO_RENDERINGS").flatMap { Int(String(cString: $0)) } ?? 6000 }

  /// Whatever compiles renders to strict JSON, in the strings that hold JSON too; and what the launch knows comes out
  /// byte for byte as if only the message knew it.
  @Test("render to strict JSON whatever the texts, and the same whoever knows them", arguments: 0..<4)
  func templates(worker: Int) throws {
    let links = try HubLinks(
      hubURL: "https://hub.example/p", keys: [LinkKey(text: Array(String(repeating: "a5", count: 64).utf8))])
    var random = SplitMix(state: UInt64(worker) + 11)
    var templates = 0
    var refused = 0
    var rendered = 0
    var compared = 0
    while rendered < Self.wanted / 4 {
      templates += 1
      let seed = UInt64(worker) << 40 + UInt64(templates)
      var bench = Bench(RandomTemplate.text(seed))
      bench.links = links
      bench.dropEmpty = ["k2", "k3.*", "j1{}.*"]
      bench.content.badge = [nil, 0, 5].randomElement(using: &random) ?? nil
      bench.content.silent = Bool.random(using: &random)
      bench.content.ttlMilliseconds = [nil, 0, 3_500].randomElement(using: &random) ?? nil
      if Bool.random(using: &random) {
        bench.content.data = try #require(
          JSONScanner.parse(#"{"text":"\"é\n","list":["a","b"],"number":9007199254740993}"#).object)
      }
      let buttons = (0..<Int.random(in: 0...3, using: &random)).map { _ in RandomText.text(&random) }
      bench.content.buttons = buttons.map { .init(label: RandomText.literal($0), link: "https://shop.example/") }
      let people = (0..<Self.recipients).map { _ in
        Self.fields.map { _ in Int.random(in: 0..<4, using: &random) == 0 ? "" : RandomText.text(&random) }
      }

      bench.set(Self.fields.map { "{{.Vars.\($0)}}" })
      bench.recipients = people.map { texts in
        let members = zip(Self.fields, texts).map { JSONObject.Member(key: $0, value: .string($1)) }
        return .init(token: texts[0], variables: JSON.object(JSONObject(members)).text)
      }
      let open = try Self.payloads(bench, seed)
      if open == nil { refused += 1 }
      for payload in open ?? [:] {
        rendered += 1
        try Self.check(payload.value, seed)
      }
      bench.set(people[0].map(RandomText.literal))
      bench.recipients = [.init(token: people[0][0])]
      if let known = try Self.payloads(bench, seed)?[0] {
        rendered += 1
        try Self.check(known, seed)
        if let open = open?[0] {
          compared += 1
          #expect(open == known, "template \(seed): \(bench.template)")
        }
      }
    }
    // The generator must be understood, or nothing is proved.
    #expect(refused * 3 < templates, "\(refused) of \(templates) refused")
    #expect(compared * 2 > templates, "\(compared) of \(templates) compared")
  }

  /// By the index of their recipient; nil when the template is refused.
  private static func payloads(_ bench: Bench, _ seed: UInt64) throws -> [Int: [UInt8]]? {
    let renderer: PageRenderer
    do {
      renderer = try bench.renderer()
    } catch {
      #expect(error.line > 0 && error.column > 0 && !error.message.contains("\n"), "template \(seed)")
      return nil
    }
    let slice = renderer.render(bench.input)
    #expect(slice.messages.count + slice.rejections.count == bench.recipients.count)
    #expect(slice.rejections.allSatisfy { $0.reason == "wrong_value" })
    return Dictionary(uniqueKeysWithValues: slice.messages.map { ($0.input, Array(slice.bytes[$0.body.range])) })
  }

  private static func check(_ payload: [UInt8], _ seed: UInt64) throws {
    do {
      try check(try JSONScanner.parse(payload))
    } catch {
      Issue.record("template \(seed): \(error) in \(String(decoding: payload, as: UTF8.self))")
    }
  }

  private static func check(_ json: JSON) throws {
    switch json {
    case .object(let object):
      for member in object.members {
        if member.key.hasPrefix("j"), let text = member.value.string {
          try check(try JSONScanner.parse(text))
        } else {
          try check(member.value)
        }
      }
    case .array(let elements): for element in elements { try check(element) }
    default: return
    }
  }
}

extension Bench {
  fileprivate mutating func set(_ texts: [String]) {
    content.title = texts[0]
    content.body = texts[1]
    content.subtitle = texts[2]
    content.icon = texts[3]
    content.image = texts[4]
    content.clickURL = texts[5]
  }
}
