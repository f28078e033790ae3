internal import Base
public import Campaign
public import Rendering

/// Android apps by Yandex AppMetrica's Push API: one request a window, settled when the transfer's status says so.
///
/// The published structure carries both `url` and `deeplink`; the API's Android form knows `deeplink` alone:
/// `open_action` in the settings chooses.
public struct AndroidAppMetricaProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "android-appmetrica" }
  /// As `.Provider` says it.
  public var title: String { "Android AppMetrica" }
  /// Android's devices.
  public var platform: Platform { .android }
  /// The published one and the channel's own.
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  /// The common ones, the group and its device ids, the form of `open_action`, and the day's requests.
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["group_id", "id_type", "open_action", "requests_per_day"])
  }

  /// The customer's own data becomes strings in the JSON text `content.data`. The lane lists the device ids, so equal
  /// payloads are rendered once.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own, and for an id type of the other platform; `.content` for a template that numbers transfers itself.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    try AppMetricaForm(
      key: "android",
      idTypes: ["google_aid", "appmetrica_device_id", "android_push_token", "huawei_push_token", "huawei_oaid"],
      builtIn: PackageResources.android_appmetrica_json, unknownToAPI: "\"url\": \"{{.URL}}\","
    ).shape(of: channel, for: self)
  }

  /// Up to 5,000 messages a request, settled later.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, without `group_id`, and for a
  ///   credential that isn't one word.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try AppMetricaLane(channel: channel, access: StaticToken(credential, of: channel, scheme: "OAuth"))
  }
}
