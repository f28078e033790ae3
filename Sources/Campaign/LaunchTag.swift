internal import Base

/// The id of one launch (`_launch_id`): `accountID_campaignID_` and the launch's start in milliseconds as base58.
public struct LaunchTag: Sendable, Equatable {
  /// The account's id.
  public let account: Int64
  /// The campaign's id.
  public let campaign: Int64
  /// The launch's start, since 1970.
  public let milliseconds: Int64

  /// - Parameter milliseconds: the launch's start, since 1970.
  public init(account: Int64, campaign: Int64, milliseconds: Int64) {
    self.account = account
    self.campaign = campaign
    self.milliseconds = milliseconds
  }

  /// `accountID_campaignID_` and the milliseconds in base 58.
  public static func text(account: Int64, campaign: Int64, milliseconds: Int64) -> String {
    var bytes = Array("\(account)_\(campaign)_".utf8)
    Base58.append(UInt64(bitPattern: milliseconds), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a launch id.
  /// - Throws: `CampaignError` when it is none.
  public static func decode(_ text: String) throws(CampaignError) -> LaunchTag {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let account = Int64(parts[0]), let campaign = Int64(parts[1]),
      let milliseconds = Base58.decodeNumber(parts[2].utf8)
    else { throw CampaignError(field: "launch id", message: "ACCOUNT_CAMPAIGN_ and a time in base58 are expected") }
    return LaunchTag(account: account, campaign: campaign, milliseconds: Int64(bitPattern: milliseconds))
  }
}
