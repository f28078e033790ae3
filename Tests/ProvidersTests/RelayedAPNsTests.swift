import Base
import Campaign
import Providers
import Testing
import Transport

@Suite("Apple's devices by way of Firebase, Huawei and AppMetrica")
struct RelayedAPNsTests {
  static let relays = ["ios-firebase", "ios-hms"]

  static func headers(_ payload: RenderedPayload) -> String? { payload["message", "apns", "headers"]?.text }

  static func content(_ change: (inout Content) -> Void) -> Content { EveryPayloadTests.content(change) }

  @Test(
    "the headers are the expiration alone, texts as FCM wants them; a collapse id only from content", arguments: relays)
  func headers(_ provider: String) throws {
    #expect(
      try Self.headers(RenderedPayload(provider, Self.content { _ in })) == #"{"apns-expiration":"1760003600"}"#)
    #expect(
      try Self.headers(RenderedPayload(provider, Self.content { $0.collapseID = "sale" }))
        == #"{"apns-expiration":"1760003600","apns-collapse-id":"sale"}"#)
    let none = try RenderedPayload(provider, Self.content { $0.ttlMilliseconds = nil })
    #expect(none["message", "apns"]?.object?.keys.first == "payload")
  }

  @Test("a topic in the settings becomes a header", arguments: relays)
  func topic(_ provider: String) throws {
    let payload = try RenderedPayload(
      provider, Self.content { $0.ttlMilliseconds = nil }, settings: #"{"topic":"example.shop"}"#)
    #expect(Self.headers(payload) == #"{"apns-topic":"example.shop"}"#)
  }

  @Test("a background push isn't urgent, and says what it is where the header is known")
  func background() throws {
    let content = Self.content {
      $0.silent = true
      $0.ttlMilliseconds = nil
    }
    #expect(
      try Self.headers(RenderedPayload("ios-firebase", content))
        == #"{"apns-push-type":"background","apns-priority":"5"}"#)
    #expect(try Self.headers(RenderedPayload("ios-hms", content)) == #"{"apns-priority":"5"}"#)
  }

  @Test("a collapse id that can't be Apple's header is refused", arguments: relays + ["ios-apns"])
  func collapseID(_ provider: String) throws {
    for id in ["распродажа", String(repeating: "x", count: 65), "a\nb"] {
      let error = providerError {
        _ = try Fixtures.lane(of: provider, launch: Fixtures.launch(content: Self.content { $0.collapseID = id }))
      }
      #expect(error?.code == .content)
      #expect(error?.description == "collapse_id must be 64 ASCII characters at most for channel 7 (Shop)")
    }
  }

  @Test("empty texts of the alert go, and the alert with them", arguments: relays)
  func emptyAlert(_ provider: String) throws {
    let some = try RenderedPayload(
      provider,
      Self.content {
        $0.title = "T"
        $0.body = nil
      })
    #expect(some.aps?["alert"]?.text == #"{"title":"T"}"#)
    let none = try RenderedPayload(
      provider,
      Self.content {
        $0.title = nil
        $0.body = nil
      })
    #expect(
      none.aps?.keys == ["category", "sound", "mutable-content"]
        || none.aps?.keys == ["category", "mutable-content", "sound"])
  }

  @Test("tracking links are text by Firebase and an object by Huawei, as published")
  func links() throws {
    #expect(
      try RenderedPayload("ios-firebase", PayloadTests.content).data()["_hub_link"] == .string(PayloadTests.noLinks))
    #expect(
      try RenderedPayload("ios-hms", PayloadTests.content).data()["_hub_link"]?.text == PayloadTests.noLinks)
  }

  @Test("Firebase for Apple sends where and as Firebase for Android does")
  func firebaseLane() throws {
    let batch = try RenderedPayload("ios-firebase", PayloadTests.content).batch
    #expect(batch.path(0) == "/v1/projects/shop-1/messages:send")
    #expect(batch.headers(0).isEmpty)
    let pool = try Fixtures.lane(of: "ios-firebase").pool
    #expect(pool.endpoint == "https://fcm.googleapis.com")
    #expect(pool.connections == 4)
    #expect(pool.streams == 100)
  }

  @Test("every Firebase answer means the same for Apple's devices", arguments: FCMClassifierTests.table)
  func firebaseAnswers(_ given: FCMClassifierTests.Case) throws {
    let verdict = try Fixtures.lane(of: "ios-firebase").verdicts(given.status, given.body)
    #expect(verdict.map(\.verdict) == [given.verdict])
    #expect(verdict.first?.reason == given.reason)
  }

  @Test("Huawei takes a thousand of Apple's tokens of one payload a request")
  func huaweiGroup() throws {
    let tokens = (0..<2500).map { "t\($0)" }
    let batch = try PayloadTests.batch("ios-hms", tokens: tokens, tracking: .group)
    #expect(batch.spans.map(\.messages.count) == [1000, 1000, 500])
    #expect(batch.path(0) == "/v1/10001/messages:send")
    let message = try JSONScanner.parse(batch.body(2)).object?["message"]?.object
    #expect(message?.keys == ["token", "apns"])
    #expect(message?["token"] == .array(tokens.suffix(500).map { .string($0) }))
    #expect(message?["apns"]?.object?.keys == ["headers", "payload", "hms_options"])
  }

  @Test("target_user_type is the channel's, 1 as published without one")
  func targetUserType() throws {
    for (settings, expected) in [("{}", "1"), (#"{"target_user_type":2}"#, "2")] {
      let payload = try RenderedPayload("ios-hms", PayloadTests.content, settings: settings)
      #expect(payload["message", "apns", "hms_options"]?.text == #"{"target_user_type":\#(expected)}"#)
    }
  }

  @Test("each Huawei code means the same for Apple's devices", arguments: HMSClassifierTests.table)
  func huaweiAnswers(_ code: String, _ expected: Verdict) throws {
    let verdicts = try Fixtures.lane(of: "ios-hms").verdicts(200, HMSClassifierTests.answer(code), tokens: ["a", "b"])
    #expect(verdicts.map(\.verdict) == [expected, expected])
  }

  @Test("AppMetrica for iOS: icon and media travel in the data text, empty members are gone")
  func appMetrica() throws {
    let payload = try RenderedPayload(
      "ios-appmetrica", Self.content { $0.image = "https://shop.example/m.jpg" }, tracking: .group)
    let content = payload.entry?["content"]?.object
    #expect(content?.keys == ["title", "text", "expiration", "data"])
    #expect(
      content?["data"]
        == .string(
          #"{"hub_link":{"ack":"","open":""},"icon":"https://shop.example/i.png","media":"https://shop.example/m.jpg"}"#
        ))
    #expect(
      payload["push_batch_request", "batch", "0", "devices"]?.text
        == #"[{"id_values":["A"],"id_type":"ios_push_token"}]"#)
    #expect(payload["push_batch_request", "client_transfer_id"] == .number("42"))
    #expect(payload.batch.path(0) == "/push/v1/send-batch")
  }

  @Test("AppMetrica's iOS form in the API knows url alone, and id types of iOS")
  func appMetricaSettings() throws {
    let settings = #"{"group_id":1,"id_type":"appmetrica_device_id","open_action":"api"}"#
    let payload = try RenderedPayload("ios-appmetrica", PayloadTests.content, settings: settings)
    #expect(payload.entry?["open_action"]?.text == #"{"url":"https://shop.example/?a=1&b=2"}"#)
    #expect(
      payload["push_batch_request", "batch", "0", "devices"]?.text
        == #"[{"id_values":["A"],"id_type":"appmetrica_device_id"}]"#)
    let error = providerError {
      _ = try PayloadTests.batch("ios-appmetrica", settings: #"{"group_id":1,"id_type":"google_aid"}"#)
    }
    #expect(error?.code == .configuration)
    #expect(
      error?.description
        == "channel 7 (Shop): id_type must be one of ios_push_token, appmetrica_device_id, ios_ifa")
  }

  @Test("settings of the other platform are refused by name")
  func foreignSettings() throws {
    for (provider, settings) in [
      ("android-firebase", #"{"topic":"example.shop"}"#), ("android-hms", #"{"topic":"example.shop"}"#),
      ("ios-firebase", #"{"team_id":"TEAM123456"}"#), ("ios-hms", #"{"priority_field":false}"#),
    ] {
      let error = providerError {
        _ = try Fixtures.lane(provider, settings: settings, credential: Fixtures.credential(of: provider))
      }
      #expect(error?.code == .configuration)
      #expect(error?.description.contains("means nothing to \(provider)") == true)
    }
  }
}
