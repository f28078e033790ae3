internal import Base
public import Campaign
public import Rendering

/// Android apps by Firebase Cloud Messaging, HTTP v1: one message a request.
public struct AndroidFirebaseProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "android-firebase" }
  /// As `.Provider` says it.
  public var title: String { "Android Firebase" }
  /// Android's devices with Google's services.
  public var platform: Platform { .android }
  /// Every one there is.
  public var profiles: [PayloadProfile] { [.altcraft, .fcm, .mindbox, .braze, .custom] }
  /// The common ones and the project's id, where it isn't the credential's.
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id"]) }

  /// The customer's own data becomes members of `message.android.data` (Braze: of the JSON text `extra` in it), all of
  /// them strings, as FCM wants it; its reserved names are refused.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own; `.content` for what the profile's SDK wouldn't read.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    switch channel.profile {
    case .fcm: return try FirebaseProfile(channel: channel, launch: launch, platform: platform).shape(for: self)
    case .mindbox, .braze:
      let message = try DataMessage(of: channel, launch.content)
      return message.shape(
        at: Self.data.description, reserved: ReservedNames.firebase,
        template: try TemplateText.source(of: channel, for: self) {
          TemplateText.envelope(PackageResources.android_firebase_envelope_json, around: message.data)
        })
    case .altcraft, .custom:
      return PayloadShape(
        template: try TemplateText.source(of: channel, for: self) { PackageResources.android_firebase_json },
        customData: CustomDataPlace(
          path: Self.data, form: .strings, reserved: ReservedNames.firebase + ReservedNames.published))
    }
  }

  private static let data: JSONPath = "message.android.data"

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
