public import Base
public import Campaign

/// What became of a launch, for its report: read in one snapshot.
public struct LaunchReport: Sendable {
  /// Where it stands; its lanes' numbers are those of `launch_progress`, its reasons those of the messages.
  public var status: LaunchStatus
  /// The account's id.
  public var accountID: Int64
  /// Its name.
  public var accountName: String
  /// The campaign's id.
  public var campaignID: Int64
  /// When the launch was made.
  public var createdAt: EpochMilliseconds?
  /// From when on it is worthless.
  public var notAfter: EpochMilliseconds?
  /// As in the row.
  public var content: JSON
  /// As in the row.
  public var options: JSON
  /// One a lane, in the lanes' order.
  public var channels: [ChannelSetup]
  /// One a lane that has rows of messages.
  public var handovers: [Handover]
  /// One a lane that has closed windows.
  public var windows: [WindowTimes]
  /// When messages got their outcome.
  public var throughput: Throughput
  /// What providers said to messages that aren't `sent`, most frequent first.
  public var answers: [AnswerCount]
  /// Messages by variant and outcome; empty when the launch has none.
  public var variants: [VariantCount]
  /// What became of messages that were unknown once: settlements by source and outcome.
  public var settlements: [SettlementCount]
  /// Commands given, oldest first.
  public var commands: [CommandEntry]

  /// How a channel was set up when the report was made. The credential is a reference; secrets are in no row.
  public struct ChannelSetup: Sendable {
    /// The channel's id.
    public var id: Int64
    /// Its name.
    public var name: String
    /// As in `channel.provider`.
    public var provider: String
    /// Whose app reads its payloads.
    public var payloadProfile: String
    /// Whether it has a template of its own.
    public var hasOwnTemplate: Bool
    /// `file:NAME` or `env:NAME`.
    public var credential: String
    /// As in the row, a proxy's password masked.
    public var settings: JSON
  }

  /// What was handed to the network, counted message by message.
  public struct Handover: Sendable {
    /// The channel's id.
    public var channelID: Int64
    /// Messages that have an attempt.
    public var messages: Int64
    /// Of them, handed to the network at least once.
    public var handedOver: Int64
    /// How often messages were handed to the network.
    public var requests: Int64
    /// Messages with more than one attempt.
    public var repeated: Int64
  }

  /// Seconds from a window's opening to its closing, windows of several hundred messages.
  public struct WindowTimes: Sendable {
    /// The channel's id.
    public var channelID: Int64
    /// How many.
    public var windows: Int64
    /// Half of them took no longer.
    public var median: Double
    /// 95 of 100 took no longer.
    public var slow: Double
    /// The longest one.
    public var longest: Double
  }

  /// Messages that got their outcome, by the moment when their window was closed.
  public struct Throughput: Sendable {
    /// Beginning of the first interval.
    public var begin: EpochMilliseconds
    /// Seconds of each.
    public var step: Double
    /// By index.
    public var slots: [Slot]

    /// Only those in which something was accounted.
    public struct Slot: Sendable, Equatable {
      /// Intervals since `begin`.
      public var index: Int
      /// Messages that were sent.
      public var sent: Int64
      /// `token_retired`, `rejected` and `expired`.
      public var failed: Int64
      /// Messages that were not tried.
      public var skipped: Int64
      /// Messages without an answer.
      public var unknown: Int64

      /// - Parameter index: intervals since `begin`; the others are messages.
      public init(index: Int, sent: Int64, failed: Int64, skipped: Int64, unknown: Int64) {
        self.index = index
        self.sent = sent
        self.failed = failed
        self.skipped = skipped
        self.unknown = unknown
      }
    }
  }

  /// Messages that one answer of a provider ended.
  public struct AnswerCount: Sendable {
    /// The channel's id.
    public var channelID: Int64
    /// What became of them.
    public var outcome: Outcome
    /// Of the answer; nil when there was none.
    public var httpStatus: Int64?
    /// The provider's own code.
    public var providerCode: String?
    /// How many.
    public var messages: Int64
  }

  /// Messages of a variant with one outcome.
  public struct VariantCount: Sendable {
    /// Its name.
    public var variant: String
    /// What became of them.
    public var outcome: Outcome
    /// How many.
    public var messages: Int64
  }

  /// Messages that one source settled alike.
  public struct SettlementCount: Sendable {
    /// What settled them.
    public var source: String
    /// What became of them.
    public var outcome: Outcome
    /// How many.
    public var messages: Int64
  }

  /// A row of `control_log`.
  public struct CommandEntry: Sendable {
    /// When it was given.
    public var at: EpochMilliseconds?
    /// The database's user who gave it.
    public var who: String
    /// `pause`, `resume`, `cancel`, `retry` …
    public var command: String
    /// The channel's id.
    public var channelID: Int64?
    /// State before it.
    public var from: String?
    /// State after it.
    public var to: String?
  }
}
