internal import Base
public import Campaign
public import Rendering

/// Apple's devices by Firebase Cloud Messaging, HTTP v1: FCM hands `message.apns` on to APNs.
///
/// A silent launch is a background push, with a template of its own as at Apple's own door. FCM's priority is 10
/// unless a header says otherwise, which is an error for a background push.
public struct IOSFirebaseProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "ios-firebase" }
  /// As `.Provider` says it.
  public var title: String { "iOS Firebase" }
  /// Apple's devices.
  public var platform: Platform { .ios }
  /// Every one there is.
  public var profiles: [PayloadProfile] { [.altcraft, .fcm, .mindbox, .braze, .custom] }
  /// The common ones, the project's id, the app's bundle id, and Mindbox's `content_available`.
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id", "topic", "content_available"]) }

  /// The payload is what APNs is to get, in `message.apns`, the customer's members with the JSON types they have.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own; `.content` for what the profile's SDK wouldn't read.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    let content = launch.content
    switch channel.profile {
    case .fcm: return try FirebaseProfile(channel: channel, launch: launch, platform: platform).shape(for: self)
    case .mindbox, .braze:
      let payload = try ApplePayload(of: channel, content, at: "message.apns.payload")
      return try payload.shape(
        template: try TemplateText.source(of: channel, for: self) {
          RelayedAPNs.template(
            TemplateText.envelope(PackageResources.ios_firebase_envelope_json, around: payload.template),
            topic: channel.settings.topic)
        }, dropEmpty: RelayedAPNs.dropEmpty)
    case .altcraft, .custom:
      return PayloadShape(
        template: try TemplateText.source(of: channel, for: self) {
          RelayedAPNs.template(
            content.silent ? PackageResources.ios_firebase_background_json : PackageResources.ios_firebase_json,
            topic: channel.settings.topic)
        },
        dropEmpty: RelayedAPNs.dropEmpty, customData: RelayedAPNs.customData(reserved: ["google*", "gcm*"]))
    }
  }

  /// One message a request.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, an unreadable credential, and
  ///   without a usable project id; `.content` for topics over a profile that can't address them, and for a collapse id
  ///   that Apple's header can't carry.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    _ = try RelayedAPNs.collapseID(of: launch.content, for: channel)
    return try FCMLane(channel: channel, launch: launch, account: FCMCredential(credential, of: channel))
  }
}
