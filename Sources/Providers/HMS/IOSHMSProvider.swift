internal import Base
public import Campaign
public import Rendering

/// Apple's devices by Huawei HMS Push Kit: Huawei hands `message.apns` on to APNs, for up to 1,000 tokens of one
/// payload a request.
///
/// A silent launch is a background push, with a template of its own as at Apple's own door; priority 10 is an error
/// for it. Huawei's reference knows no header for the push type.
public struct IOSHMSProvider: Provider {
  /// Keeps nothing of a channel: `Registry` has the one there is.
  public init() {}

  /// As in `channel.provider`.
  public var name: String { "ios-hms" }
  /// As `.Provider` says it.
  public var title: String { "iOS HMS" }
  /// Apple's devices.
  public var platform: Platform { .ios }
  /// The published one and the channel's own.
  public var profiles: [PayloadProfile] { [.altcraft, .custom] }
  /// Those of Huawei for Android, and the app's bundle id.
  public var settingKeys: Set<String> {
    CommonSettings.keys.union(["token_endpoint", "project_id", "api", "data_form", "target_user_type", "topic"])
  }

  /// The payload is what APNs is to get, in `message.apns`. The lane lists the tokens, so equal payloads are rendered
  /// once and may leave the order of their rows.
  /// - Throws: `ProviderError` `.configuration` for another profile, or `custom` without a template of the channel's
  ///   own.
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

  /// Up to 1,000 tokens of one payload a request.
  /// - Throws: `ProviderError` `.configuration` for a setting that means nothing here, an unreadable credential, and
  ///   without the client id (v1) or project id (v2) of the path; `.content` for a time to live above Huawei's 15 days,
  ///   and for a collapse id that Apple's header can't carry.
  public func lane(
    of channel: Channel, launch: Launch, credential: [UInt8]
  ) throws(ProviderError) -> any ProviderLane {
    try refuseForeignSettings(of: channel)
    _ = try RelayedAPNs.collapseID(of: launch.content, for: channel)
    return try HMSLane(channel: channel, launch: launch, account: HMSCredential(credential, of: channel))
  }
}
