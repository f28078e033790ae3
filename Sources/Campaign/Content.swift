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

  /// T
  public var title: String?
  /// T; iOS only
  public var subtitle: String?
  /// T
  public var body: String?
  /// Nil = `high`; Firebase's own profile says nothing then.
  public var priority: Priority?
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
  public var localization: Localization?
  /// Mindbox: the text that the app gets beside the message, T; or an object, whose texts are T, sent as text.
  public var payload: JSON?
  /// T; Mindbox: the message's key, where Mindbox itself gave one out.
  public var uniqueKey: String?
  /// Firebase's profile: whether there is a `notification` that all platforms show.
  public var hasNotification = true
  /// Firebase's profile: what is laid over the message, block by block, checked.
  public var firebase: JSONObject?
  public var applePush: ApplePush?
  /// Variants to choose from by the profile, in the order written.
  public var variants: [Variant] = []
  /// Every form the content has, its own first; empty when it has one.
  public var editions: [Edition] = []
  /// The app is woken beside the message that is shown.
  public var isContentAvailable = false
  /// The app's extension may change the message before it is shown.
  public var isMutableContent = false

  public init() {}

  /// Keys of the JSON.
  public static let keys = shownKeys + steeringKeys + ["locales", "variants"]

  /// Keys that an edition, a locale's or a variant's, may have of its own: what is shown.
  static let shownKeys = [
    "title", "subtitle", "body", "icon", "image", "media", "banner", "click_url", "deep_link",
    "image_background_color", "icon_background", "led_color", "sound", "badge", "buttons", "data", "android", "ios",
    "web", "channel_id", "category", "loc", "payload", "unique_key", "fcm", "apple_push",
  ]

  /// Keys that hold for all editions: what requests are made of, and when they end.
  private static let steeringKeys = [
    "priority", "ttl", "vibration", "soundless", "silent", "collapse_id", "thread_id", "interruption_level",
    "relevance_score", "notification",
  ]

  /// Reads `launch.content`. Texts are taken as they are; the renderer parses them.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(json: JSON) throws(CampaignError) {
    try self.init(json: json, path: "content")
    try readEditions(json)
  }

  /// - Parameter path: what messages call it; keys for editions are known and left alone.
  init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: Self.keys)
    title = try fields.text("title")
    subtitle = try fields.text("subtitle")
    body = try fields.text("body")
    priority = try fields.choice("priority", Priority.self)
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
      buttons.append(try Button(json: element, path: "\(path).buttons[\(index)]"))
    }
    data = try fields.object("data") ?? data
    for platform in Platform.allCases {
      guard let value = fields[platform.rawValue] else { continue }
      let own = try FieldReader(value, path: "\(path).\(platform.rawValue)", keys: ["data"])
      platformData[platform] = try own.object("data")
    }
    collapseID = try fields.text("collapse_id", "1 to 64 bytes of text") { (1...64).contains($0.utf8.count) }
    threadID = try fields.text("thread_id")
    category = try fields.text("category")
    channelID = try fields.text("channel_id")
    interruptionLevel = try fields.choice("interruption_level", InterruptionLevel.self)
    if try fields.decimal("relevance_score", 0...1, "0 to 1") != nil { relevanceScore = fields["relevance_score"] }
    if let value = fields["loc"] {
      localization = try Localization(FieldReader(value, path: "\(path).loc", keys: Localization.keys))
    }
    if let value = fields["payload"] {
      guard value.string != nil || value.object != nil else { throw fields.refusal("payload", "text or an object") }
      payload = value
    }
    uniqueKey = try fields.text("unique_key")
    hasNotification = try fields.flag("notification") ?? hasNotification
    if let value = fields["fcm"] { firebase = try FirebaseContent.read(value, path: "\(path).fcm") }
    if let value = fields["apple_push"] { applePush = try ApplePush(json: value, path: "\(path).apple_push") }
  }

  /// Whether it is to be shown at once: `priority` `high`.
  public var isUrgent: Bool { priority ?? .high == .high }

  /// For people: what is sent as it is and may not do what was meant.
  public var warnings: [String] {
    (firebase.map { FirebaseContent.warnings(of: $0, path: "content.fcm") } ?? []) + linkWarnings
  }

  /// Milliseconds: four weeks, the longest any provider keeps a message.
  public static let longestTimeToLive: Int64 = 2_419_200_000

  /// How long the message may wait for its device, in milliseconds: the content's word, else the channel's, else the
  /// account's; nil = the provider's own default.
  public func timeToLive(channel: ChannelSettings, account: AccountSettings) -> Int64? {
    ttlMilliseconds ?? channel.ttlMilliseconds ?? account.ttlMilliseconds
  }
}

extension FieldReader {
  fileprivate func color(_ key: String, _ form: String) throws(CampaignError) -> String? {
    try text(key, form) { Self.isColor($0, form: form) }
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
