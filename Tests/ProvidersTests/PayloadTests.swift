import Base
import Campaign
import Foundation
import Providers
import Rendering
import Signing
import Testing
import Transport

@Suite("Payloads, from content to a request's body")
struct PayloadTests {
  static func provider(_ name: String) throws -> any Provider { try #require(Registry.provider(named: name)) }

  /// The template with every bare action in quotes, so that it reads as JSON.
  static func readable(_ template: String) throws -> JSON {
    try JSONScanner.parse(template.replacing(/": (\{\{[^}]*\}\})/) { "\": \"\($0.output.1)\"" })
  }

  /// Members that Salvo adds: the second name of the message's id, and what stands in a body only when the content
  /// names it.
  static let additions = [
    "ak_uid", "collapse_key", "apns-collapse-id", "badge", "thread-id", "interruption-level", "relevance-score",
    "content-available", "title-loc-key", "title-loc-args", "loc-key", "loc-args", "action-loc-key", "fcm_options",
  ]

  static func withoutAdditions(_ value: JSON) -> JSON {
    guard let object = value.object else { return value }
    return .object(
      JSONObject(
        object.members.filter { !additions.contains($0.key) }.map {
          .init(key: $0.key, value: withoutAdditions($0.value))
        }))
  }

  @Test(
    "the templates are the published structures, key for key and action for action",
    arguments: [
      ("android-firebase", PublishedStructure.androidFirebase), ("ios-firebase", PublishedStructure.iosFirebase),
      ("ios-apns", PublishedStructure.iosAPNs), ("android-hms", PublishedStructure.androidHMS),
      ("ios-hms", PublishedStructure.iosHMS), ("android-rustore", PublishedStructure.androidRuStore),
    ])
  func published(_ name: String, _ structure: String) throws {
    let shape = try Self.provider(name).shape(of: Fixtures.channel(name), launch: Fixtures.launch())
    #expect(shape.template.name == "\(name) (altcraft)")
    let template = try Self.readable(String(decoding: shape.template.text, as: UTF8.self))
    #expect(try Self.withoutAdditions(template) == Self.readable(structure))
  }

  /// The names of all members, with their way there.
  static func keys(_ value: JSON, _ path: String = "") -> [String] {
    switch value {
    case .object(let object):
      object.members.flatMap { ["\(path).\($0.key)"] + keys($0.value, "\(path).\($0.key)") }
    case .array(let elements): elements.flatMap { keys($0, path + "[]") }
    default: []
    }
  }

  @Test(
    "AppMetrica's example values became actions, its keys stayed",
    arguments: [
      (
        "android-appmetrica", "android", PublishedStructure.androidAppMetrica,
        #"{"hub_link":{"ack":"{{.URLDelivEvent}}","open":"{{.URLOpenEvent}}"}}"#
      ),
      (
        "ios-appmetrica", "iOS", PublishedStructure.iosAppMetrica,
        #"{"hub_link":{"ack":"{{.URLDelivEvent}}","open":"{{.URLOpenEvent}}"},"icon":"{{.Icon}}","media":"{{.Media}}"}"#
      ),
    ])
  func publishedAppMetrica(_ name: String, _ key: String, _ published: String, _ text: String) throws {
    let shape = try Self.provider(name).shape(of: Fixtures.channel(name), launch: Fixtures.launch())
    let template = try Self.readable(String(decoding: shape.template.text, as: UTF8.self))
    let structure = try Self.readable(published)
    #expect(Self.keys(template) == Self.keys(structure))
    func device(_ root: JSON) -> JSON? {
      let batch = root.object?["push_batch_request"]?.object?["batch"]?.array?.first?.object
      return batch?["devices"]?.array?.first?.object?["id_type"]
    }
    let batch = template.object?["push_batch_request"]?.object?["batch"]?.array?.first?.object
    let data = batch?["messages"]?.object?[key]?.object?["content"]?.object?["data"]
    #expect(data == .string(text))
    #expect(device(template) == device(structure))
  }

  /// Content with the texts that break senders.
  static var content: Content {
    var content = Content()
    content.title = #"Sale "50%" C:\deals"#
    content.body = "Line1\r\nLine2\tend 😀"
    content.ttlMilliseconds = 3_600_000
    content.icon = "https://shop.example/i.png"
    content.clickURL = "https://shop.example/?a=1&b=2"
    content.deepLink = "shop://sale"
    content.imageBackgroundColor = "#FF5722"
    content.buttons = [.init(label: #"Да, "сейчас""#, link: "https://shop.example/1")]
    return content
  }

  /// The requests for some tokens, rendered from content.
  static func batch(
    _ name: String, content: Content = content, settings: String? = nil, tokens: [String]? = nil,
    tracking: LaunchOptions.Tracking = .message, template: String? = nil, profile: PayloadProfile = .altcraft,
    options: LaunchOptions = LaunchOptions()
  ) throws -> RequestBatch {
    let provider = try provider(name)
    let settings = settings ?? Fixtures.settings(of: name)
    var options = options
    if tracking == .group { options.tracking = tracking }
    let launch = Fixtures.launch(content: content, options: options, startedAt: 1_760_000_000_000)
      .prepared(for: provider.platform)
    let channel = try Fixtures.channel(name, settings: settings, profile: profile, template: template)
    let lane = try provider.lane(
      of: channel, launch: launch, credential: Array(Fixtures.credential(of: name).utf8))
    let renderer = try PageRenderer(
      shapes: launch.editions.map { try provider.shape(of: channel, launch: $0) }, launch: launch, channel: channel,
      platform: provider.platform, providerTitle: provider.title, links: nil, group: 1)
    var input = SliceBuilder()
    input.add("", tokens: tokens ?? [Fixtures.token(of: name)])
    let slice = renderer.render(input.input)
    #expect(slice.rejections.isEmpty)
    return lane.requests(for: slice, input: input.input, headers: HeaderSet([]), requestKey: 42)
  }

  static func uid(_ batch: RequestBatch, _ message: Int = 0) -> String {
    String(decoding: batch.slice.bytes[batch.slice.messages[message].uid.range], as: UTF8.self)
  }

  /// `_buttons` of the content above.
  static let buttons = #"[{"label":"Да, \"сейчас\"","link":"https://shop.example/1"}]"#
  static let noLinks = #"{"open":"","ack":""}"#

  @Test("android-firebase")
  func firebase() throws {
    let batch = try Self.batch("android-firebase")
    let message = try #require(JSONScanner.parse(batch.body(0)).object?["message"]?.object)
    #expect(message.keys == ["token", "android"])
    #expect(message["token"] == .string("A"))
    let android = try #require(message["android"]?.object)
    #expect(android.keys == ["priority", "ttl", "data"])
    #expect(android["priority"] == .string("HIGH"))
    #expect(android["ttl"] == .string("3600s"))
    let uid = Self.uid(batch)
    #expect(uid.hasPrefix("T"))
    let launchID = LaunchTag.text(account: 1, campaign: 2, milliseconds: 1_760_000_000_000)
    let data = try #require(android["data"]?.object)
    let expected: [(String, String)] = [
      ("_ac_push", "Altcraft"), ("_uid", uid), ("ak_uid", uid), ("_launch_id", launchID),
      ("_title", #"Sale "50%" C:\deals"#), ("_provider", "Android Firebase"), ("_body", "Line1\r\nLine2\tend 😀"),
      ("_icon", "https://shop.example/i.png"), ("_click_action", "shop://sale"), ("_color", "#FF5722"),
      ("_image", ""), ("_vibration", "false"), ("_soundless", "false"), ("_hub_link", Self.noLinks),
      ("_buttons", Self.buttons),
    ]
    #expect(data.keys == expected.map(\.0))
    for (key, value) in expected where key != "_hub_link" { #expect(data[key] == .string(value), "\(key)") }
    let links = try JSONScanner.parse(try #require(data["_hub_link"]?.string))
    #expect(links == (try JSONScanner.parse(Self.noLinks)))
  }

  @Test("android-firebase carries a collapse key only when the content names one")
  func collapseKey() throws {
    var content = Self.content
    content.collapseID = "sale"
    let batch = try Self.batch(
      "android-firebase", content: content)
    let android = try JSONScanner.parse(batch.body(0)).object?["message"]?.object?["android"]?.object
    #expect(android?["collapse_key"] == .string("sale"))
  }

  @Test("ios-apns: empty alert texts go, everything else stays")
  func apns() throws {
    let batch = try Self.batch(
      "ios-apns")
    let root = try #require(JSONScanner.parse(batch.body(0)).object)
    #expect(
      root.keys == [
        "aps", "_ac_push", "_click-url", "_soundless", "_media", "_uid", "_provider", "_hub_link", "_buttons",
      ])
    #expect(
      root["aps"]?.text
        == #"{"category":"Altcraft","mutable-content":1,"sound":"default","alert":{"title":"Sale \"50%\" C:\\deals","#
        + #""body":"Line1\r\nLine2\tend 😀"}}"#)
    #expect(root["_click-url"] == .string("shop://sale"))
    #expect(root["_media"] == .string(""))
    #expect(root["_provider"] == .string("iOS APNS"))
    #expect(root["_uid"] == .string(Self.uid(batch)))
    #expect(root["_hub_link"]?.text == Self.noLinks)
    #expect(root["_buttons"] == .string(Self.buttons))
    #expect(batch.headers(0).first == "apns-id: " + APNsLaneTests.uuid(Self.uid(batch)))
  }

  @Test("a silent ios-apns push is content-available and nothing that shows")
  func background() throws {
    var content = Self.content
    content.silent = true
    let batch = try Self.batch(
      "ios-apns", content: content, tokens: [APNsLaneTests.token])
    let root = try #require(JSONScanner.parse(batch.body(0)).object)
    #expect(root["aps"]?.text == #"{"content-available":1}"#)
    #expect(
      root.keys == [
        "aps", "_ac_push", "_click-url", "_soundless", "_media", "_uid", "_provider", "_hub_link", "_buttons",
      ])
  }

  @Test("android-hms: a group is one request, data is the text of the published object")
  func hms() throws {
    let batch = try Self.batch(
      "android-hms", tokens: ["A", "B", "C"], tracking: .group)
    #expect(batch.spans.map(\.messages) == [0..<3])
    let message = try #require(JSONScanner.parse(batch.body(0)).object?["message"]?.object)
    #expect(message.keys == ["token", "data", "android"])
    #expect(message["token"]?.text == #"["A","B","C"]"#)
    #expect(message["android"]?.text == #"{"urgency":"HIGH","ttl":"3600s"}"#)
    let text = try #require(message["data"]?.string)
    let data = try #require(JSONScanner.parse(text).object)
    #expect(
      data.keys == [
        "_ac_push", "_title", "_uid", "ak_uid", "_provider", "_body", "_launch_id", "_vibration", "_soundless",
        "_hub_link", "_icon", "_click_action", "_color", "_image", "_buttons",
      ])
    #expect(data["_title"] == .string(#"Sale "50%" C:\deals"#))
    #expect(data["_uid"] == .string(Self.uid(batch)))
    #expect(Self.uid(batch).hasPrefix("U"))
    #expect(data["ak_uid"] == data["_uid"])
    #expect(data["_provider"] == .string("Android HMS"))
    #expect(data["_buttons"] == .string(Self.buttons))
  }

  @Test("2,500 equal messages of a group are 1,000 + 1,000 + 500")
  func hmsGroup() throws {
    let batch = try Self.batch(
      "android-hms", tokens: (0..<2500).map { "t\($0)" }, tracking: .group)
    #expect(batch.spans.map(\.messages.count) == [1000, 1000, 500])
  }

  @Test("a template of the channel's own may put data before the token")
  func ownTemplate() throws {
    let batch = try Self.batch(
      "android-hms", tokens: ["A"],
      template: #"{"message": {"data": {"t": "{{.Title}}"}, "token": ["{{.SubscriptionID}}"]}}"#)
    let message = try #require(JSONScanner.parse(batch.body(0)).object?["message"]?.object)
    #expect(message.keys == ["data", "token"])
    #expect(message["data"] == .string(#"{"t":"Sale \"50%\" C:\\deals"}"#))
    #expect(message["token"]?.text == #"["A"]"#)
  }

  /// The one entry of an AppMetrica request.
  static func entry(_ batch: RequestBatch) throws -> (root: JSONObject, android: JSONObject, devices: JSON) {
    let root = try #require(JSONScanner.parse(batch.body(0)).object?["push_batch_request"]?.object)
    let entry = try #require(root["batch"]?.array?.first?.object)
    return (
      root, try #require(entry["messages"]?.object?["android"]?.object), try #require(entry["devices"])
    )
  }

  @Test("android-appmetrica: numbers are numbers, empty members are gone, ids are listed")
  func appMetrica() throws {
    let batch = try Self.batch(
      "android-appmetrica", settings: #"{"group_id":97737}"#, tokens: ["A", "B"], tracking: .group)
    let (root, android, devices) = try Self.entry(batch)
    #expect(root.keys == ["client_transfer_id", "group_id", "tag", "batch"])
    #expect(root["client_transfer_id"] == .number("42"))
    #expect(root["group_id"] == .number("97737"))
    #expect(root["tag"] == .string("campaign-2"))
    #expect(android.keys == ["silent", "content", "open_action"])
    #expect(android["silent"] == .bool(false))
    let content = try #require(android["content"]?.object)
    #expect(content.keys == ["title", "text", "time_to_live", "image", "data"])
    #expect(content["text"] == .string("Line1\r\nLine2\tend 😀"))
    #expect(content["time_to_live"] == .number("3600"))
    #expect(content["image"] == .string("https://shop.example/i.png"))
    #expect(content["data"] == .string(#"{"hub_link":{"ack":"","open":""}}"#))
    #expect(
      android["open_action"]?.text == #"{"url":"https://shop.example/?a=1&b=2","deeplink":"shop://sale"}"#)
    #expect(devices.text == #"[{"id_values":["A","B"],"id_type":"google_aid"}]"#)
  }

  @Test("id_type and open_action are the channel's")
  func appMetricaSettings() throws {
    let settings = #"{"group_id":1,"id_type":"huawei_push_token","open_action":"api"}"#
    let batch = try Self.batch("android-appmetrica", settings: settings)
    let (_, android, devices) = try Self.entry(batch)
    #expect(android["open_action"]?.text == #"{"deeplink":"shop://sale"}"#)
    #expect(devices.text == #"[{"id_values":["A"],"id_type":"huawei_push_token"}]"#)
    let error = providerError {
      _ = try Self.batch(
        "android-appmetrica", settings: #"{"group_id":1,"id_type":"ios_push_token"}"#)
    }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("id_type") == true)
  }

  @Test("an AppMetrica template that numbers transfers itself is refused")
  func ownTransferID() throws {
    let error = providerError {
      _ = try Self.provider("android-appmetrica").shape(
        of: Fixtures.channel(
          "android-appmetrica", template: #"{"push_batch_request":{"client_transfer_id":1,"batch":[]}}"#),
        launch: Fixtures.launch())
    }
    #expect(error?.code == .content)
  }

  @Test(
    "names that a customer's data may not use are refused",
    arguments: [
      ("android-firebase", "from"), ("android-firebase", "message_type"), ("android-firebase", "google.sent"),
      ("android-firebase", "googleX"), ("android-firebase", "gcm.notification.title"), ("android-firebase", "_uid"),
      ("android-firebase", "ak_uid"), ("ios-apns", "aps"), ("ios-apns", "_uid"), ("android-hms", "_body"),
      ("android-appmetrica", "hub_link"), ("ios-firebase", "aps"), ("ios-firebase", "_click-url"),
      ("ios-firebase", "gcm.message_id"), ("ios-firebase", "google.c.a.e"), ("ios-hms", "aps"), ("ios-hms", "_media"),
      ("ios-appmetrica", "icon"), ("ios-appmetrica", "media"), ("android-rustore", "_title"),
      ("android-rustore", "ak_uid"),
    ])
  func reserved(_ name: String, _ key: String) throws {
    let provider = try Self.provider(name)
    func render(_ key: String) throws {
      var content = Content()
      content.data.set(key, .string("x"))
      let launch = Fixtures.launch(content: content)
      let channel = try Fixtures.channel(name)
      _ = try PageRenderer(
        shape: provider.shape(of: channel, launch: launch), launch: launch, channel: channel,
        platform: provider.platform, providerTitle: provider.title, links: nil, group: 1)
    }
    #expect(throws: TemplateError.self) { try render(key) }
    try render("order")
  }

  @Test("custom needs a template, and a profile that isn't built is refused with those that are")
  func profiles() throws {
    for name in Fixtures.providers {
      let provider = try Self.provider(name)
      for profile in PayloadProfile.allCases where profile == .custom || !provider.profiles.contains(profile) {
        let error = providerError {
          _ = try provider.shape(of: Fixtures.channel(name, profile: profile), launch: Fixtures.launch())
        }
        #expect(error?.code == .configuration)
        #expect(error?.description.contains(profile.rawValue) == true)
      }
      let own = try provider.shape(
        of: Fixtures.channel(name, profile: .custom, template: "{}"), launch: Fixtures.launch())
      #expect(own.template.name == "channel 7 (Shop)'s own template")
      #expect(own.template.text == Array("{}".utf8))
    }
  }
}
