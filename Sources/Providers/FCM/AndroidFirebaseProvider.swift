internal import Base
public import Campaign
public import Rendering

/// Android apps by Firebase Cloud Messaging, HTTP v1: one message a request.
///
/// The reserved names are the union of three wordings of the documentation: `from`, `message_type` and everything
/// that begins with `google` or `gcm`.
public struct AndroidFirebaseProvider: Provider {
  public init() {}

  public var name: String { "android-firebase" }
  public var title: String { "Android Firebase" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id"]) }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    PayloadShape(
      template: try TemplateText.source(of: channel, for: self) { PackageResources.android_firebase_json },
      customData: CustomDataPlace(
        path: "message.android.data", form: .strings,
        reserved: ["from", "message_type", "google*", "gcm*"] + ReservedNames.published))
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try FCMLane(channel: channel, launch: launch, account: FCMCredential(credential, of: channel))
  }
}
