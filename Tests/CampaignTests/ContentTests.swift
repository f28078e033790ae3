import Base
import Campaign
import Testing

@Suite("Content of a launch")
struct ContentTests {
  private func content(_ text: String) throws -> Content { try Content(json: JSONScanner.parse(text)) }

  @Test("nothing given: the defaults of the design")
  func defaults() throws {
    for text in [
      "{}", #"{"title":null,"badge":null,"ttl":null,"sound":null,"buttons":null,"android":null,"locales":null}"#,
    ] {
      let content = try content(text)
      #expect(content == Content())
      #expect(content.title == nil)
      #expect(content.priority == nil && content.isUrgent)
      #expect(content.ttlMilliseconds == nil)
      #expect(!content.vibration && !content.soundless && !content.silent)
      #expect(content.badge == nil)
      #expect(content.sound == nil)
      #expect(content.buttons.isEmpty && content.data.isEmpty && content.platformData.isEmpty)
    }
  }

  @Test("every key lands in its field")
  func everything() throws {
    let content = try content(
      #"""
      {"title":"Hi {{.Profile.name}}","subtitle":"s","body":"b","priority":"normal","ttl":3600,"icon":"https://i/1",
       "image":"https://i/2","media":"https://i/3","banner":"https://i/4","click_url":"https://c","deep_link":"app://d",
       "image_background_color":"#00aaFF","icon_background":"#8000AAFF","led_color":"#FFFFFF","vibration":true,
       "soundless":true,"sound":"ding.caf","silent":true,"badge":5,
       "buttons":[{"label":"A","link":"https://a","id":"1","icon":"https://x"},{"label":"B","link":"app://b"}],
       "data":{"n":129.90,"t":true},"android":{"data":{"a":1}},"ios":{"data":{}},"web":{"data":{"w":[]}},
       "collapse_id":"c1","thread_id":"t1","category":"k","channel_id":"news","interruption_level":"time-sensitive",
       "relevance_score":0.50}
      """#)
    #expect(content.title == "Hi {{.Profile.name}}")
    #expect(content.subtitle == "s")
    #expect(content.body == "b")
    #expect(content.priority == .normal && !content.isUrgent)
    #expect(content.ttlMilliseconds == 3_600_000)
    #expect(content.icon == "https://i/1")
    #expect(content.image == "https://i/2")
    #expect(content.media == "https://i/3")
    #expect(content.banner == "https://i/4")
    #expect(content.clickURL == "https://c")
    #expect(content.deepLink == "app://d")
    #expect(content.imageBackgroundColor == "#00aaFF")
    #expect(content.iconBackground == "#8000AAFF")
    #expect(content.ledColor == "#FFFFFF")
    #expect(content.vibration && content.soundless && content.silent)
    #expect(content.sound == .string("ding.caf"))
    #expect(content.badge == 5)
    #expect(
      content.buttons == [
        .init(label: "A", link: "https://a", id: "1", icon: "https://x"), .init(label: "B", link: "app://b"),
      ])
    // C06: the customer's own digits.
    #expect(JSON.object(content.data).text == #"{"n":129.90,"t":true}"#)
    #expect(content.platformData[.android] == JSONObject([.init(key: "a", value: .number("1"))]))
    #expect(content.platformData[.ios] == JSONObject())
    #expect(content.platformData[.web] == JSONObject([.init(key: "w", value: .array([]))]))
    #expect(content.collapseID == "c1")
    #expect(content.threadID == "t1")
    #expect(content.category == "k")
    #expect(content.channelID == "news")
    #expect(content.interruptionLevel == .timeSensitive)
    #expect(content.relevanceScore == .number("0.50"))
  }

  @Test("C11: badge 0 and 5 are numbers, null is nothing; -1, 1000, 5.5 and text are refused")
  func badge() throws {
    #expect(try content(#"{"badge":null}"#).badge == nil)
    #expect(try content(#"{"badge":0}"#).badge == 0)
    #expect(try content(#"{"badge":5}"#).badge == 5)
    #expect(try content(#"{"badge":999}"#).badge == 999)
    let cases = [
      ("-1", "content.badge: 0 to 999, not -1"), ("1000", "content.badge: 0 to 999, not 1000"),
      (#""5""#, #"content.badge: a whole number, 0 to 999, not the text "5""#),
      ("5.5", "content.badge: a whole number, 0 to 999, not 5.5"),
      ("true", "content.badge: a whole number, 0 to 999, not true"),
      ("99999999999999999999", "content.badge: a whole number, 0 to 999, not 99999999999999999999"),
    ]
    for (value, message) in cases {
      #expect(try refusal(#"{"badge":\#(value)}"#, Content.init(json:)) == message)
    }
  }

  @Test("C12: seconds from 0 to four weeks, decimals to milliseconds")
  func ttl() throws {
    let taken: [(String, Int64)] = [
      ("0", 0), ("3600", 3_600_000), ("2419200", 2_419_200_000), ("3.5", 3_500), ("0.0015", 2), ("1e3", 1_000_000),
      ("-0", 0),
    ]
    for (value, milliseconds) in taken {
      #expect(try content(#"{"ttl":\#(value)}"#).ttlMilliseconds == milliseconds)
    }
    for value in ["2419201", "-1", "2419200.001", "-0.001", "1e400", "1e18"] {
      #expect(
        try refusal(#"{"ttl":\#(value)}"#, Content.init(json:)) == "content.ttl: 0 to 2419200 seconds, not \(value)")
    }
    #expect(
      try refusal(#"{"ttl":"3600"}"#, Content.init(json:))
        == #"content.ttl: 0 to 2419200 seconds, not the text "3600""#)
  }

  @Test("the time to live: the content's word, else the channel's, else the account's, 0 being a word")
  func effectiveTTL() {
    var content = Content()
    var channel = ChannelSettings()
    #expect(content.timeToLive(channel: channel, account: AccountSettings()) == nil)
    let account = AccountSettings(ttlMilliseconds: 3000)
    #expect(content.timeToLive(channel: channel, account: account) == 3000)
    channel.ttlMilliseconds = 2000
    #expect(content.timeToLive(channel: channel, account: account) == 2000)
    content.ttlMilliseconds = 0
    #expect(content.timeToLive(channel: channel, account: account) == 0)
  }

  @Test("a critical alert's dictionary gets Apple's number for its flag")
  func sound() throws {
    #expect(
      try content(#"{"sound":{"volume":0.70,"critical":true,"name":"alarm.caf"}}"#).sound?.text
        == #"{"critical":1,"name":"alarm.caf","volume":0.70}"#)
    #expect(try content(#"{"sound":{"name":"a","critical":0}}"#).sound?.text == #"{"critical":0,"name":"a"}"#)
    #expect(try content(#"{"sound":""}"#).sound == .string(""))
    let cases = [
      ("5", "content.sound: text or {critical, name, volume}, not 5"),
      (#"{"critical":1}"#, "content.sound.name: is missing"),
      (#"{"name":"a","volume":1.1}"#, "content.sound.volume: 0 to 1, not 1.1"),
      (#"{"name":"a","critical":2}"#, "content.sound.critical: true or false, not 2"),
      (#"{"name":"a","loud":1}"#, "content.sound.loud: no such key"),
    ]
    for (value, message) in cases {
      #expect(try refusal(#"{"sound":\#(value)}"#, Content.init(json:)) == message)
    }
  }

  @Test(
    "what is wrong is named, with what is allowed",
    arguments: [
      ("[]", "content: an object, not an array"),
      (#"{"titel":"x"}"#, "content.titel: no such key; did you mean title?"),
      (#"{"Badge":1}"#, "content.Badge: no such key; did you mean badge?"),
      (#"{"zzzzzzzz":1}"#, "content.zzzzzzzz: no such key"),
      (#"{"a\nb":1}"#, #"content.a\nb: no such key"#),
      (#"{"title":5}"#, "content.title: text, not 5"),
      (#"{"body":{}}"#, "content.body: text, not an object"),
      (#"{"priority":"HIGH"}"#, #"content.priority: high or normal, not the text "HIGH""#),
      (#"{"vibration":"true"}"#, #"content.vibration: true or false, not the text "true""#),
      (#"{"silent":1}"#, "content.silent: true or false, not 1"),
      (##"{"led_color":"#FFF"}"##, ##"content.led_color: #RRGGBB, not the text "#FFF""##),
      (#"{"led_color":"FFFFFF0"}"#, #"content.led_color: #RRGGBB, not the text "FFFFFF0""#),
      (
        ##"{"image_background_color":"#GGGGGG"}"##,
        ##"content.image_background_color: #RRGGBB, not the text "#GGGGGG""##
      ),
      (##"{"icon_background":"#FFFFFF"}"##, ##"content.icon_background: #AARRGGBB, not the text "#FFFFFF""##),
      (#"{"buttons":{}}"#, "content.buttons: an array, not an object"),
      (#"{"buttons":[1,2,3,4]}"#, "content.buttons: 3 at most, not 4"),
      (#"{"buttons":[{"label":"A","link":"l"},{"label":"B"}]}"#, "content.buttons[1].link: is missing"),
      (#"{"buttons":[{"label":"A","url":"l"}]}"#, "content.buttons[0].url: no such key"),
      (#"{"data":[]}"#, "content.data: an object, not an array"),
      (#"{"android":{"dato":{}}}"#, "content.android.dato: no such key; did you mean data?"),
      (#"{"ios":{"data":"x"}}"#, #"content.ios.data: an object, not the text "x""#),
      (#"{"collapse_id":""}"#, #"content.collapse_id: 1 to 64 bytes of text, not the text """#),
      (
        #"{"interruption_level":"loud"}"#,
        #"content.interruption_level: passive or active or time-sensitive or critical, not the text "loud""#
      ),
      (#"{"relevance_score":2}"#, "content.relevance_score: 0 to 1, not 2"),
      (#"{"payload":5}"#, "content.payload: text or an object, not 5"),
      (#"{"loc":{"title_loc_args":["x"]}}"#, "content.loc.title_loc_args: needs title_loc_key beside it"),
      (#"{"loc":{"loc_key":"K","loc_args":[1]}}"#, "content.loc.loc_args: an array of texts, not an array"),
      (#"{"notification":{}}"#, "content.notification: true or false, not an object"),
    ])
  func refused(text: String, message: String) throws {
    #expect(try refusal(text, Content.init(json:)) == message)
  }

  @Test("collapse ids are counted in bytes")
  func collapseID() throws {
    #expect(try content(#"{"collapse_id":"\#(String(repeating: "я", count: 32))"}"#).collapseID?.utf8.count == 64)
    #expect(
      try refusal(#"{"collapse_id":"\#(String(repeating: "я", count: 33))"}"#, Content.init(json:))
        == "content.collapse_id: 1 to 64 bytes of text, not text")
  }
}
