internal import Base
public import Campaign
public import Rendering

/// Yandex AppMetrica Push API: one request a window, settled when the transfer's status says so.
///
/// The published structure carries both `url` and `deeplink`; the API's Android form knows `deeplink` alone:
/// `open_action` in the settings chooses.
public struct AppMetricaProvider: Provider {
  public init() {}

  public var name: String { "android-appmetrica" }
  public var title: String { "Android AppMetrica" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["group_id", "id_type", "open_action", "requests_per_day"])
  }

  /// What `devices[].id_type` may be beside an `android` message; an iOS type would fail the whole transfer.
  static let idTypes = ["google_aid", "appmetrica_device_id", "android_push_token", "huawei_push_token", "huawei_oaid"]

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    let idType = channel.settings.idType ?? "google_aid"
    guard Self.idTypes.contains(idType) else {
      throw ProviderError(
        .configuration, "\(channel.label): id_type must be one of \(Self.idTypes.joined(separator: ", "))")
    }
    var template = try TemplateText.source(of: channel, for: self) { PackageResources.android_appmetrica_json }
    if channel.template == nil {
      var text = TemplateText.replacing("\"google_aid\"", with: "\"\(idType)\"", in: template.text)
      if channel.settings.openAction == "api" {
        text = TemplateText.replacing("\"url\": \"{{.URL}}\",", with: "", in: text)
      }
      template = TemplateSource(name: template.name, text: text)
    } else if template.text.contains(Array("client_transfer_id".utf8)) {
      throw ProviderError(
        .content, "\(template.name): client_transfer_id is the window's own number, take it out of the template")
    }
    return PayloadShape(
      template: template, landmarks: AppMetricaLane.landmarks,
      dropEmpty: [
        "push_batch_request.batch[].messages.android.content.*",
        "push_batch_request.batch[].messages.android.open_action.*",
      ],
      customData: CustomDataPlace(
        path: "push_batch_request.batch[].messages.android.content.data{}", form: .strings,
        reserved: ["hub_link", "icon", "media"]),
      listsTokens: true)
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try AppMetricaLane(channel: channel, access: AppMetricaCredential(credential, of: channel))
  }
}
