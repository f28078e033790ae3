/// One app at one provider.
public struct Channel: Sendable, Equatable {
  /// Its id.
  public let id: Int64
  /// The account's id.
  public let accountID: Int64
  /// The platform's number of the app.
  public let resourceID: Int64
  /// `android-firebase`, `ios-apns` …
  public let provider: String
  /// For people.
  public let name: String
  /// Whether it may be sent over.
  public let isEnabled: Bool
  /// Whose app reads its payloads.
  public let profile: PayloadProfile
  /// The channel's own template; nil = the profile's built-in one.
  public let template: String?
  /// `channel.settings`
  public let settings: ChannelSettings
  /// Where its secret lies.
  public let credential: CredentialReference

  /// The values as the row holds them.
  public init(
    id: Int64, accountID: Int64, resourceID: Int64, provider: String, name: String, isEnabled: Bool,
    profile: PayloadProfile, template: String?, settings: ChannelSettings, credential: CredentialReference
  ) {
    self.id = id
    self.accountID = accountID
    self.resourceID = resourceID
    self.provider = provider
    self.name = name
    self.isEnabled = isEnabled
    self.profile = profile
    self.template = template
    self.settings = settings
    self.credential = credential
  }
}

/// Whose app SDK must understand the payload.
public enum PayloadProfile: String, Sendable, CaseIterable {
  case altcraft, fcm, mindbox, braze, custom
}

/// The system of the device.
public enum Platform: String, Sendable, CaseIterable {
  case android
  case ios
  case web
}
