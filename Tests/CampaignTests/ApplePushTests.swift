import Base
import Campaign
import Testing

/// The rules of Braze's published Apple push object.
@Suite("content.apple_push")
struct ApplePushTests {
  @Test("every field of the published object lands")
  func everything() throws {
    let content = try Content(
      json: JSONScanner.parse(
        #"""
        {"apple_push":{"badge":3,"alert":{"body":"B","title":"T","title_loc_key":"TK","title_loc_args":["1"],
          "action_loc_key":"AK","loc_key":"LK","loc_args":["2","3"]},"sound":"default","extra":{"k":{"n":1}},
          "content-available":true,"interruption_level":"time-sensitive","relevance_score":0.5,
          "expiry":"2025-10-09T11:53:20+03:00","custom_uri":"https://u","message_variation_id":"v1",
          "notification_group_thread_id":"g","asset_url":"https://a/x","asset_file_type":"gif","collapse_id":"c",
          "mutable_content":false,"send_to_most_recent_device_only":true,"category":"ab_cat_yes_no",
          "buttons":[{"action_id":"ab_pb_yes"},{"action_id":"ab_pb_no"}]}}
        """#))
    let push = try #require(content.applePush)
    #expect(push.badge == 3 && push.title == "T" && push.body == "B" && push.sound == "default")
    #expect(push.localization?.titleKey == "TK" && push.localization?.titleArguments == ["1"])
    #expect(push.localization?.bodyKey == "LK" && push.localization?.bodyArguments == ["2", "3"])
    #expect(push.localization?.actionKey == "AK")
    #expect(push.extra.map { JSON.object($0).text } == #"{"k":{"n":1}}"#)
    #expect(push.isContentAvailable && push.isForMostRecentDeviceOnly && !push.isMutableContent)
    #expect(push.interruptionLevel == .timeSensitive && push.relevanceScore == .number("0.5"))
    #expect(push.expiry == EpochMilliseconds(1_760_000_000_000))
    #expect(push.customURI == "https://u" && push.messageVariationID == "v1" && push.threadID == "g")
    #expect(push.assetURL == "https://a/x" && push.assetFileType == "gif" && push.collapseID == "c")
    #expect(push.buttons.map(\.action) == [.openApp, .close])
    // A picture needs the app's extension, whatever is said of it.
    #expect(content.forApple.isMutableContent)
  }

  @Test("the alert may be a text alone, or missing when the app is only woken")
  func alert() throws {
    #expect(try Content(json: JSONScanner.parse(#"{"apple_push":{"alert":"B"}}"#)).applePush?.body == "B")
    let silent = try Content(json: JSONScanner.parse(#"{"apple_push":{"content-available":true}}"#))
    #expect(silent.forApple.silent)
  }

  @Test(
    "what is wrong is named",
    arguments: [
      (#"{}"#, "content.apple_push.alert: a body is needed unless content-available is true"),
      (#"{"alert":{"title":"T"}}"#, "content.apple_push.alert: a body is needed unless content-available is true"),
      (#"{"alert":"B","Badge":1}"#, "content.apple_push.Badge: no such key; did you mean badge?"),
      (#"{"alert":"B","badge":-1}"#, "content.apple_push.badge: 0 to 999, not -1"),
      (
        #"{"alert":"B","asset_url":"https://a"}"#,
        "content.apple_push.asset_file_type: is needed with asset_url: aif, gif, jpg, m4a, mp3, mp4, png, wav"
      ),
      (
        #"{"alert":"B","asset_url":"https://a","asset_file_type":"webp"}"#,
        #"content.apple_push.asset_file_type: aif or gif or jpg or m4a or mp3 or mp4 or png or wav, not the text "webp""#
      ),
      (
        #"{"alert":"B","expiry":"tomorrow"}"#,
        #"content.apple_push.expiry: a time in ISO 8601, as 2026-12-24T18:00:00+01:00, not the text "tomorrow""#
      ),
      (
        #"{"alert":"B","category":"own","buttons":[{"action_id":"x"}]}"#,
        "content.apple_push.buttons[0].action: is missing"
      ),
      (
        #"{"alert":"B","category":"own","buttons":[{"action_id":"x","action":"OPEN_APP"}]}"#,
        #"content.apple_push.buttons[0].action: URI or DEEP_LINK, not the text "OPEN_APP""#
      ),
      (
        #"{"alert":"B","category":"own","buttons":[{"action_id":"x","action":"URI"}]}"#,
        "content.apple_push.buttons[0].uri: is needed with the action URI"
      ),
      (
        #"{"alert":"B","category":"ab_cat_more","buttons":[{"action_id":"ab_pb_yes"}]}"#,
        #"content.apple_push.buttons[0].action_id: ab_pb_more in ab_cat_more, not the text "ab_pb_yes""#
      ),
      (
        #"{"alert":"B","category":"ab_cat_more","buttons":[{"action":"CLOSE"}]}"#,
        "content.apple_push.buttons[0].action_id: is missing"
      ),
      (
        #"{"alert":"B","buttons":[{"action_id":"x","action":"URI","uri":"u"}]}"#,
        "content.apple_push.category: is needed with buttons: it is what shows them"
      ),
    ])
  func refused(_ push: String, _ message: String) throws {
    #expect(try refusal(#"{"apple_push":\#(push)}"#, Content.init(json:)) == message)
  }
}
