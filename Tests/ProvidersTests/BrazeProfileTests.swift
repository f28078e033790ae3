import Base
import Campaign
import Providers
import Testing

@Suite("Profile braze")
struct BrazeProfileTests {
  static func payload(_ provider: String, _ text: String) throws -> RenderedPayload {
    try RenderedPayload(provider, Content(json: JSONScanner.parse(text)), profile: .braze)
  }

  @Test(
    "Braze's Apple push object wins over the common content and becomes aps and ab",
    arguments: ["ios-apns", "ios-firebase"])
  func applePush(_ provider: String) throws {
    let payload = try Self.payload(
      provider,
      #"""
      {"title":"common","subtitle":"common","body":"common","badge":1,"click_url":"https://common","data":{"k":"common","c":2},
       "apple_push":{"badge":3,"alert":{"body":"B","title":"T","title_loc_key":"TK","title_loc_args":["1"],
         "action_loc_key":"AK","loc_key":"LK","loc_args":["2","3"]},"sound":"ding.caf","extra":{"k":{"n":1},"v":true},
         "content-available":true,"interruption_level":"active","relevance_score":0.5,"custom_uri":"app://u",
         "use_webview":false,"notification_group_thread_id":"g","asset_url":"https://a/x.gif","asset_file_type":"gif",
         "category":"own","buttons":[{"action_id":"go","action":"URI","uri":"https://b","use_webview":false},
           {"action_id":"deep","action":"DEEP_LINK","uri":"app://d"}]}}
      """#)
    let root = provider == "ios-apns" ? payload.root : payload["message", "apns", "payload"]
    #expect(
      try FirebaseProfileTests.sorted(#require(root))
        == FirebaseProfileTests.golden(
          #"""
          {"k":{"n":1},"c":2,"v":true,
            "aps":{"alert":{"title":"T","body":"B","title-loc-key":"TK","title-loc-args":["1"],"loc-key":"LK",
              "loc-args":["2","3"],"action-loc-key":"AK"},"badge":3,"sound":"ding.caf","category":"own","thread-id":"g",
              "interruption-level":"active","relevance-score":0.5,"mutable-content":1,"content-available":1},
            "ab":{"c":null,"att":{"url":"https://a/x.gif","type":"gif"},
              "ab_cat":{"go":{"a_t":"ab_uri","a_use_webview":false,"a_uri":"https://b"},
                "deep":{"a_t":"ab_uri","a_uri":"app://d"}}},
            "ab_uri":"app://u","ab_use_webview":false}
          """#))
  }

  @Test("buttons of a default category do what they usually do")
  func defaultCategory() throws {
    let payload = try Self.payload(
      "ios-apns",
      #"{"apple_push":{"alert":"B","category":"ab_cat_yes_no","buttons":[{"action_id":"ab_pb_yes"},{"action_id":"ab_pb_no"}]}}"#
    )
    #expect(payload["ab", "ab_cat", "ab_pb_yes"] == .object(JSONObject([.init(key: "a_t", value: .string("ab_open"))])))
    #expect(payload["ab", "ab_cat", "ab_pb_no"] == .object(JSONObject([.init(key: "a_t", value: .string("ab_none"))])))
    // No sound was named: none is played.
    #expect(payload["aps", "sound"] == nil)
  }

  @Test("the app is only woken: a background push that still is Braze's")
  func background() throws {
    let payload = try Self.payload("ios-apns", #"{"apple_push":{"content-available":true,"extra":{"k":1}}}"#)
    #expect(
      try FirebaseProfileTests.sorted(payload.root)
        == FirebaseProfileTests.golden(#"{"k":1,"aps":{"content-available":1},"ab":{"c":null}}"#))
  }

  @Test("it wins on channels of other profiles too")
  func altcraft() throws {
    let payload = try RenderedPayload(
      "ios-apns",
      Content(
        json: JSONScanner.parse(
          #"{"title":"common","body":"common","apple_push":{"alert":{"title":"T","body":"B"},"custom_uri":"app://u"}}"#)
      ))
    #expect(payload["aps", "alert", "title"] == .string("T"))
    #expect(payload["_click-url"] == .string("app://u"))
  }

  @Test("Android from the common content: strings alone", arguments: ["android-firebase", "android-hms"])
  func android(_ provider: String) throws {
    let payload = try Self.payload(
      provider,
      #"""
      {"title":"T","body":"B","click_url":"https://c/?a=1&b=2","image":"https://i","icon":"https://l","channel_id":"news",
       "category":"promo","badge":0,"data":{"a":1,"b":{"c":"d"}},"apple_push":{"alert":"not here"},
       "buttons":[{"label":"One","link":"https://1"},{"label":"Two \"2\"","link":"app://2","id":"two"},{"label":"3","link":"https://3"}]}
      """#)
    let uid = PayloadTests.uid(payload.batch)
    #expect(
      FirebaseProfileTests.sorted(.object(try payload.data()))
        == (try FirebaseProfileTests.golden(
          #"""
          {"_ab":"true","t":"T","a":"B","uri":"https://c/?a=1&b=2","ab_iu":"https://i","ab_li":"https://l","ab_nc":"news",
            "ab_ct":"promo","ab_bc":"0","sd":"d","br_p_id":"UID","extra":"{\"a\":\"1\",\"b\":\"{\\\"c\\\":\\\"d\\\"}\"}",
            "ab_a0_a":"ab_uri","ab_a0_t":"One","ab_a0_id":"0","ab_a0_uri":"https://1",
            "ab_a1_a":"ab_uri","ab_a1_t":"Two \"2\"","ab_a1_id":"two","ab_a1_uri":"app://2",
            "ab_a2_a":"ab_uri","ab_a2_t":"3","ab_a2_id":"2","ab_a2_uri":"https://3"}
          """#, uid: uid)))
  }

  @Test("without title or body Android's SDK shows nothing, so that is refused by name")
  func refused() throws {
    let error = providerError { _ = try Self.payload("android-firebase", #"{"body":"B"}"#) }
    #expect(
      error?.description
        == "channel 7 (Shop): content.title: is needed, Braze's SDK shows no message without title and body")
  }

  @Test("what the push object says of time ends the launch there, and its apns-expiration")
  func expiry() throws {
    let content = try Content(
      json: JSONScanner.parse(#"{"apple_push":{"alert":"B","expiry":"2025-10-09T09:53:20Z","collapse_id":"c"}}"#))
    let launch = Fixtures.launch(content: content, startedAt: 1_760_000_000_000).prepared(for: .ios)
    #expect(launch.notAfter == EpochMilliseconds(1_760_003_600_000))
    let lines = try Fixtures.apns(launch: launch).headerLines(
      Access(authorization: nil, renewAt: EpochMilliseconds(0), validUntil: EpochMilliseconds(0)))
    #expect(lines.contains("apns-expiration: 1760003600") && lines.contains("apns-collapse-id: c"))
    #expect(Fixtures.launch(content: content).prepared(for: .android).notAfter == nil)
  }
}
