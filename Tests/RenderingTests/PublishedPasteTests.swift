import Base
import Campaign
import Testing

@testable import Rendering

/// The structures as the platform's two pages print them, to be pasted as a channel's own template.
@Suite("Published structures pasted as they are")
struct PublishedPasteTests {
  private static let withActions = [
    "android-firebase", "ios-firebase", "ios-apns", "android-hms", "ios-hms", "android-rustore",
  ]

  private func text(_ folder: String, _ name: String) throws -> String {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return String(decoding: try FileReader.read("/\(tests)/Published/\(folder)/\(name).txt"), as: UTF8.self)
  }

  @Test("the reference's own example is a template")
  func referenceExample() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let reference = String(decoding: try FileReader.read("/\(root)/Sources/Rendering/README.md"), as: UTF8.self)
    var bench = Bench(try #require(reference.split(separator: "```").dropFirst().first.map(String.init)))
    bench.content.title = String(repeating: "é", count: 61)
    bench.content.ttlMilliseconds = 60_000
    bench.content.buttons = [.init(label: "a", link: ""), .init(label: "\"", link: "")]
    #expect(
      try bench.payload() == #"{"message":{"token":"token-1","android":{"ttl":"60s","data":{"_title":""#
        + String(repeating: "é", count: 60)
        + #"","_image":"https://shop.example/default.png","_buttons":"[{\"label\":\"a\"},{\"label\":\"\\\"\"}]"}}}}"#)
  }

  /// Objects' keys in their order, arrays' elements, texts and numbers of the template; nil where an action stands.
  private func skeleton(_ template: String) throws -> JSON {
    // Actions hold no quotes here; those that are bare values become texts.
    var text = template.replacing(/\{\{.*?\}\}/, with: "@")
    text = text.replacing(/:\s*@/, with: ": \"@\"")
    return try JSONScanner.parse(text)
  }

  private func expectKeys(of json: JSON, toBe wanted: JSON, at path: String) {
    switch (json, wanted) {
    case (.object(let object), .object(let members)):
      #expect(object.keys == members.keys, "\(path)")
      for key in members.keys {
        if let value = object[key], let wanted = members[key] {
          expectKeys(of: value, toBe: wanted, at: "\(path)/\(key)")
        }
      }
    case (.array(let elements), .array(let wanted)):
      #expect(elements.count == wanted.count, "\(path)")
      for (element, wanted) in zip(elements, wanted) { expectKeys(of: element, toBe: wanted, at: path + "[]") }
    case (_, .string(let text)) where text.contains("@"): return
    default: #expect(json == wanted, "\(path)")
    }
  }

  @Test("compile, and give exactly the printed members", arguments: ["flat", "tabs"], withActions)
  func paste(folder: String, name: String) throws {
    let template = try text(folder, name)
    #expect(template.contains("\t") == (folder == "tabs"))
    var bench = Bench(template)
    bench.provider = name
    bench.content.title = "Да, \"сейчас\"\n\u{2028}"
    bench.content.ttlMilliseconds = 3_600_000
    for count in 0...3 {
      bench.content.buttons = (0..<count).map { .init(label: "\"\($0)\\", link: "https://shop.example/?a=\($0)&b=2") }
      let json = try bench.json()
      expectKeys(of: json, toBe: try skeleton(template), at: name)
      #expect(json.text.contains(#"Да, \"сейчас\"\n\#u{2028}"#))
      let buttons =
        json["message/android/data/_buttons"] ?? json["message/data/_buttons"] ?? json["_buttons"]
        ?? json["message/apns/payload/_buttons"]
      let list = try #require(try buttons?.inside().array)
      #expect(list.map { $0["label"] } == (0..<count).map { .string("\"\($0)\\") })
      #expect(list.map { $0["link"] } == (0..<count).map { .string("https://shop.example/?a=\($0)&b=2") })
    }
  }

  @Test(
    "bare and quoted values are what their places mean", arguments: ["flat", "tabs"])
  func values(folder: String) throws {
    var bench = Bench(try text(folder, "android-firebase"))
    bench.content.ttlMilliseconds = 3_600_000
    #expect(try bench.json()["message/android/ttl"] == .string("3600s"))
    bench.template = try text(folder, "ios-hms")
    #expect(try bench.json()["message/apns/headers/apns-expiration"] == .string("1760003600"))
    #expect(try bench.json()["message/apns/payload/aps/sound"] == .string("default"))
    bench.content.soundless = true
    #expect(try bench.json()["message/apns/payload/aps/sound"] == .string(""))
    let sound = #"{"critical":1,"name":"a\"b","volume":0.50}"#
    bench.content.soundless = false
    bench.content.sound = try JSONScanner.parse(sound)
    #expect(try bench.json()["message/apns/payload/aps/sound"]?.text == sound)
    bench.template = bench.template.replacing("\"{{.TTL}}\"", with: "{{.TTL}}").replacing(
      "{{.Sound}}", with: "\"{{.Sound}}\"")
    bench.content.sound = nil
    #expect(try bench.json()["message/apns/headers/apns-expiration"] == .number("1760003600"))
    #expect(try bench.json()["message/apns/payload/aps/sound"] == .string("default"))
  }

  @Test(
    "AppMetrica's are printed with a choice of values where one is due: refused there",
    arguments: ["ios-appmetrica", "android-appmetrica"])
  func choices(name: String) throws {
    let flat = try #require(Bench(try text("flat", name)).refusal())
    #expect([flat.line, flat.column] == [9, 11])
    #expect(flat.message.hasPrefix("a value was expected, 'true/false' is none"))
    let tabs = try #require(Bench(try text("tabs", name)).refusal())
    #expect([tabs.line, tabs.column] == [9, 17])
    // With a value there they are JSON.
    let filled = try text("tabs", name).replacing("true/false", with: "{{.Silent}}").replacing(
      "0-999", with: "{{.Badge}}")
    #expect(try Bench(filled).json()["push_batch_request/tag"] == .string("tag"))
  }
}
