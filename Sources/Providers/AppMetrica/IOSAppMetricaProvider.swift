internal import Base
public import Campaign
public import Rendering

/// Apple's devices by Yandex AppMetrica's Push API: one request a window, settled when the transfer's status says so.
///
/// The published structure carries both `url` and `deeplink`; the API's iOS form knows `url` alone:
/// `open_action` in the settings chooses.
public struct IOSAppMetricaProvider: Provider {
  public init() {}

  public var name: String { "ios-appmetrica" }
  public var title: String { "iOS AppMetrica" }
  public var platform: Platform { .ios }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["group_id", "id_type", "open_action", "requests_per_day"])
  }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    try AppMetricaForm(
      key: "iOS", idTypes: ["ios_push_token", "appmetrica_device_id", "ios_ifa"],
      builtIn: PackageResources.ios_appmetrica_json,
      unknownToAPI: ",\n              \"deeplink\": \"{{.Deeplink}}\""
    ).shape(of: channel, for: self)
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try AppMetricaLane(channel: channel, access: StaticToken(credential, of: channel, scheme: "OAuth"))
  }
}
