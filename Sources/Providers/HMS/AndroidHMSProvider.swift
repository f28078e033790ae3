internal import Base
public import Campaign
public import Rendering

/// Android apps by Huawei HMS Push Kit, v1 and v2: up to 1,000 tokens of one payload a request.
public struct AndroidHMSProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "android-hms" }
  /// As `.Provider` says it.
  public var title: String { "Android HMS" }
  /// Android's devices with Huawei's services.
  public var platform: Platform { .android }
  /// All but Firebase's, whose message only FCM takes.
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .braze, .custom] }
  /// The common ones, and which of Huawei's interfaces is spoken and how.
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["token_endpoint", "project_id", "api", "data_form", "target_user_type"])
  }

  /// The customer's own data becomes string members of `message.data` (Braze: of the JSON text `extra` in it). The lane
  /// lists the tokens, so equal payloads are rendered once and may leave the order of their rows.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own; `.content` for what the profile's SDK wouldn't read.
  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    var shape: PayloadShape
    switch channel.profile {
    case .mindbox, .braze:
      let message = try DataMessage(of: channel, launch.content)
      shape = message.shape(
        at: "message.data",
        template: try TemplateText.source(of: channel, for: self) {
          TemplateText.envelope(PackageResources.android_hms_envelope_json, around: message.data)
        })
    case .altcraft, .fcm, .custom:
      shape = PayloadShape(
        template: try TemplateText.source(of: channel, for: self) { PackageResources.android_hms_json },
        customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.published))
    }
    shape.landmarks = HMSLane.landmarks
    (shape.listsTokens, shape.keepsOrder) = (true, false)
    return shape
  }

  /// Up to 1,000 tokens of one payload a request.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, an unreadable credential, and
  ///   without the client id (v1) or project id (v2) of the path; `.content` for a time to live above Huawei's 15 days.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try HMSLane(channel: channel, launch: launch, account: HMSCredential(credential, of: channel))
  }
}
