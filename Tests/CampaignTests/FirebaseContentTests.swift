import Base
import Campaign
import Testing

@Suite("content.fcm: what Firebase's message takes, field by field")
struct FirebaseContentTests {
  @Test(
    "what Firebase would answer with a 400 is one line here",
    arguments: [
      (#"{"fcm":[]}"#, "content.fcm: an object, not an array"),
      (#"{"fcm":{"ios":{}}}"#, "content.fcm.ios: no such key"),
      (
        #"{"fcm":{"android":{"notification":{"clickAction":"x"}}}}"#,
        "content.fcm.android.notification.clickAction: no such key; did you mean click_action?"
      ),
      (
        ##"{"fcm":{"android":{"notification":{"color":"#7e55c3ff"}}}}"##,
        ##"content.fcm.android.notification.color: #RRGGBB, not the text "#7e55c3ff""##
      ),
      (
        #"{"fcm":{"android":{"ttl":"1h"}}}"#,
        #"content.fcm.android.ttl: seconds, 0 to 2419200, as 3600 or "3600s", not the text "1h""#
      ),
      (
        #"{"fcm":{"android":{"ttl":2419201}}}"#,
        #"content.fcm.android.ttl: seconds, 0 to 2419200, as 3600 or "3600s", not 2419201"#
      ),
      (
        #"{"fcm":{"android":{"notification":{"title_loc_args":["a"]}}}}"#,
        "content.fcm.android.notification.title_loc_args: needs title_loc_key beside it"
      ),
      (
        #"{"fcm":{"android":{"notification":{"light_settings":{"color":{"red":1}}}}}}"#,
        "content.fcm.android.notification.light_settings.light_on_duration: is missing; light settings need color, light_on_duration and light_off_duration"
      ),
      (
        #"{"fcm":{"android":{"notification":{"notification_priority":"HIGH"}}}}"#,
        #"content.fcm.android.notification.notification_priority: PRIORITY_UNSPECIFIED or PRIORITY_MIN or PRIORITY_LOW or PRIORITY_DEFAULT or PRIORITY_HIGH or PRIORITY_MAX, not the text "HIGH""#
      ),
      (
        #"{"fcm":{"apns":{"fcm_options":{"image":"https://foo.bar/pizza"}}}}"#,
        "content.fcm.apns.fcm_options.image: Apple's devices need a file extension at the end, as in /picture.png"
      ),
      (
        #"{"fcm":{"fcm_options":{"analytics_label":"два слова"}}}"#,
        "content.fcm.fcm_options.analytics_label: 1 to 50 of the characters a-z A-Z 0-9 - _ . ~ %"
      ),
    ])
  func refused(_ text: String, _ message: String) throws {
    #expect(try refusal(text, Content.init(json:)) == message)
  }

  @Test("numbers become what the wire wants: durations and strings in maps")
  func normalized() throws {
    let content = try Content(
      json: JSONScanner.parse(
        #"""
        {"fcm":{"android":{"ttl":3.5,"data":{"n":9007199254740993,"t":true,"o":{"a":1},"s":""},
          "notification":{"vibrate_timings":[0,"1.5s"]}},"webpush":{"headers":{"TTL":60}}}}
        """#))
    #expect(
      content.firebase.map { JSON.object($0).text }
        == #"{"android":{"ttl":"3.5s","data":{"n":"9007199254740993","t":"true","o":"{\"a\":1}","s":""},"#
        + #""notification":{"vibrate_timings":["0s","1.5s"]}},"webpush":{"headers":{"TTL":"60"}}}"#)
  }

  @Test("what Firebase takes and a browser doesn't is a warning")
  func warnings() throws {
    let content = try Content(
      json: JSONScanner.parse(
        #"{"fcm":{"webpush":{"headers":{"image":"https://foo.bar/p.png"},"fcm_options":{"link":"breakingnews.html"}}}}"#
      ))
    #expect(
      content.warnings == [
        "content.fcm.webpush.headers.image: no header of web push; a browser shows webpush.notification.image",
        "content.fcm.webpush.fcm_options.link: a browser opens https addresses only, this one is relative to its page",
      ])
    #expect(
      try Content(json: JSONScanner.parse(#"{"fcm":{"webpush":{"fcm_options":{"link":"https://a/"}}}}"#)).warnings == []
    )
  }
}
