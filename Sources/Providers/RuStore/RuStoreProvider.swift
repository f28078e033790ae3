internal import Base
public import Campaign
public import Rendering

/// RuStore's push service for Android apps: FCM's path and message, one message a request.
///
/// The published structure carries a priority that RuStore's reference doesn't know: `priority_field` in the settings
/// leaves it out.
public struct RuStoreProvider: Provider {
  public init() {}

  public var name: String { "android-rustore" }
  public var title: String { "Android RuStore" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .custom] }
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id", "priority_field"]) }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    if channel.profile == .mindbox {
      let message = try DataMessage(of: channel, launch.content)
      return message.shape(
        at: "message.data",
        template: try TemplateText.source(of: channel, for: self) {
          TemplateText.envelope(PackageResources.android_rustore_envelope_json, around: message.data)
        })
    }
    return PayloadShape(
      template: try TemplateText.source(of: channel, for: self) {
        let text = PackageResources.android_rustore_json
        return channel.settings.priorityField ?? true
          ? text : TemplateText.replacing(#""priority": "HIGH","#, with: "", in: text)
      },
      customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.published))
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try RuStoreLane(channel: channel, access: StaticToken(credential, of: channel, scheme: "Bearer"))
  }
}
