import Base
import Campaign
import Providers
import Testing

/// The request bodies printed in Firebase's guide to customising messages for platforms, against what content makes.
@Suite("Profile fcm: Firebase's own message")
struct FirebaseProfileTests {
  static func content(_ text: String) throws -> Content { try Content(json: JSONScanner.parse(text)) }

  static func payload(
    _ provider: String, _ text: String, options: String = "{}", tokens: [String]? = nil
  ) throws -> RenderedPayload {
    try RenderedPayload(
      provider, content(text), profile: .fcm, options: LaunchOptions(json: JSONScanner.parse(options)), tokens: tokens)
  }

  /// Members in the order of their names, so that only what is there counts.
  static func sorted(_ value: JSON) -> JSON {
    switch value {
    case .object(let object):
      .object(
        JSONObject(
          object.members.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: sorted($0.value)) }))
    case .array(let elements): .array(elements.map(sorted))
    default: value
    }
  }

  /// With the tag that a repeated message replaces the first by; `UID` in the golden body.
  static func golden(_ text: String, uid: String = "") throws -> JSON {
    sorted(try JSONScanner.parse(text.replacing("UID", with: uid)))
  }

  static let matchUpdate = #"""
    {"title":"Match update","body":"Arsenal goal in added time, score is now 3-0",
     "fcm":{"android":{"ttl":86400,"notification":{"click_action":"OPEN_ACTIVITY_1"}},
      "apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"category":"NEW_MESSAGE_CATEGORY"}}},
      "webpush":{"headers":{"TTL":86400}}}}
    """#
  static let matchUpdateBody = #"""
    {"message":{"token":"A",
      "notification":{"title":"Match update","body":"Arsenal goal in added time, score is now 3-0"},
      "android":{"ttl":"86400s","notification":{"click_action":"OPEN_ACTIVITY_1"}},
      "apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"category":"NEW_MESSAGE_CATEGORY"}}},
      "webpush":{"headers":{"TTL":"86400"}}}}
    """#

  @Test("delivery options of each platform", arguments: ["ios-firebase", "web-firebase"])
  func deliveryOptions(_ provider: String) throws {
    let payload = try Self.payload(provider, Self.matchUpdate)
    #expect(try Self.sorted(payload.root) == Self.golden(Self.matchUpdateBody))
  }

  @Test("on Android a tag besides, so that a repeat replaces")
  func androidTag() throws {
    let payload = try Self.payload("android-firebase", Self.matchUpdate)
    let golden = Self.matchUpdateBody.replacing(
      #""notification":{"click"#, with: #""notification":{"tag":"UID","click"#)
    #expect(try Self.sorted(payload.root) == Self.golden(golden, uid: PayloadTests.uid(payload.batch)))
  }

  static let topic = #"{"targets":[{"channel_id":7,"topic":"industry-tech"}]}"#

  @Test(
    "to a topic: colour and icon, a picture, an action for the tap",
    arguments: [
      (
        ##"""
        {"title":"`$FooCorp` up 1.43% on the day","body":"FooCorp gained 11.80 points to close at 835.67, up 1.43% on the day.",
         "fcm":{"android":{"notification":{"icon":"stock_ticker_update","color":"#7e55c3"}}}}
        """##,
        ##"""
        {"message":{"topic":"industry-tech",
          "notification":{"title":"`$FooCorp` up 1.43% on the day","body":"FooCorp gained 11.80 points to close at 835.67, up 1.43% on the day."},
          "android":{"notification":{"tag":"UID","icon":"stock_ticker_update","color":"#7e55c3"}}}}
        """##
      ),
      (
        #"""
        {"title":"Sparky says hello!",
         "fcm":{"android":{"notification":{"image":"https://foo.bar/pizza-monster.png"}},
          "apns":{"payload":{"aps":{"mutable-content":1}},"fcm_options":{"image":"https://foo.bar/pizza-monster.png"}},
          "webpush":{"headers":{"image":"https://foo.bar/pizza-monster.png"}}}}
        """#,
        #"""
        {"message":{"topic":"industry-tech","notification":{"title":"Sparky says hello!"},
          "android":{"notification":{"tag":"UID","image":"https://foo.bar/pizza-monster.png"}},
          "apns":{"payload":{"aps":{"mutable-content":1}},"fcm_options":{"image":"https://foo.bar/pizza-monster.png"}},
          "webpush":{"headers":{"image":"https://foo.bar/pizza-monster.png"}}}}
        """#
      ),
      (
        #"""
        {"title":"Breaking News....",
         "fcm":{"android":{"notification":{"click_action":"news_intent"}},
          "apns":{"payload":{"aps":{"category":"INVITE_CATEGORY"}}},"webpush":{"fcm_options":{"link":"breakingnews.html"}}}}
        """#,
        #"""
        {"message":{"topic":"industry-tech","notification":{"title":"Breaking News...."},
          "android":{"notification":{"tag":"UID","click_action":"news_intent"}},
          "apns":{"payload":{"aps":{"category":"INVITE_CATEGORY"}}},"webpush":{"fcm_options":{"link":"breakingnews.html"}}}}
        """#
      ),
    ])
  func topics(_ content: String, _ body: String) throws {
    let payload = try Self.payload("android-firebase", content, options: Self.topic, tokens: ["industry-tech"])
    #expect(try Self.sorted(payload.root) == Self.golden(body, uid: PayloadTests.uid(payload.batch)))
  }

  @Test("a topic among conditions becomes one")
  func condition() throws {
    let payload = try Self.payload(
      "android-firebase", #"{"title":"T"}"#,
      options: #"{"targets":[{"channel_id":7,"condition":"'a' in topics && !('b' in topics)"}]}"#,
      tokens: ["'a' in topics && !('b' in topics)"])
    #expect(payload["message", "condition"] == .string("'a' in topics && !('b' in topics)"))
    #expect(payload["message", "token"] == nil && payload["message", "topic"] == nil)
  }

  @Test("only the platforms: no common notification")
  func platformOnly() throws {
    let payload = try Self.payload(
      "web-firebase",
      #"{"title":"T","notification":false,"fcm":{"webpush":{"notification":{"title":"W","vibrate":[1]}}}}"#)
    #expect(
      try Self.sorted(payload.root)
        == Self.golden(#"{"message":{"token":"A","webpush":{"notification":{"title":"W","vibrate":[1]}}}}"#))
  }

  @Test("nothing to show on Apple's devices is a background push with priority 5, data beside aps")
  func background() throws {
    let payload = try Self.payload(
      "ios-firebase", #"{"notification":false,"data":{"n":5,"none":null,"cart":{"a":[1]}}}"#)
    #expect(
      try Self.sorted(payload.root)
        == Self.golden(
          #"""
          {"message":{"token":"A","data":{"n":"5","cart":"{\"a\":[1]}"},
            "apns":{"headers":{"apns-push-type":"background","apns-priority":"5"},
              "payload":{"aps":{"content-available":1}}}}}
          """#))
  }

  @Test("common fields in each platform's own words")
  func common() throws {
    let content = ##"""
      {"title":"T","subtitle":"S","body":"B","priority":"normal","ttl":3600,"badge":0,"sound":"ding","image":"https://i/p.png",
       "icon":"https://i/i.png","click_url":"https://c/","collapse_id":"c1","channel_id":"news","thread_id":"t","category":"k",
       "image_background_color":"#112233","interruption_level":"active","relevance_score":0.50,
       "loc":{"title_loc_key":"TK","title_loc_args":["a"],"loc_key":"BK","action_loc_key":"AK"}}
      """##
    let android = try Self.payload("android-firebase", content)
    #expect(
      try Self.sorted(android.root)
        == Self.golden(
          ##"""
          {"message":{"token":"A","notification":{"title":"T","body":"B","image":"https://i/p.png"},
            "android":{"priority":"NORMAL","ttl":"3600s","collapse_key":"c1","notification":{"tag":"UID","channel_id":"news",
              "color":"#112233","sound":"ding","title_loc_key":"TK","title_loc_args":["a"],"body_loc_key":"BK"}}}}
          """##, uid: PayloadTests.uid(android.batch)))
    let apple = try Self.payload("ios-firebase", content)
    #expect(
      try Self.sorted(apple.root)
        == Self.golden(
          #"""
          {"message":{"token":"A","notification":{"title":"T","body":"B","image":"https://i/p.png"},
            "apns":{"headers":{"apns-expiration":"1760003600","apns-priority":"5","apns-collapse-id":"c1"},
              "payload":{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","title-loc-key":"TK","title-loc-args":["a"],
                "loc-key":"BK","action-loc-key":"AK"},"badge":0,"sound":"ding","category":"k","thread-id":"t",
                "interruption-level":"active","relevance-score":0.50,"mutable-content":1}},
              "fcm_options":{"image":"https://i/p.png"}}}}
          """#))
    let web = try Self.payload("web-firebase", content)
    #expect(
      try Self.sorted(web.root)
        == Self.golden(
          #"""
          {"message":{"token":"A","notification":{"title":"T","body":"B","image":"https://i/p.png"},
            "webpush":{"headers":{"TTL":"3600","Urgency":"normal"},"notification":{"icon":"https://i/i.png"},
              "fcm_options":{"link":"https://c/"}}}}
          """#))
  }

  @Test("an Apple picture without a file extension is refused by name")
  func appleImage() throws {
    let error = providerError {
      _ = try Self.payload("ios-firebase", #"{"title":"T","image":"https://foo.bar.pizza-monster.png"}"#)
    }
    #expect(
      error?.description
        == "channel 7 (Shop): content.image: Apple's devices need a file extension at the end, as in /picture.png")
  }

  @Test("targets need Firebase's own profile")
  func targetsElsewhere() throws {
    let error = providerError {
      _ = try RenderedPayload(
        "android-firebase", try Self.content(#"{"title":"T"}"#),
        options: LaunchOptions(json: JSONScanner.parse(Self.topic)))
    }
    #expect(
      error?.description
        == "channel 7 (Shop): options.targets need a channel with the payload profile fcm, not altcraft")
  }

  @Test("2,048 bytes to a topic, 4,096 to a device")
  func limits() throws {
    let options = try LaunchOptions(json: JSONScanner.parse(Self.topic))
    let channel = try Fixtures.channel("android-firebase", profile: .fcm)
    let provider = try PayloadTests.provider("android-firebase")
    let credential = Array(Fixtures.serviceAccount.utf8)
    let topic = try provider.lane(of: channel, launch: Fixtures.launch(options: options), credential: credential)
    #expect(topic.limits.payload == 2048)
    #expect(try provider.lane(of: channel, launch: Fixtures.launch(), credential: credential).limits.payload == 4096)
  }
}
