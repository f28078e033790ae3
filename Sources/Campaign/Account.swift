public import Base

/// A tenant: owns campaigns, channels and profiles.
public struct Account: Sendable, Equatable {
  /// Its id.
  public let id: Int64
  /// For people.
  public let name: String
  /// `account.settings`
  public let settings: AccountSettings

  /// The values as the row holds them.
  public init(id: Int64, name: String, settings: AccountSettings) {
    self.id = id
    self.name = name
    self.settings = settings
  }
}

/// `account.settings`.
public struct AccountSettings: Sendable, Equatable {
  /// Default time to live of a message in milliseconds; nil = the provider's own default.
  public var ttlMilliseconds: Int64?
  /// IANA name, `UTC` by default.
  public var timeZone: String
  /// https address under which the tracking links live; nil = no links.
  public var hubURL: String?
  /// References to the link keys, newest first: `file:hub-1.key`.
  public var linkKeys: [CredentialReference]

  /// The defaults of an empty `account.settings`. Nothing is checked: `init(json:)` does that.
  public init(
    ttlMilliseconds: Int64? = nil, timeZone: String = "UTC", hubURL: String? = nil,
    linkKeys: [CredentialReference] = []
  ) {
    self.ttlMilliseconds = ttlMilliseconds
    self.timeZone = timeZone
    self.hubURL = hubURL
    self.linkKeys = linkKeys
  }

  /// Keys of the JSON.
  public static let keys = ["ttl", "time_zone", "hub_url", "link_keys"]

  /// Reads `account.settings`.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(json: JSON) throws(CampaignError) {
    let fields = try FieldReader(json, path: "settings", keys: Self.keys)
    ttlMilliseconds = try fields.timeToLive("ttl")
    timeZone = try fields.timeZone("time_zone") ?? "UTC"
    hubURL = try fields.hubURL("hub_url")
    linkKeys = []
    for (index, element) in (try fields.array("link_keys", atMost: 100) ?? []).enumerated() {
      guard let text = element.string, let reference = CredentialReference(text) else {
        throw CampaignError(field: "settings.link_keys[\(index)]", message: "file:NAME or env:NAME is expected")
      }
      linkKeys.append(reference)
    }
  }
}

extension FieldReader {
  /// The address under which tracking links live.
  func hubURL(_ key: String) throws(CampaignError) -> String? {
    try text(key, "an https URL without a query, as https://hub.example/p") { WebAddress($0) != nil }
  }

  /// The shape of an IANA name; whether there is such a zone the database knows.
  func timeZone(_ key: String) throws(CampaignError) -> String? {
    try text(key, "an IANA name, as Europe/Berlin") { name in
      (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "/_+-".utf8.contains(byte)
        }
    }
  }
}
