public import Base

/// `launch.content`: what the marketer wrote. Fields marked T are templates over `.Profile`,
/// `.Subscription` and `.Vars`.
public struct Content: Sendable, Equatable {
  public enum Priority: String, Sendable, CaseIterable {
    case high
    case normal
  }

  /// How iOS 15 and later interrupts.
  public enum InterruptionLevel: String, Sendable, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical
  }

  /// A button under the message; label and link are T.
  public struct Button: Sendable, Equatable {
    public var label: String
    public var link: String
    public var id: String?
    public var icon: String?

    public init(label: String, link: String, id: String? = nil, icon: String? = nil) {
      self.label = label
      self.link = link
      self.id = id
      self.icon = icon
    }
  }

  /// T
  public var title: String?
  /// T; iOS only
  public var subtitle: String?
  /// T
  public var body: String?
  public var priority = Priority.high
  /// Milliseconds, 0…2,419,200,000; nil = channel's, then account's.
  public var ttlMilliseconds: Int64?
  /// T, URL
  public var icon: String?
  /// T, URL
  public var image: String?
  /// T, URL
  public var media: String?
  /// T, URL; AppMetrica Android only
  public var banner: String?
  /// T, URL
  public var clickURL: String?
  /// T, URI
  public var deepLink: String?
  /// `#RRGGBB`
  public var imageBackgroundColor: String?
  /// `#AARRGGBB`
  public var iconBackground: String?
  /// `#RRGGBB`
  public var ledColor: String?
  public var vibration = false
  public var soundless = false
  /// A string or `{critical, name, volume}` with `critical` 0 or 1, as APNs takes it; nil = `"default"`.
  public var sound: JSON?
  public var silent = false
  /// 0…999
  public var badge: Int?
  public var buttons: [Button] = []
  /// Custom data: common, then the platform's own, which wins key by key.
  public var data = JSONObject()
  public var platformData: [Platform: JSONObject] = [:]
  public var collapseID: String?
  public var threadID: String?
  public var category: String?
  /// Android's notification channel.
  public var channelID: String?
  public var interruptionLevel: InterruptionLevel?
  /// 0…1, with the customer's own digits.
  public var relevanceScore: JSON?

  public init() {}

  /// Keys of the JSON.
  public static let keys = [
    "title", "subtitle", "body", "priority", "ttl", "icon", "image", "media", "banner", "click_url", "deep_link",
    "image_background_color", "icon_background", "led_color", "vibration", "soundless", "sound", "silent", "badge",
    "buttons", "data", "android", "ios", "web", "collapse_id", "thread_id", "category", "channel_id",
    "interruption_level", "relevance_score",
  ]

  /// Keys that this version does not read yet: refused as such rather than as misspelt.
  private static let laterKeys = ["loc", "notification", "fcm", "apple_push", "locales", "variants"]

  /// Reads `launch.content`. Texts are taken as they are; the renderer parses them.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(json: JSON) throws(CampaignError) {
    let fields = try FieldReader(json, path: "content", keys: Self.keys + Self.laterKeys)
    for key in Self.laterKeys where fields[key] != nil {
      throw CampaignError(field: "content.\(key)", message: "not supported by this version of Salvo")
    }
    title = try fields.text("title")
    subtitle = try fields.text("subtitle")
    body = try fields.text("body")
    priority = try fields.choice("priority", Priority.self) ?? priority
    ttlMilliseconds = try fields.timeToLive("ttl")
    icon = try fields.text("icon")
    image = try fields.text("image")
    media = try fields.text("media")
    banner = try fields.text("banner")
    clickURL = try fields.text("click_url")
    deepLink = try fields.text("deep_link")
    imageBackgroundColor = try fields.color("image_background_color", "#RRGGBB")
    iconBackground = try fields.color("icon_background", "#AARRGGBB")
    ledColor = try fields.color("led_color", "#RRGGBB")
    vibration = try fields.flag("vibration") ?? vibration
    soundless = try fields.flag("soundless") ?? soundless
    sound = try fields.sound("sound")
    silent = try fields.flag("silent") ?? silent
    badge = try fields.whole("badge", 0...999)
    for (index, element) in (try fields.array("buttons", atMost: 3) ?? []).enumerated() {
      buttons.append(try Button(json: element, path: "content.buttons[\(index)]"))
    }
    data = try fields.object("data") ?? data
    for platform in Platform.allCases {
      guard let value = fields[platform.rawValue] else { continue }
      let own = try FieldReader(value, path: "content.\(platform.rawValue)", keys: ["data"])
      platformData[platform] = try own.object("data")
    }
    collapseID = try fields.text("collapse_id", "1 to 64 bytes of text") { (1...64).contains($0.utf8.count) }
    threadID = try fields.text("thread_id")
    category = try fields.text("category")
    channelID = try fields.text("channel_id")
    interruptionLevel = try fields.choice("interruption_level", InterruptionLevel.self)
    if try fields.decimal("relevance_score", 0...1, "0 to 1") != nil { relevanceScore = fields["relevance_score"] }
  }

  /// How long the message may wait for its device, in milliseconds: the content's word, else the channel's, else the
  /// account's; nil = the provider's own default.
  public func timeToLive(channel: ChannelSettings, account: AccountSettings) -> Int64? {
    ttlMilliseconds ?? channel.ttlMilliseconds ?? account.ttlMilliseconds
  }
}

extension Content.Button {
  fileprivate init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: ["label", "link", "id", "icon"])
    label = try fields.required("label", fields.text("label"))
    link = try fields.required("link", fields.text("link"))
    id = try fields.text("id")
    icon = try fields.text("icon")
  }
}

extension FieldReader {
  /// `#` and a hex digit for every letter of the form.
  fileprivate func color(_ key: String, _ form: String) throws(CampaignError) -> String? {
    try text(key, form) { text in
      text.utf8.count == form.utf8.count && text.utf8.first == UInt8(ascii: "#")
        && text.utf8.dropFirst().allSatisfy { Hex.value(of: $0) != nil }
    }
  }

  /// A name, or APNs' dictionary of a critical alert; its flag becomes the number that Apple wants.
  fileprivate func sound(_ key: String) throws(CampaignError) -> JSON? {
    guard let value = self[key] else { return nil }
    if value.string != nil { return value }
    guard value.object != nil else { throw refusal(key, "text or {critical, name, volume}") }
    let fields = try FieldReader(value, path: "\(path).\(key)", keys: ["critical", "name", "volume"])
    var sound = JSONObject()
    if let critical = fields["critical"] {
      let flag = critical.bool.map { $0 ? "1" : "0" } ?? critical.int.map(String.init)
      guard let flag, ["0", "1"].contains(flag) else { throw fields.refusal("critical", "true or false") }
      sound.set("critical", .number(flag))
    }
    sound.set("name", .string(try fields.required("name", fields.text("name"))))
    if try fields.decimal("volume", 0...1, "0 to 1") != nil, let volume = fields["volume"] {
      sound.set("volume", volume)
    }
    return .object(sound)
  }
}
