import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Variables of a launch")
struct VariableTests {
  private func value(_ name: String, _ change: (inout Bench) -> Void = { _ in }) throws -> JSON? {
    var bench = Bench(#"{"v":{{.\#(name)}}}"#)
    change(&bench)
    return try bench.json()["v"]
  }

  @Test(
    "texts that the content does not give are empty",
    arguments: [
      "Title", "SubTitle", "Body", "Text", "Icon", "Image", "Banner", "Media", "ClickURL", "URL", "Deeplink",
      "ImageBackgroundColor", "IconBackground", "LEDColor", "URLOpenEvent", "URLDelivEvent",
    ])
  func emptyTexts(name: String) throws {
    #expect(try value(name) == .string(""))
  }

  @Test(
    "values that the content does not give are nothing",
    arguments: [
      "TTL", "TTLSeconds", "ExpiresAt", "Expiration", "Badge", "Data", "GroupID", "collapse_id", "thread_id",
      "category", "channel_id", "interruption_level", "relevance_score",
    ])
  func nothing(name: String) throws {
    #expect(try value(name) == nil)
  }

  @Test(
    "every text has its own field",
    arguments: [
      ("Title", "title"), ("SubTitle", "subtitle"), ("Body", "body"), ("Text", "body"), ("Icon", "icon"),
      ("Image", "image"), ("Banner", "banner"), ("Media", "media"), ("ImageBackgroundColor", "#112233"),
      ("IconBackground", "#AA112233"), ("LEDColor", "#332211"), ("collapse_id", "c"), ("thread_id", "t"),
      ("category", "k"), ("channel_id", "n"), ("interruption_level", "time-sensitive"),
    ])
  func fields(name: String, text: String) throws {
    #expect(
      try value(name) {
        $0.content.title = "title"
        $0.content.subtitle = "subtitle"
        $0.content.body = "body"
        $0.content.icon = "icon"
        $0.content.image = "image"
        $0.content.banner = "banner"
        $0.content.media = "media"
        $0.content.imageBackgroundColor = "#112233"
        $0.content.iconBackground = "#AA112233"
        $0.content.ledColor = "#332211"
        $0.content.collapseID = "c"
        $0.content.threadID = "t"
        $0.content.category = "k"
        $0.content.channelID = "n"
        $0.content.interruptionLevel = .timeSensitive
      } == .string(text))
  }

  @Test("the image stands in for banner and media")
  func imageStandsIn() throws {
    #expect(try value("Banner") { $0.content.image = "i" } == .string("i"))
    #expect(try value("Media") { $0.content.image = "i" } == .string("i"))
  }

  @Test(
    "click URL and deep link",
    arguments: [
      ("https://a.example/x", nil, "https://a.example/x", "https://a.example/x", ""),
      ("HTTP://a.example/x", nil, "HTTP://a.example/x", "HTTP://a.example/x", ""),
      ("shop://sale", nil, "shop://sale", "", "shop://sale"),
      ("httpx://sale", nil, "httpx://sale", "", "httpx://sale"),
      ("https://a.example/x", "shop://sale", "shop://sale", "https://a.example/x", "shop://sale"),
      (nil, "shop://sale", "shop://sale", "", "shop://sale"),
      ("shop://a", "shop://b", "shop://b", "", "shop://b"),
      (nil, nil, "", "", ""),
    ] as [(String?, String?, String, String, String)])
  func links(click: String?, deep: String?, clickURL: String, url: String, deeplink: String) throws {
    var bench = Bench(#"{"c":"{{.ClickURL}}","u":"{{.URL}}","d":"{{.Deeplink}}"}"#)
    bench.content.clickURL = click
    bench.content.deepLink = deep
    let expected = JSON.object(
      JSONObject([
        .init(key: "c", value: .string(clickURL)), .init(key: "u", value: .string(url)),
        .init(key: "d", value: .string(deeplink)),
      ]))
    #expect(try bench.json() == expected)
    // The same when only the message knows the addresses.
    bench.content.clickURL = click.map { _ in "{{.Vars.click}}" }
    bench.content.deepLink = deep.map { _ in "{{.Vars.deep}}" }
    bench.recipients = [.init(variables: #"{"click":"\#(click ?? "")","deep":"\#(deep ?? "")"}"#)]
    #expect(try bench.json() == expected)
  }

  @Test("flags, priority, sound, group, tag, score, launch and provider")
  func others() throws {
    #expect(try value("Vibration") { $0.content.vibration = true } == .bool(true))
    #expect(try value("Soundless") { $0.content.soundless = true } == .bool(true))
    #expect(try value("Silent") { $0.content.silent = true } == .bool(true))
    #expect(try value("Priority") == .string("HIGH"))
    #expect(try value("Priority") { $0.content.priority = .normal } == .string("NORMAL"))
    #expect(try value("Sound") == .string("default"))
    #expect(try value("Sound") { $0.content.sound = .string("ding.caf") } == .string("ding.caf"))
    #expect(
      try value("Sound") {
        $0.content.sound = .string("ding.caf")
        $0.content.soundless = true
      } == .string(""))
    let critical = JSON.object(
      JSONObject([.init(key: "critical", value: .number("1")), .init(key: "volume", value: .number("0.50"))]))
    #expect(try value("Sound") { $0.content.sound = critical } == critical)
    #expect(try value("GroupID") { $0.settings.groupID = 97737 } == .number("97737"))
    #expect(try value("Tag") == .string("campaign-2"))
    #expect(try value("Tag") { $0.options.tag = "autumn" } == .string("autumn"))
    #expect(try value("relevance_score") { $0.content.relevanceScore = .number("0.70") } == .number("0.70"))
    #expect(try value("Provider") == .string("Android Firebase"))
    #expect(
      try value("LaunchID") == .string(LaunchTag.text(account: 1, campaign: 2, milliseconds: Bench.start)))
    #expect(try value("SubscriptionID") == .string("token-1"))
  }
}
