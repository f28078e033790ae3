internal import Base

/// Whom a launch's messages at one channel name instead of devices: `options.targets`. Each is a recipient with profile
/// 0 and its place in the list, from 1 on, as subscription.
public struct TopicTargets: Sendable, Equatable {
  /// The member of the message that takes them: `topic`, or `condition` when one of the channel's is one.
  public let member: String
  private let targets: [LaunchTarget]

  /// Nil when the launch goes to devices there.
  public init?(of launch: Launch, at channel: Channel) {
    targets = launch.options.targets
    let own = targets.filter { $0.channelID == channel.id }
    if own.isEmpty { return nil }
    keys = targets.indices.filter { launch.options.targets[$0].channelID == channel.id }.map {
      RecipientKey(profileID: 0, subscriptionID: Int64($0 + 1))
    }
    let isTopicsOnly = own.allSatisfy { if case .topic = $0.audience { true } else { false } }
    member = isTopicsOnly ? "topic" : "condition"
  }

  /// The recipients that they become when the launch is planned, ascending.
  public let keys: [RecipientKey]

  /// The page with what each target says where a device has its token.
  public func addressing(_ page: RecipientPage) -> RecipientPage {
    var page = page
    for index in page.rows.indices {
      let key = page.rows[index].key
      guard key.profileID == 0, key.subscriptionID > 0, key.subscriptionID <= Int64(targets.count) else { continue }
      let start = page.bytes.count
      page.bytes += Array(text(of: targets[Int(key.subscriptionID - 1)].audience).utf8)
      page.rows[index].token = .init(lower: start, upper: page.bytes.count)
      page.rows[index].state = .active
    }
    return page
  }

  private func text(of audience: LaunchTarget.Audience) -> String {
    switch audience {
    case .topic(let name): member == "topic" ? name : "'\(name)' in topics"
    case .condition(let condition): condition
    }
  }
}
