import Base
import Campaign
import Signing
import Testing

@testable import Rendering

@Suite("Random texts through the published structures")
struct RandomTextTests {
  /// Where the structures put the texts: path, JSON in it, and the name of the text.
  private struct Place {
    let path: String
    var inner: String?
    let name: String
  }

  private struct Structure {
    let name: String
    let template: String
    let places: [Place]
    var buttons: String?
    let uid: String
  }

  private static let data = [("_title", "title"), ("_body", "body"), ("_icon", "icon"), ("_image", "image")]
  private static let appMetrica = "push_batch_request/batch/0/messages/android/"

  private static let structures: [Structure] = [
    Structure(
      name: "android-firebase", template: PublishedTemplates.firebase,
      places: data.map { Place(path: "message/android/data/\($0.0)", name: $0.1) }
        + [
          Place(path: "message/token", name: "token"), Place(path: "message/android/data/_click_action", name: "click"),
        ],
      buttons: "message/android/data/_buttons", uid: "message/android/data/_uid"),
    Structure(
      name: "ios-apns", template: PublishedTemplates.apns,
      places: [
        Place(path: "aps/alert/title", name: "title"), Place(path: "aps/alert/body", name: "body"),
        Place(path: "_media", name: "image"), Place(path: "_click-url", name: "click"),
      ], buttons: "_buttons", uid: "_uid"),
    Structure(
      name: "android-hms", template: PublishedTemplates.hms,
      places: data.map { Place(path: "message/data/\($0.0)", name: $0.1) }
        + [Place(path: "message/token/0", name: "token"), Place(path: "message/data/_click_action", name: "click")],
      buttons: "message/data/_buttons", uid: "message/data/_uid"),
    Structure(
      name: "android-appmetrica", template: PublishedTemplates.appMetrica,
      places: [
        Place(path: appMetrica + "content/title", name: "title"),
        Place(path: appMetrica + "content/text", name: "body"),
        Place(path: appMetrica + "content/image", name: "icon"),
        Place(path: appMetrica + "content/banner", name: "image"),
        Place(path: appMetrica + "content/data", inner: "custom", name: "custom"),
        Place(path: "push_batch_request/batch/0/devices/0/id_values/0", name: "token"),
      ], uid: ""),
  ]

  private static let names = ["title", "body", "icon", "image", "click"]

  @Test("parses strictly, JSON inside JSON too, and gives the same scalars back", arguments: 0..<4)
  func scalars(structure index: Int) throws {
    let structure = Self.structures[index]
    let links = try HubLinks(
      hubURL: "https://hub.example/p", keys: [LinkKey(text: Array(String(repeating: "a5", count: 64).utf8))])
    var random = SplitMix(state: 42)
    for round in 0..<250 {
      var bench = Bench(structure.template)
      bench.provider = structure.name
      bench.settings.groupID = 1
      bench.links = links
      bench.content.badge = [nil, 0, 999].randomElement(using: &random) ?? nil
      bench.content.ttlMilliseconds = [nil, 0, 3_600_000].randomElement(using: &random) ?? nil
      var texts: [String: String] = ["token": RandomText.text(&random), "custom": RandomText.text(&random)]
      for name in Self.names where Int.random(in: 0..<5, using: &random) > 0 { texts[name] = RandomText.text(&random) }
      // Half the rounds hold the texts in the content, half in the recipient's variables.
      let isPersonal = round.isMultiple(of: 2)
      var variables = JSONObject()
      func field(_ name: String) -> String? {
        guard let text = texts[name] else { return nil }
        if isPersonal {
          variables.set(name, .string(text))
          return "{{.Vars.\(name)}}"
        }
        return RandomText.literal(text)
      }
      bench.content.title = field("title")
      bench.content.body = field("body")
      bench.content.icon = field("icon")
      bench.content.image = field("image")
      bench.content.clickURL = field("click")
      let buttons = (0..<Int.random(in: 0...3, using: &random)).map { "\($0)" }
      for number in buttons {
        texts["label\(number)"] = RandomText.text(&random)
        texts["link\(number)"] = RandomText.text(&random)
      }
      bench.content.buttons = buttons.map {
        .init(label: field("label\($0)") ?? "", link: field("link\($0)") ?? "")
      }
      if index == 3 {
        bench.customData = CustomDataPlace(
          path: "push_batch_request.batch[].messages.android.content.data{}", form: .strings, reserved: [])
        bench.content.data = JSONObject([.init(key: "custom", value: .string(texts["custom"] ?? ""))])
      }
      bench.recipients = [.init(token: texts["token"] ?? "", variables: JSON.object(variables).text)]

      let json = try bench.json()
      for place in structure.places {
        var value = try #require(json[place.path])
        if let inner = place.inner { value = try #require(try value.inside()[inner]) }
        let expected = texts[place.name] ?? ""
        #expect(
          value.string.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars),
          "round \(round), \(place.path)")
      }
      if let path = structure.buttons {
        let list = try #require(try json[path]?.inside().array)
        #expect(list.count == buttons.count)
        for (button, number) in zip(list, buttons) {
          for key in ["label", "link"] {
            #expect(
              button[key]?.string.map { Array($0.unicodeScalars) }
                == Array((texts[key + number] ?? "").unicodeScalars), "round \(round), button \(number)")
          }
        }
      }
      if !structure.uid.isEmpty {
        #expect(try MessageID.decode(Array(json[structure.uid]?.string?.utf8 ?? "".utf8)).profile == 7)
      }
    }
  }
}
