public import Base

/// `content.apple_push`: Braze's Apple push object, taken as it is. On channels for Apple's devices it wins over the
/// common content, whatever their payload profile. Texts are T.
public struct ApplePush: Sendable, Equatable {
  /// A button of the notification's category.
  public struct Button: Sendable, Equatable {
    /// What a button does.
    public enum Action: String, Sendable, CaseIterable {
      case openApp = "OPEN_APP"
      case uri = "URI"
      case deepLink = "DEEP_LINK"
      case close = "CLOSE"
    }

    /// `action_id`: what the app is told when it is pressed.
    public var id: String
    /// What it does; with one of Braze's own categories what Braze has it do, unless the button says otherwise.
    public var action: Action
    /// T; nil unless the action is `uri` or `deepLink`.
    public var uri: String?
    /// Whether a web address opens inside the app.
    public var usesWebView: Bool
  }

  /// Members of the JSON.
  public static let keys = [
    "badge", "alert", "sound", "extra", "content-available", "interruption_level", "relevance_score", "expiry",
    "custom_uri", "use_webview", "message_variation_id", "notification_group_thread_id", "asset_url",
    "asset_file_type", "collapse_id", "mutable_content", "send_to_most_recent_device_only", "category", "buttons",
  ]
  static let alertKeys = [
    "body", "title", "title_loc_key", "title_loc_args", "action_loc_key", "loc_key", "loc_args",
  ]
  static let buttonKeys = ["action_id", "action", "uri", "use_webview"]
  static let assetTypes = ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"]

  /// The buttons of Braze's own categories, each with what it does unless it says otherwise.
  static let defaultCategories: [String: [String: Button.Action]] = [
    "ab_cat_accept_decline": ["ab_pb_accept": .openApp, "ab_pb_decline": .close],
    "ab_cat_yes_no": ["ab_pb_yes": .openApp, "ab_pb_no": .close],
    "ab_cat_confirm_cancel": ["ab_pb_confirm": .openApp, "ab_pb_cancel": .close],
    "ab_cat_more": ["ab_pb_more": .openApp],
  ]

  /// `badge`, 0…999.
  public var badge: Int?
  /// T
  public var title: String?
  /// T
  public var body: String?
  /// `title_loc_key`, `loc_key` and `action_loc_key` of `alert` with their arguments; nil when it has none of them.
  public var localization: Localization?
  /// `sound`: the name of a file in the app, or `default`.
  public var sound: String?
  /// `extra`: members beside `aps`, values of any type.
  public var extra: JSONObject?
  /// `content-available`: the app is woken in the background. Only then may the body be missing.
  public var isContentAvailable = false
  /// `interruption_level`
  public var interruptionLevel: Content.InterruptionLevel?
  /// 0…1, with the customer's own digits.
  public var relevanceScore: JSON?
  /// `expiry`: when APNs stops trying, from a text in ISO 8601, UTC where it names no zone.
  public var expiry: EpochMilliseconds?
  /// T
  public var customURI: String?
  /// `use_webview`: whether `customURI` opens inside the app.
  public var usesWebView = true
  /// Kept with the results as their variant.
  public var messageVariationID: String?
  /// `notification_group_thread_id`: messages with the same one are shown as a group.
  public var threadID: String?
  /// T
  public var assetURL: String?
  /// `asset_file_type`: one of `aif`, `gif`, `jpg`, `m4a`, `mp3`, `mp4`, `png`, `wav`; there with `assetURL` alone.
  public var assetFileType: String?
  /// `collapse_id`, 1 to 64 bytes: a later message with the same one replaces this one on the device.
  public var collapseID: String?
  /// `mutable_content`: the app's extension may change the message before it is shown.
  public var isMutableContent = false
  /// `send_to_most_recent_device_only`: of a profile's subscriptions at a provider only the one seen last.
  public var isForMostRecentDeviceOnly = false
  /// `category`: which set of buttons is shown; needed with `buttons`.
  public var category: String?
  /// `buttons`, four at most.
  public var buttons: [Button] = []

  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: Self.keys)
    badge = try fields.whole("badge", 0...999)
    isContentAvailable = try fields.flag("content-available") ?? false
    if let alert = fields["alert"] { try read(alert: alert, path: "\(path).alert") }
    if body == nil, localization?.bodyKey == nil, !isContentAvailable {
      throw CampaignError(field: "\(path).alert", message: "a body is needed unless content-available is true")
    }
    sound = try fields.text("sound")
    extra = try fields.object("extra")
    interruptionLevel = try fields.choice("interruption_level", Content.InterruptionLevel.self)
    if try fields.decimal("relevance_score", 0...1, "0 to 1") != nil { relevanceScore = fields["relevance_score"] }
    if let text = try fields.text("expiry") {
      guard let moment = EpochMilliseconds(iso8601: text) else {
        throw fields.refusal("expiry", "a time in ISO 8601, as 2026-12-24T18:00:00+01:00")
      }
      expiry = moment
    }
    customURI = try fields.text("custom_uri")
    usesWebView = try fields.flag("use_webview") ?? true
    messageVariationID = try fields.text("message_variation_id")
    threadID = try fields.text("notification_group_thread_id")
    assetURL = try fields.text("asset_url", "a URL") { !$0.isEmpty }
    assetFileType = try fields.choice("asset_file_type", of: Self.assetTypes)
    if assetURL != nil, assetFileType == nil {
      throw CampaignError(
        field: "\(path).asset_file_type",
        message: "is needed with asset_url: \(Self.assetTypes.joined(separator: ", "))")
    }
    if assetURL == nil, assetFileType != nil {
      throw CampaignError(field: "\(path).asset_url", message: "is needed with asset_file_type")
    }
    collapseID = try fields.text("collapse_id", "1 to 64 bytes of text") { (1...64).contains($0.utf8.count) }
    isMutableContent = try fields.flag("mutable_content") ?? false
    isForMostRecentDeviceOnly = try fields.flag("send_to_most_recent_device_only") ?? false
    category = try fields.text("category")
    for (index, element) in (try fields.array("buttons", atMost: 4) ?? []).enumerated() {
      buttons.append(try Button(json: element, path: "\(path).buttons[\(index)]", category: category))
    }
    if !buttons.isEmpty, category == nil {
      throw CampaignError(field: "\(path).category", message: "is needed with buttons: it is what shows them")
    }
  }

  /// A text, or an object of them.
  private mutating func read(alert: JSON, path: String) throws(CampaignError) {
    if let text = alert.string {
      body = text
      return
    }
    let fields = try FieldReader(alert, path: path, keys: Self.alertKeys)
    title = try fields.text("title")
    body = try fields.text("body")
    let found = try Localization(fields)
    if found != Localization() { localization = found }
  }
}

extension ApplePush.Button {
  fileprivate init(json: JSON, path: String, category: String?) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: ApplePush.buttonKeys)
    id = try fields.required("action_id", fields.text("action_id", "text that is not empty") { !$0.isEmpty })
    uri = try fields.text("uri")
    usesWebView = try fields.flag("use_webview") ?? true
    if let known = ApplePush.defaultCategories[category ?? ""] {
      guard let usual = known[id] else {
        throw fields.refusal("action_id", known.keys.sorted().joined(separator: " or ") + " in \(category ?? "")")
      }
      action = try fields.choice("action", Action.self) ?? usual
    } else {
      // A category of the app's own: Braze knows no usual action of its buttons.
      let word = try fields.required("action", fields.choice("action", of: ["URI", "DEEP_LINK"]))
      action = word == "URI" ? .uri : .deepLink
    }
    switch action {
    case .uri, .deepLink:
      guard uri?.isEmpty == false else {
        throw CampaignError(field: "\(path).uri", message: "is needed with the action \(action.rawValue)")
      }
    case .openApp, .close:
      if uri != nil {
        throw CampaignError(field: "\(path).uri", message: "means nothing with the action \(action.rawValue)")
      }
    }
  }
}
