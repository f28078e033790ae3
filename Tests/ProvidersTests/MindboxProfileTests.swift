import Base
import Campaign
import Providers
import Testing

/// The structures of Mindbox's guide to the notification centre and its push formats, against what content makes.
@Suite("Profile mindbox")
struct MindboxProfileTests {
  static let providers = ["ios-apns", "ios-firebase", "android-firebase", "android-hms", "android-rustore"]

  static func payload(_ provider: String, _ text: String, settings: String? = nil) throws -> RenderedPayload {
    try RenderedPayload(
      provider, Content(json: JSONScanner.parse(text)), settings: settings, profile: .mindbox)
  }

  static let picture = "https://mobpush-images.mindbox.ru/Mpush-test/63/5933f4cd-47e3-4317-9237-bc5aad291aa9.png"
  static let content = #"""
    {"title":"Test title","body":"Test description","click_url":"https://mindbox.ru/","image":"\#(picture)",
     "unique_key":"{ Значение Guid }","payload":"{\n  \"payload\": \"data\"\n}",
     "buttons":[{"label":"Documentation","link":"https://developers.mindbox.ru/docs/mindbox-sdk","id":"{ Guid кнопки }"}]}
    """#

  @Test("Apple: the guide's example, member for member", arguments: ["ios-apns", "ios-firebase"])
  func apple(_ provider: String) throws {
    let settings =
      provider == "ios-apns"
      ? Fixtures.apnsSettings.replacing("{", with: #"{"content_available":0,"#) : #"{"content_available":0}"#
    let payload = try Self.payload(provider, Self.content, settings: settings)
    let root = provider == "ios-apns" ? payload.root : payload["message", "apns", "payload"]
    #expect(
      try FirebaseProfileTests.sorted(#require(root))
        == FirebaseProfileTests.golden(
          #"""
          {"clickUrl":"https://mindbox.ru/","payload":"{\n  \"payload\": \"data\"\n}","uniqueKey":"{ Значение Guid }",
            "imageUrl":"\#(Self.picture)",
            "buttons":[{"url":"https://developers.mindbox.ru/docs/mindbox-sdk","text":"Documentation",
              "uniqueKey":"{ Guid кнопки }"}],
            "aps":{"mutable-content":1,"alert":{"title":"Test title","body":"Test description"},
              "content-available":0,"sound":"default"}}
          """#))
  }

  @Test(
    "Android: the same keys for all three, strings alone, buttons as text",
    arguments: ["android-firebase", "android-hms", "android-rustore"])
  func android(_ provider: String) throws {
    let data = try Self.payload(provider, Self.content).data()
    #expect(
      FirebaseProfileTests.sorted(.object(data))
        == (try FirebaseProfileTests.golden(
          #"""
          {"uniqueKey":"{ Значение Guid }","title":"Test title","message":"Test description",
            "clickUrl":"https://mindbox.ru/","imageUrl":"\#(Self.picture)","payload":"{\n  \"payload\": \"data\"\n}",
            "buttons":"[{\"uniqueKey\":\"{ Guid кнопки }\",\"text\":\"Documentation\",\"url\":\"https://developers.mindbox.ru/docs/mindbox-sdk\"}]"}
          """#)))
  }

  @Test(
    "by default the text for the app says name and time of the mailing, and the key is the message's",
    arguments: providers)
  func defaults(_ provider: String) throws {
    let payload = try Self.payload(provider, #"{"title":"T","body":"B"}"#)
    let data = try payload.data()
    #expect(data["payload"] == .string(#"{"pushName":"Sale","pushDate":"2025-10-09T08:53:20Z"}"#))
    #expect(data["uniqueKey"] == .string(PayloadTests.uid(payload.batch)))
    #expect(data["buttons"] == (provider.hasPrefix("ios") ? .array([]) : .string("[]")))
  }

  @Test("an object becomes text for the app, its texts escaped once more", arguments: providers)
  func payloadObject(_ provider: String) throws {
    let payload = try Self.payload(
      provider, #"{"title":"T","body":"B","payload":{"pushName":"a \"b\"","n":129.90,"list":["x"]}}"#)
    #expect(try payload.data()["payload"] == .string(#"{"pushName":"a \"b\"","n":129.90,"list":["x"]}"#))
  }

  @Test(
    "what the SDK would pass over in silence is refused by name",
    arguments: [
      (
        "ios-apns", #"{"title":"T"}"#, "content.body: is needed, Mindbox's SDK takes a message without it for another's"
      ),
      (
        "ios-apns", #"{"body":"B","sound":{"critical":true,"name":"a","volume":1}}"#,
        "content.sound: a name, not an object: Mindbox's SDK takes the message for another's otherwise"
      ),
      (
        "android-hms", #"{"body":"B","silent":true}"#,
        "content.silent: Mindbox's SDK shows every message, it knows no silent one"
      ),
    ])
  func refused(_ provider: String, _ content: String, _ message: String) throws {
    let error = providerError { _ = try Self.payload(provider, content) }
    #expect(error?.description == "channel 7 (Shop): \(message)")
  }
}
