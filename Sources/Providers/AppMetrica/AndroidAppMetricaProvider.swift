internal import Base
public import Campaign
public import Rendering

/// Android apps by Yandex AppMetrica's Push API: one request a window, settled when the transfer's status says so.
///
/// The published structure carries both `url` and `deeplink`; the API's Android form knows `deeplink` alone:
/// `open_action` in the settings chooses.
public struct AndroidAppMetricaProvider: Provider {
  public init() {}

  public var name: String { "android-appmetrica" }
  public var title: String { "Android AppMetrica" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["group_id", "id_type", "open_action", "requests_per_day"])
  }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    try AppMetricaForm(
      key: "android",
      idTypes: ["google_aid", "appmetrica_device_id", "android_push_token", "huawei_push_token", "huawei_oaid"],
      builtIn: PackageResources.android_appmetrica_json, unknownToAPI: "\"url\": \"{{.URL}}\","
    ).shape(of: channel, for: self)
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try AppMetricaLane(channel: channel, access: StaticToken(credential, of: channel, scheme: "OAuth"))
  }
}
