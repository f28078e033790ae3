internal import Base
public import Campaign
public import Rendering

/// Android apps by Huawei HMS Push Kit, v1 and v2: up to 1,000 tokens of one payload a request.
public struct AndroidHMSProvider: Provider {
  public init() {}

  public var name: String { "android-hms" }
  public var title: String { "Android HMS" }
  public var platform: Platform { .android }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["token_endpoint", "project_id", "api", "data_form", "target_user_type"])
  }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    PayloadShape(
      template: try TemplateText.source(of: channel, for: self) { PackageResources.android_hms_json },
      landmarks: HMSLane.landmarks,
      customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.published),
      listsTokens: true)
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    return try HMSLane(channel: channel, launch: launch, account: HMSCredential(credential, of: channel))
  }
}
