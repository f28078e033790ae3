public import Base

/// One sending of a campaign, as its row says when the run begins.
public struct Launch: Sendable {
  /// Its id.
  public let id: Int64
  /// Whose it is.
  public let account: Account
  /// The campaign's id.
  public let campaignID: Int64
  /// The campaign's name.
  public let campaignName: String
  /// As the row says.
  public let state: LaunchState
  /// What is sent.
  public internal(set) var content: Content
  /// How it is sent.
  public let options: LaunchOptions
  /// When it becomes due.
  public let notBefore: EpochMilliseconds?
  /// From when on it is worthless.
  public internal(set) var notAfter: EpochMilliseconds?
  /// When it was first planned; fixed then, and with it every id, link and absolute expiry of the launch.
  public let startedAt: EpochMilliseconds?
  /// From when a time to live counts: the start or, for whom the launch waits by their own clock, when it is due there.
  public internal(set) var liveFrom: EpochMilliseconds?

  /// The values as the rows hold them. A time to live counts from `startedAt`; `living(from:)` says otherwise.
  public init(
    id: Int64, account: Account, campaignID: Int64, campaignName: String, state: LaunchState, content: Content,
    options: LaunchOptions, notBefore: EpochMilliseconds?, notAfter: EpochMilliseconds?,
    startedAt: EpochMilliseconds?
  ) {
    self.id = id
    self.account = account
    self.campaignID = campaignID
    self.campaignName = campaignName
    self.state = state
    self.content = content
    self.options = options
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.startedAt = startedAt
    liveFrom = startedAt
  }

  /// The launch for recipients to whom it is due then, later than at its start.
  public func living(from due: EpochMilliseconds) -> Launch {
    var launch = self
    launch.liveFrom = due
    return launch
  }
}

extension Launch {
  /// The launch as each of its editions' recipients get it, in the order of `content.editions`; itself when it has but
  /// one.
  public var editions: [Launch] {
    content.editions.isEmpty
      ? [self]
      : content.editions.map { edition in
        var launch = self
        launch.content = edition.content
        return launch
      }
  }
}

/// `launch.state`: draft → scheduled → planning → running ⇄ paused → finished; also cancelled, missed,
/// needs_decision, failed. Changed by compare-and-set only.
public enum LaunchState: String, Sendable, CaseIterable {
  case draft, scheduled, planning, running, paused, finished, cancelled, missed, failed
  case needsDecision = "needs_decision"
}
