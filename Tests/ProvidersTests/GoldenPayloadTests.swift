import Base
import Campaign
import Providers
import Testing
import Transport

/// The published structures, filled with example values by replacing the actions in the text, against the bodies that
/// are made from content.
@Suite("The published structures, filled")
struct GoldenPayloadTests {
  static let color = "#FF5722"
  static let link = "https://shop.example/1?a=1&b=2"

  static var content: Content {
    var content = Content()
    content.title = "Title"
    content.subtitle = "SubTitle"
    content.body = "Body"
    content.ttlMilliseconds = 0
    content.icon = "Icon"
    content.image = "Image"
    content.banner = "Banner"
    content.media = "Media"
    content.clickURL = "https://shop.example/URL"
    content.deepLink = "Deeplink"
    content.imageBackgroundColor = color
    content.iconBackground = "IconBackground"
    content.ledColor = "LEDColor"
    content.vibration = true
    content.silent = false
    content.buttons = [.init(label: "Label", link: link)]
    return content
  }

  static let launchID = LaunchTag.text(account: 1, campaign: 2, milliseconds: 1_760_000_000_000)

  /// The structure's text with the values in their places.
  static func filled(_ structure: String, provider: String, uid: String, ttl: String) throws -> JSON {
    let values = [
      "SubscriptionID": Fixtures.token(of: provider), "UID": uid, "LaunchID": launchID, "Title": "Title",
      "SubTitle": "SubTitle", "Body": "Body", "Priority": "HIGH", "Icon": "Icon", "Image": "Image", "Media": "Media",
      "ClickURL": "Deeplink", "ImageBackgroundColor": color, "Vibration": "true", "Soundless": "false",
      "URLOpenEvent": "", "URLDelivEvent": "", "Sound": "\"default\"", "TTL": ttl,
      "Provider": Registry.provider(named: provider)?.title ?? "",
    ]
    var text = structure.replacing(
      /\[\{\{ range.*end \}\}\]/, with: #"[{\"label\":\"Label\",\"link\":\"\#(link)\"}]"#)
    for (name, value) in values { text = text.replacing("{{.\(name)}}", with: value) }
    #expect(!text.contains("{{"))
    return try JSONScanner.parse(text)
  }

  /// The structure as it is made: with the second name of the message's id, and Huawei's `data` as text.
  static func withoutSecondName(_ value: JSON) throws -> JSON {
    guard var object = value.object else { return value }
    if let text = object["data"]?.string, let inner = try? JSONScanner.parse(text) { object.set("data", inner) }
    return .object(
      JSONObject(
        try object.members.filter { $0.key != "ak_uid" }.map {
          .init(key: $0.key, value: try withoutSecondName($0.value))
        }))
  }

  /// With the JSON inside texts read, so that white space there doesn't count.
  static func opened(_ value: JSON) -> JSON {
    switch value {
    case .object(let object):
      .object(JSONObject(object.members.map { .init(key: $0.key, value: opened($0.value)) }))
    case .array(let elements): .array(elements.map(opened))
    case .string(let text) where text.hasPrefix("{"):
      (try? JSONScanner.parse(text)).map { .array([.string("text of"), opened($0)]) } ?? value
    default: value
    }
  }

  @Test(
    "member for member, type for type",
    arguments: [
      ("android-firebase", PublishedStructure.androidFirebase, "\"0s\""),
      ("ios-firebase", PublishedStructure.iosFirebase, "0"),
      ("ios-apns", PublishedStructure.iosAPNs, ""),
      ("android-hms", PublishedStructure.androidHMS, "\"0s\""),
      ("ios-hms", PublishedStructure.iosHMS, "0"),
      ("android-rustore", PublishedStructure.androidRuStore, "\"0s\""),
    ])
  func members(_ provider: String, _ structure: String, _ ttl: String) throws {
    let payload = try RenderedPayload(provider, Self.content)
    let uid = PayloadTests.uid(payload.batch)
    let expected = try Self.filled(structure, provider: provider, uid: uid, ttl: ttl)
    #expect(try Self.opened(Self.withoutSecondName(payload.root)) == Self.opened(expected))
    let hasSecondName = ["android-firebase", "android-hms", "android-rustore"].contains(provider)
    #expect(try payload.data()["ak_uid"] == (hasSecondName ? .string(uid) : nil))
    if provider == "android-hms" { #expect(payload["message", "data"]?.string != nil) }
  }

  @Test(
    "AppMetrica's examples, member for member",
    arguments: [
      ("android-appmetrica", PublishedStructure.androidAppMetrica),
      ("ios-appmetrica", PublishedStructure.iosAppMetrica),
    ])
  func appMetrica(_ provider: String, _ structure: String) throws {
    var content = Self.content
    content.silent = true
    content.badge = 0
    let payload = try RenderedPayload(provider, content)
    // The only values that aren't the examples: an address is one, there are no tracking links, and the tag and the
    // token are the launch's.
    let text =
      structure
      .replacing(#""url": "URL""#, with: #""url": "https://shop.example/URL""#)
      .replacing("URLDelivEvent", with: "").replacing("URLOpenEvent", with: "")
      .replacing(#""tag": "tag""#, with: #""tag": "campaign-2""#).replacing("SubscriptionID", with: "A")
    let expected = try #require(JSONScanner.parse(text).object?["push_batch_request"]?.object)
    let request = try #require(payload["push_batch_request"]?.object)
    #expect(request.keys == ["client_transfer_id"] + expected.keys)
    for key in expected.keys { #expect(request[key] == expected[key], "\(key)") }
  }

  /// Every byte of the bodies above; `UID` and `LAUNCH` stand for the two ids.
  static let bodies: [(String, String)] = [
    (
      "android-firebase",
      #"{"message":{"token":"A","android":{"priority":"HIGH","ttl":"0s","data":{"_ac_push":"Altcraft","_uid":"UID","#
        + #""ak_uid":"UID","_launch_id":"LAUNCH","_title":"Title","_provider":"Android Firebase","_body":"Body","#
        + ##""_icon":"Icon","_click_action":"Deeplink","_color":"#FF5722","_image":"Image","_vibration":"true","##
        + #""_soundless":"false","_hub_link":"{\"open\":\"\",\"ack\":\"\"}","#
        + #""_buttons":"[{\"label\":\"Label\",\"link\":\"https://shop.example/1?a=1&b=2\"}]"}}}}"#
    ),
    (
      "ios-firebase",
      #"{"message":{"token":"A","apns":{"headers":{"apns-expiration":"0"},"payload":{"aps":{"category":"Altcraft","#
        + #""sound":"default","mutable-content":1,"alert":{"title":"Title","subtitle":"SubTitle","body":"Body"}},"#
        + #""_uid":"UID","_provider":"iOS Firebase","_launch_id":"LAUNCH","_ac_push":"Altcraft","#
        + #""_click-url":"Deeplink","_media":"Media","_soundless":"false","#
        + #""_hub_link":"{\"open\":\"\",\"ack\":\"\"}","#
        + #""_buttons":"[{\"label\":\"Label\",\"link\":\"https://shop.example/1?a=1&b=2\"}]"}}}}"#
    ),
    (
      "ios-apns",
      #"{"aps":{"category":"Altcraft","mutable-content":1,"sound":"default","alert":{"title":"Title","#
        + #""subtitle":"SubTitle","body":"Body"}},"_ac_push":"Altcraft","_click-url":"Deeplink","_soundless":"false","#
        + #""_media":"Media","_uid":"UID","_provider":"iOS APNS","_hub_link":{"open":"","ack":""},"#
        + #""_buttons":"[{\"label\":\"Label\",\"link\":\"https://shop.example/1?a=1&b=2\"}]"}"#
    ),
    (
      "android-hms",
      #"{"message":{"token":["A"],"data":"{\"_ac_push\":\"Altcraft\",\"_title\":\"Title\",\"_uid\":\"UID\","#
        + #"\"ak_uid\":\"UID\",\"_provider\":\"Android HMS\",\"_body\":\"Body\",\"_launch_id\":\"LAUNCH\","#
        + #"\"_vibration\":\"true\",\"_soundless\":\"false\","#
        + #"\"_hub_link\":\"{\\\"open\\\":\\\"\\\",\\\"ack\\\":\\\"\\\"}\",\"_icon\":\"Icon\","#
        + ##"\"_click_action\":\"Deeplink\",\"_color\":\"#FF5722\",\"_image\":\"Image\","##
        + #"\"_buttons\":\"[{\\\"label\\\":\\\"Label\\\",\\\"link\\\":\\\"https://shop.example/1?a=1&b=2\\\"}]\"}","#
        + #""android":{"urgency":"HIGH","ttl":"0s"}}}"#
    ),
    (
      "ios-hms",
      #"{"message":{"token":["A"],"apns":{"headers":{"apns-expiration":"0"},"payload":{"aps":{"#
        + #""category":"Altcraft","mutable-content":1,"sound":"default","alert":{"title":"Title","#
        + #""subtitle":"SubTitle","body":"Body"}},"_ac_push":"Altcraft","_provider":"iOS HMS","#
        + #""_click-url":"Deeplink","_soundless":"false","_uid":"UID","_media":"Media","#
        + #""_hub_link":{"open":"","ack":""},"#
        + #""_buttons":"[{\"label\":\"Label\",\"link\":\"https://shop.example/1?a=1&b=2\"}]"},"#
        + #""hms_options":{"target_user_type":1}}}}"#
    ),
    (
      "android-appmetrica",
      #"{"push_batch_request":{"client_transfer_id":42,"group_id":97737,"tag":"campaign-2","batch":[{"messages":{"#
        + #""android":{"silent":false,"content":{"title":"Title","text":"Body","time_to_live":0,"image":"Icon","#
        + #""icon_background":"IconBackground","banner":"Banner","led_color":"LEDColor","#
        + #""data":"{\"hub_link\":{\"ack\":\"\",\"open\":\"\"}}"},"#
        + #""open_action":{"url":"https://shop.example/URL","deeplink":"Deeplink"}}},"#
        + #""devices":[{"id_values":["A"],"id_type":"google_aid"}]}]}}"#
    ),
    (
      "ios-appmetrica",
      #"{"push_batch_request":{"client_transfer_id":42,"group_id":97737,"tag":"campaign-2","batch":[{"messages":{"#
        + #""iOS":{"silent":false,"content":{"title":"Title","text":"Body","expiration":0,"#
        + #""data":"{\"hub_link\":{\"ack\":\"\",\"open\":\"\"},\"icon\":\"Icon\",\"media\":\"Media\"}"},"#
        + #""open_action":{"url":"https://shop.example/URL","deeplink":"Deeplink"}}},"#
        + #""devices":[{"id_values":["A"],"id_type":"ios_push_token"}]}]}}"#
    ),
    (
      "android-rustore",
      #"{"message":{"token":"A","data":{"_ac_push":"Altcraft","_title":"Title","_uid":"UID","ak_uid":"UID","#
        + #""_provider":"Android RuStore","_body":"Body","_icon":"Icon","_image":"Image","_launch_id":"LAUNCH","#
        + ##""_vibration":"true","_soundless":"false","_color":"#FF5722","_click_action":"Deeplink","##
        + #""_hub_link":"{\"open\":\"\",\"ack\":\"\"}","#
        + #""_buttons":"[{\"label\":\"Label\",\"link\":\"https://shop.example/1?a=1&b=2\"}]"},"#
        + #""android":{"priority":"HIGH","ttl":"0s"}}}"#
    ),
  ]

  @Test("byte for byte", arguments: bodies)
  func bytes(_ provider: String, _ expected: String) throws {
    let batch = try RenderedPayload(provider, Self.content).batch
    let ids = expected.replacing("UID", with: PayloadTests.uid(batch)).replacing("LAUNCH", with: Self.launchID)
    #expect(batch.body(0) == ids)
  }
}
