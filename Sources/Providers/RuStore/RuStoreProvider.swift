internal import Base
public import Campaign
public import Rendering

/// RuStore's push service for Android apps: FCM's path and message, one message a request.
///
/// The published structure carries a priority that RuStore's reference doesn't know: `priority_field` in the settings
/// leaves it out.
public struct RuStoreProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "android-rustore" }
  /// As `.Provider` says it.
  public var title: String { "Android RuStore" }
  /// Android's devices with RuStore.
  public var platform: Platform { .android }
  /// The published one, Mindbox's, and the channel's own.
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .custom] }
  /// The common ones, the project's id, and whether the published priority is sent.
  public var settingKeys: Set<String> { CommonSettings.keys.union(["project_id", "priority_field"]) }

  /// The customer's own data becomes string members of `message.data`.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own; `.content` for what Mindbox's SDK wouldn't read.
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

  /// One message a request.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, without `project_id`, and for a
  ///   credential that isn't one word.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try RuStoreLane(channel: channel, access: StaticToken(credential, of: channel, scheme: "Bearer"))
  }
}
