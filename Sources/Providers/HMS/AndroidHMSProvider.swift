internal import Base
public import Campaign
public import Rendering

/// Android apps by Huawei HMS Push Kit, v1 and v2: up to 1,000 tokens of one payload a request.
public struct AndroidHMSProvider: Provider {
  public init() {}

  public var name: String { "android-hms" }
  public var title: String { "Android HMS" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .mindbox, .braze, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["token_endpoint", "project_id", "api", "data_form", "target_user_type"])
  }

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

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try HMSLane(channel: channel, launch: launch, account: HMSCredential(credential, of: channel))
  }
}
