internal import Base
public import Campaign
public import Rendering

/// Browsers by Firebase Cloud Messaging, HTTP v1: one message a request. There is no published structure for them, so
/// they have Firebase's own profile, or a template of the channel's.
public struct WebFirebaseProvider: Provider {
  public init() {}

  public var name: String { "web-firebase" }
  public var title: String { "Web Firebase" }
  public var platform: Platform { .web }
  public var profiles: [PayloadProfile] { [.fcm, .custom] }
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id"]) }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    if channel.profile == .fcm {
      return try FirebaseProfile(channel: channel, launch: launch, platform: platform).shape(for: self)
    }
    return PayloadShape(
      template: try TemplateText.source(of: channel, for: self) { PackageResources.firebase_json },
      customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.firebase))
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try FCMLane(channel: channel, launch: launch, account: FCMCredential(credential, of: channel))
  }
}
