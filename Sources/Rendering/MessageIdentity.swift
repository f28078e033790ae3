internal import Campaign

/// What makes the ids of one launch at one channel.
struct MessageIdentity: Sendable {
  private let account: Int64
  private let campaign: Int64
  private let resource: Int64
  private let channel: Int64
  private let milliseconds: Int64
  /// The first payload's; each edition's payload is a group of its own.
  private let group: Int64
  /// One id names every message.
  let isGroup: Bool

  init(launch: Launch, channel: Channel, group: Int64) {
    account = launch.account.id
    campaign = launch.campaignID
    resource = channel.resourceID
    self.channel = channel.id
    milliseconds = launch.startMilliseconds
    self.group = group
    isGroup = launch.options.tracking == .group
  }

  func append(_ key: RecipientKey, edition: Int = 0, to out: inout [UInt8]) {
    MessageID.append(
      kind: isGroup ? .unique : .full, account: account, campaign: campaign, resource: resource, channel: channel,
      profile: isGroup ? 0 : key.profileID, subscription: isGroup ? 0 : key.subscriptionID,
      milliseconds: milliseconds, group: isGroup ? group + Int64(edition) : 0, to: &out)
  }
}
