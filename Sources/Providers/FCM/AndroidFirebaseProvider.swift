internal import Base
public import Campaign
public import Rendering

/// Android apps by Firebase Cloud Messaging, HTTP v1: one message a request.
public struct AndroidFirebaseProvider: Provider {
  public init() {}

  public var name: String { "android-firebase" }
  public var title: String { "Android Firebase" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .fcm, .mindbox, .braze, .custom] }
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id"]) }

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

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try FCMLane(channel: channel, launch: launch, account: FCMCredential(credential, of: channel))
  }
}
