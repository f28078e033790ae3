import Base
import Campaign
import Providers
import Rendering

/// Launches to try a template with: every number of buttons, nothing at all, and the texts that break payloads.
struct TemplateSamples {
  /// For messages: `with 2 buttons`.
  let name: String
  let content: Content
  /// Whether the texts are the recipient's, so that only the message knows them.
  let isPersonal: Bool

  /// The token of the one recipient.
  static let token = "sample-token"
  /// 2025-10-09T08:53:20Z
  private static let start = EpochMilliseconds(1_760_000_000_000)

  /// Texts, links and two buttons as a marketer writes them.
  static let plain: Content = {
    var content = filled("Autumn sale", "Everything half price until Sunday, in the shops and online")
    content.buttons = buttons(2, "Open the shop")
    return content
  }()

  static let all: [TemplateSamples] = {
    var contents: [(String, Content)] = (0...3).map { count in
      var content = filled("Autumn sale", "Everything half price")
      content.buttons = buttons(count, "Open")
      return ("with \(count) buttons", content)
    }
    contents.append(("with nothing set", Content()))
    var silent = Content()
    silent.silent = true
    silent.soundless = true
    silent.vibration = true
    silent.badge = 0
    silent.ttlMilliseconds = 0
    contents.append(("silent, with a badge and a time to live of 0", silent))
    let extremes = [
      ("a long text", String(repeating: "Ж", count: 5000)),
      ("emoji", "👩‍👩‍👧🏳️‍🌈é\u{301}\u{10FFFF}"),
      ("text from right to left", "مرحبا \u{202E}שלום\u{2069}"),
      ("quotes", "\"'\\\\\" {{.Title}} </script> %s & \u{7F}"),
      ("line ends", "a\r\nb\tc\u{2028}d\u{2029}\u{0}\u{7}\u{1F}"),
    ]
    for (name, text) in extremes {
      var content = filled(text, text)
      content.buttons = buttons(3, text)
      contents.append(("with \(name)", content))
    }
    return contents.flatMap { name, content in
      [false, true].map { TemplateSamples(name: name, content: content, isPersonal: $0) }
    }
  }()

  private static func filled(_ title: String, _ body: String) -> Content {
    var content = Content()
    content.title = title
    content.subtitle = title
    content.body = body
    content.icon = "https://shop.example/icon.png"
    content.image = "https://shop.example/image.png"
    content.clickURL = "https://shop.example/sale?from=push&n=1"
    content.imageBackgroundColor = "#112233"
    content.iconBackground = "#FF112233"
    content.ledColor = "#332211"
    content.badge = 5
    content.ttlMilliseconds = 3_600_000
    return content
  }

  private static func buttons(_ count: Int, _ label: String) -> [Content.Button] {
    (0..<count).map { .init(label: label, link: "https://shop.example/\($0)", id: "b\($0)", icon: nil) }
  }

  static func launch(_ content: Content) -> Launch {
    Launch(
      id: 1, account: Account(id: 1, name: "sample", settings: AccountSettings()), campaignID: 1,
      campaignName: "sample", state: .running, content: content, options: LaunchOptions(), notBefore: nil,
      notAfter: nil, startedAt: start)
  }

  static func channel(of provider: any Provider, profile: PayloadProfile, template: String?) -> Channel {
    var settings = ChannelSettings()
    settings.groupID = 1
    return Channel(
      id: 1, accountID: 1, resourceID: 1, provider: provider.name, name: "sample", isEnabled: true, profile: profile,
      template: template, settings: settings, credential: .file("none"))
  }

  /// The launch, and the recipient it is rendered for.
  var launchAndInput: (launch: Launch, input: RenderInput) {
    var content = content
    var variables = JSONObject()
    func place(_ text: String, _ name: String) -> String {
      variables.set(name, .string(text))
      if isPersonal { return "{{.Vars.\(name)}}" }
      // What looks like an action in a sample is text.
      return text.replacing("{{", with: "{{`{{`}}")
    }
    content.title = content.title.map { place($0, "title") }
    content.subtitle = content.subtitle.map { place($0, "subtitle") }
    content.body = content.body.map { place($0, "body") }
    content.buttons = content.buttons.enumerated().map { index, button in
      Content.Button(
        label: place(button.label, "label\(index)"), link: place(button.link, "link\(index)"), id: button.id,
        icon: button.icon)
    }
    let token = Array(Self.token.utf8)
    let json = Array(JSON.object(variables).text.utf8)
    let tokenRange = ByteRange(lower: 0, upper: token.count)
    let row = Recipient(
      key: RecipientKey(profileID: 1, subscriptionID: 1), state: .active, registeredAt: Self.start, token: tokenRange,
      variables: ByteRange(lower: token.count, upper: token.count + json.count))
    let page = RecipientPage(bytes: token + json, rows: [row])
    return (
      Self.launch(content),
      RenderInput(page: page, tokens: token, messages: [RenderInput.Message(row: 0, token: tokenRange)])
    )
  }
}
