public import Base
public import Campaign

/// Where a launch stands at one moment, all of it from rows.
public struct LaunchStatus: Sendable {
  /// Seconds that a rate looks back.
  public static let rateSpan = 60.0

  /// The launch's id.
  public var id: Int64
  /// As the launch's row says.
  public var state: LaunchState
  /// The name of its campaign.
  public var campaignName: String
  /// When it becomes due; nil: at once.
  public var notBefore: EpochMilliseconds?
  /// When it was planned.
  public var startedAt: EpochMilliseconds?
  /// When its count balanced, or when it ended otherwise.
  public var finishedAt: EpochMilliseconds?
  /// When it was read, by the database's clock.
  public var at: EpochMilliseconds
  /// By channel, ascending; none before it is planned.
  public var lanes: [Lane]
  /// By name.
  public var runners: [Runner]

  /// One lane: its line of `launch_progress` and what its other rows say.
  public struct Lane: Sendable {
    /// Its line of `launch_progress`.
    public var progress: LaneProgress
    /// Its row of `lane`.
    public var record: LaneRecord
    /// Messages that got their outcome in the last minute, in windows that were closed then.
    public var recent: Int64
    /// Seconds that `recent` took: since the first of those windows was opened, 60 at most.
    public var recentSeconds: Double
    /// When the lane's first window was opened and its last one closed.
    public var firstOpenedAt: EpochMilliseconds?
    /// When its last window was closed.
    public var lastClosedAt: EpochMilliseconds?
    /// Windows whose messages are being sent, and how many messages those are.
    public var openWindows: Int64
    /// How many messages those are.
    public var openMessages: Int64
    /// Age of the oldest of them in seconds.
    public var oldestOpenSeconds: Double?
    /// Messages that a provider took and has not settled yet (AppMetrica).
    public var awaited: Int64
    /// What isn't `sent`, by reason, most frequent first.
    public var reasons: [ReasonCount] = []
  }

  /// Who holds chunks of the launch.
  public struct Runner: Sendable {
    /// `host/pid/random`, as it names itself.
    public var owner: String
    /// How many chunks it holds.
    public var chunks: Int64
    /// Until the first of its leases ends; negative when it is over and others may take the chunk.
    public var leaseSeconds: Double
  }

  /// Gives each lane its own reasons, in their order.
  public mutating func set(_ reasons: [ReasonCount]) {
    for index in lanes.indices {
      lanes[index].reasons = reasons.filter { $0.channelID == lanes[index].progress.channelID }
    }
  }

  /// What isn't `sent`, of all lanes.
  public var reasons: [ReasonCount] { lanes.flatMap(\.reasons) }

  /// Whether nobody is to send it any more, as far as the launch itself says.
  public var isOver: Bool {
    switch state {
    case .finished, .cancelled, .missed, .failed, .needsDecision: true
    case .draft, .scheduled, .planning, .running, .paused: false
    }
  }

  /// The sums of all lanes, with channel 0.
  public var total: LaneProgress {
    lanes.reduce(into: LaneProgress.zero) { $0.add($1.progress) }
  }

  /// Messages a second over the last minute, all lanes together; 0 when none got its outcome.
  public var rate: Double { lanes.reduce(0) { $0 + $1.rate } }

  /// Seconds until the last lane is through at its present rate; nil when nothing remains, or when a lane that has
  /// something left makes no progress.
  public var secondsLeft: Double? {
    let unfinished = lanes.filter { $0.progress.remaining > 0 }
    let left = unfinished.compactMap(\.secondsLeft)
    return left.count == unfinished.count ? left.max() : nil
  }

  /// From the first window's opening to the last one's closing; nil before there is one of each.
  public var sendingSeconds: Double? {
    guard let first = lanes.compactMap(\.firstOpenedAt).min(), let last = lanes.compactMap(\.lastClosedAt).max()
    else { return nil }
    return Double(last.value - first.value) / 1000
  }
}

extension LaunchStatus.Lane {
  /// Messages a second over the last minute.
  public var rate: Double { recentSeconds > 0 ? Double(recent) / recentSeconds : 0 }

  /// Seconds until nothing remains at this rate; nil when nothing remains or the rate is 0.
  public var secondsLeft: Double? {
    progress.remaining > 0 && rate > 0 ? Double(progress.remaining) / rate : nil
  }
}

/// How many messages of a lane ended so, for one reason.
public struct ReasonCount: Sendable, Equatable {
  /// Whose messages they are.
  public var channelID: Int64
  /// What became of them.
  public var outcome: Outcome
  /// Empty when none was written.
  public var reason: String
  /// How many.
  public var messages: Int64

  /// - Parameter reason: empty when none was written.
  public init(channelID: Int64, outcome: Outcome, reason: String, messages: Int64) {
    self.channelID = channelID
    self.outcome = outcome
    self.reason = reason
    self.messages = messages
  }
}

extension LaneProgress {
  /// Of no lane, to add to.
  public static let zero = LaneProgress(
    channelID: 0, provider: "", channelName: "", planned: 0, sent: 0, tokenRetired: 0, rejected: 0, expired: 0,
    skipped: 0, unknown: 0, remaining: 0)

  /// Adds the other lane's numbers; channel and names stay.
  public mutating func add(_ other: LaneProgress) {
    planned += other.planned
    sent += other.sent
    tokenRetired += other.tokenRetired
    rejected += other.rejected
    expired += other.expired
    skipped += other.skipped
    unknown += other.unknown
    remaining += other.remaining
  }

  /// Messages that have their outcome.
  public var accounted: Int64 { planned - remaining }

  /// Refused for good or out of time: `token_retired`, `rejected` and `expired`.
  public var failed: Int64 { tokenRetired + rejected + expired }

  /// Each number with its name in `launch_progress`, in the order of its columns.
  public var counts: [(name: String, count: Int64)] {
    [
      ("planned", planned), ("sent", sent), ("token_retired", tokenRetired), ("rejected", rejected),
      ("expired", expired), ("skipped", skipped), ("unknown", unknown), ("remaining", remaining),
    ]
  }
}
