internal import Base
public import Campaign
public import Rendering

/// Browsers by Firebase Cloud Messaging, HTTP v1: one message a request. There is no published structure for them, so
/// they have Firebase's own profile, or a template of the channel's.
public struct WebFirebaseProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "web-firebase" }
  /// As `.Provider` says it.
  public var title: String { "Web Firebase" }
  /// Browsers.
  public var platform: Platform { .web }
  /// Firebase's own and the channel's own: none else is published for browsers.
  public var profiles: [PayloadProfile] { [.fcm, .custom] }
  /// The common ones and the project's id, where it isn't the credential's.
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id"]) }

  /// The customer's own data becomes members of `message.data`, all of them strings, as FCM wants it; its reserved
  /// names are refused.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    if channel.profile == .fcm {
      return try FirebaseProfile(channel: channel, launch: launch, platform: platform).shape(for: self)
    }
    return PayloadShape(
      template: try TemplateText.source(of: channel, for: self) { PackageResources.firebase_json },
      customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.firebase))
  }

  /// One message a request.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, an unreadable credential, and
  ///   without a usable project id; `.content` for topics over a profile that can't address them.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try FCMLane(channel: channel, launch: launch, account: FCMCredential(credential, of: channel))
  }
}
