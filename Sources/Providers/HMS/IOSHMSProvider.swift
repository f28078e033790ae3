internal import Base
public import Campaign
public import Rendering

/// Apple's devices by Huawei HMS Push Kit: Huawei hands `message.apns` on to APNs, for up to 1,000 tokens of one
/// payload a request.
///
/// A silent launch is a background push, with a template of its own as at Apple's own door; priority 10 is an error
/// for it. Huawei's reference knows no header for the push type.
public struct IOSHMSProvider: Provider {
  public init() {}

  public var name: String { "ios-hms" }
  public var title: String { "iOS HMS" }
  public var platform: Platform { .ios }
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["token_endpoint", "project_id", "api", "data_form", "target_user_type", "topic"])
  }

  public func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape {
    let isSilent = launch.content.silent
    let settings = channel.settings
    return PayloadShape(
      template: try TemplateText.source(of: channel, for: self) {
        TemplateText.replacing(
          #""target_user_type": 1"#, with: #""target_user_type": \#(settings.targetUserType ?? 1)"#,
          in: RelayedAPNs.template(
            isSilent ? PackageResources.ios_hms_background_json : PackageResources.ios_hms_json,
            topic: settings.topic))
      },
      landmarks: HMSLane.landmarks, dropEmpty: RelayedAPNs.dropEmpty, customData: RelayedAPNs.customData(),
      listsTokens: true, keepsOrder: false)
  }

  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    _ = try RelayedAPNs.collapseID(of: launch.content, for: channel)
    return try HMSLane(channel: channel, launch: launch, account: HMSCredential(credential, of: channel))
  }
}
