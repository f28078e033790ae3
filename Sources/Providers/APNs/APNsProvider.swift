internal import Base
public import Campaign
public import Rendering

/// Apple Push Notification service over HTTP/2: one message a request, the token in the path.
///
/// A silent launch is a background push. Apple wants its `aps` to hold `content-available` and nothing that shows, so
/// it has a template of its own with the same members beside `aps`.
public struct APNsProvider: Provider {
  public init() {}

  public var name: String { "ios-apns" }
  public var title: String { "iOS APNS" }
  public var platform: Platform { .ios }
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .braze, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["topic", "environment", "team_id", "key_id", "auth", "content_available"])
  }

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

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try APNsLane(channel: channel, launch: launch, credential: credential)
  }
}
