public import Base
public import Campaign

/// What became of a launch, for its report: read in one snapshot.
public struct LaunchReport: Sendable {
  /// Where it stands; its lanes' numbers are those of `launch_progress`, its reasons those of the messages.
  public var status: LaunchStatus
  public var accountID: Int64
  public var accountName: String
  public var campaignID: Int64
  public var createdAt: EpochMilliseconds?
  public var notAfter: EpochMilliseconds?
  /// As in the row.
  public var content: JSON
  public var options: JSON
  /// One a lane, in the lanes' order.
  public var channels: [ChannelSetup]
  /// One a lane that has rows of messages.
  public var handovers: [Handover]
  /// One a lane that has closed windows.
  public var windows: [WindowTimes]
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
    public var id: Int64
    public var name: String
    public var provider: String
    public var payloadProfile: String
    public var hasOwnTemplate: Bool
    public var credential: String
    /// As in the row, a proxy's password masked.
    public var settings: JSON
  }

  /// What was handed to the network, counted message by message.
  public struct Handover: Sendable {
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
    public var channelID: Int64
    public var windows: Int64
    public var median: Double
    public var slow: Double
    public var longest: Double
  }

  /// Messages that got their outcome, by the moment when their window was closed.
  public struct Throughput: Sendable {
    /// Beginning of the first interval.
    public var begin: EpochMilliseconds
    /// Seconds of each.
    public var step: Double
    public var slots: [Slot]

    /// Only those in which something was accounted.
    public struct Slot: Sendable, Equatable {
      public var index: Int
      public var sent: Int64
      /// `token_retired`, `rejected` and `expired`.
      public var failed: Int64
      public var skipped: Int64
      public var unknown: Int64

      public init(index: Int, sent: Int64, failed: Int64, skipped: Int64, unknown: Int64) {
        self.index = index
        self.sent = sent
        self.failed = failed
        self.skipped = skipped
        self.unknown = unknown
      }
    }
  }

  public struct AnswerCount: Sendable {
    public var channelID: Int64
    public var outcome: Outcome
    public var httpStatus: Int64?
    public var providerCode: String?
    public var messages: Int64
  }

  public struct VariantCount: Sendable {
    public var variant: String
    public var outcome: Outcome
    public var messages: Int64
  }

  public struct SettlementCount: Sendable {
    public var source: String
    public var outcome: Outcome
    public var messages: Int64
  }

  public struct CommandEntry: Sendable {
    public var at: EpochMilliseconds?
    public var who: String
    public var command: String
    public var channelID: Int64?
    public var from: String?
    public var to: String?
  }
}
