public import Base

/// `launch.content` (design §10.4): what the marketer wrote. Fields marked T are templates over `.Profile`,
/// `.Subscription` and `.Vars`.
public struct Content: Sendable, Equatable {
  public enum Priority: String, Sendable { case high, normal }

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
  /// A string or `{critical, name, volume}`; nil = `"default"`.
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

  public init() {}
}
