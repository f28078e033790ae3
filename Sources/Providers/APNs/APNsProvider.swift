internal import Base
public import Campaign
public import Rendering

/// Apple Push Notification service over HTTP/2: one message a request, the token in the path.
///
/// A silent launch is a background push. Apple wants its `aps` to hold `content-available` and nothing that shows, so
/// it has a template of its own with the same members beside `aps`.
public struct APNsProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "ios-apns" }
  /// As `.Provider` says it.
  public var title: String { "iOS APNS" }
  /// Apple's devices.
  public var platform: Platform { .ios }
  /// All but Firebase's, whose message only FCM takes.
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .braze, .custom] }
  /// The common ones, the app and the team at Apple, and Mindbox's `content_available`.
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["topic", "environment", "team_id", "key_id", "auth", "content_available"])
  }

  /// The payload is `aps` with the customer's own members beside it, their JSON types kept; `aps` is no name for them.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own; `.content` for what the profile's SDK wouldn't read.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    let content = launch.content
    switch channel.profile {
    case .mindbox, .braze:
      let payload = try ApplePayload(of: channel, content, at: "")
      return try payload.shape(
        template: try TemplateText.source(of: channel, for: self) { payload.template }, dropEmpty: ["aps.alert.*"])
    case .altcraft, .fcm, .custom:
      return PayloadShape(
        template: try TemplateText.source(of: channel, for: self) {
          content.silent ? PackageResources.ios_apns_background_json : PackageResources.ios_apns_json
        },
        dropEmpty: ["aps.alert.*"],
        customData: CustomDataPlace(path: "", form: .native, reserved: ["aps"] + ReservedNames.published))
    }
  }

  /// One message a request, the token in the path.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, without `topic`, and for a key
  ///   or certificate that can't be read; `.content` for a collapse id that Apple's header can't carry.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try APNsLane(channel: channel, launch: launch, credential: credential)
  }
}
