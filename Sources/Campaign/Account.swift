/// A tenant: owns campaigns, channels and profiles.
public struct Account: Sendable, Equatable {
  public let id: Int64
  public let name: String
  public let settings: AccountSettings

  public init(id: Int64, name: String, settings: AccountSettings) {
    self.id = id
    self.name = name
    self.settings = settings
  }
}

/// `account.settings` (design §10.1).
public struct AccountSettings: Sendable, Equatable {
  /// Default time to live of a message in milliseconds; nil = the provider's own default.
  public var ttlMilliseconds: Int64?
  /// IANA name, `UTC` by default.
  public var timeZone: String
  /// https address under which the tracking links live; nil = no links.
  public var hubURL: String?
  /// References to the link keys, newest first: `file:hub-1.key`.
  public var linkKeys: [CredentialReference]

  public init(
    ttlMilliseconds: Int64? = nil, timeZone: String = "UTC", hubURL: String? = nil,
    linkKeys: [CredentialReference] = []
  ) {
    self.ttlMilliseconds = ttlMilliseconds
    self.timeZone = timeZone
    self.hubURL = hubURL
    self.linkKeys = linkKeys
  }
}
