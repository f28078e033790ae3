public import Base
public import Campaign

/// A lane as its row says.
public struct LaneRecord: Sendable {
  /// `lane.state`
  public enum State: String, Sendable { case running, paused, stopped, done }
  /// The channel's id.
  public var channelID: Int64
  /// Whether it may be sent.
  public var state: State
  /// Why it stopped, for people.
  public var stopReason: String?
  /// No window opens before then.
  public var coolUntil: EpochMilliseconds?
  /// Recipients in it.
  public var planned: Int64
  /// Persisted counters of the breaker.
  public var verdicts: Int64
  /// Of them, dead tokens.
  public var dead: Int64
}

/// One lane's line of `launch_progress`.
public struct LaneProgress: Sendable, Equatable {
  /// The channel's id.
  public var channelID: Int64
  /// As in `channel.provider`.
  public var provider: String
  /// The channel's name.
  public var channelName: String
  /// Recipients in it.
  public var planned: Int64
  /// The provider took them and said so.
  public var sent: Int64
  /// The provider called their tokens dead.
  public var tokenRetired: Int64
  /// They can't be sent.
  public var rejected: Int64
  /// Their time or their tries ran out.
  public var expired: Int64
  /// Not tried: duplicate, retired, gone.
  public var skipped: Int64
  /// Handed over, and no answer came.
  public var unknown: Int64
  /// Not accounted yet.
  public var remaining: Int64

  /// Counts as the view `launch_progress` gives them.
  public init(
    channelID: Int64, provider: String, channelName: String, planned: Int64, sent: Int64, tokenRetired: Int64,
    rejected: Int64, expired: Int64, skipped: Int64, unknown: Int64, remaining: Int64
  ) {
    self.channelID = channelID
    self.provider = provider
    self.channelName = channelName
    self.planned = planned
    self.sent = sent
    self.tokenRetired = tokenRetired
    self.rejected = rejected
    self.expired = expired
    self.skipped = skipped
    self.unknown = unknown
    self.remaining = remaining
  }
}

/// A key range of a lane that this runner holds for a while.
public struct ChunkLease: Sendable {
  /// `first`: a key range. `retry`: deferred messages. `resend`: messages that had an outcome and go again on request.
  public enum Kind: String, Sendable { case first, retry, resend }
  /// The launch's id.
  public var launchID: Int64
  /// The channel's id.
  public var channelID: Int64
  /// Its number in the lane.
  public var chunkNo: Int32
  /// Range or list.
  public var kind: Kind
  /// Which attempt at its messages it is, from 1.
  public var attempt: Int16
  /// Fencing token: every later write repeats it.
  public var token: Int64
  /// Exclusive lower bound of what is still to be read: the cursor.
  public var cursor: RecipientKey
  /// Inclusive upper bound.
  public var upper: RecipientKey
  /// Recipients in it.
  public var planned: Int32
  /// Duplicates the plan found, ascending.
  public var skip: [RecipientKey]
  /// Devices that aren't their profile's most recent, where the launch goes to that one alone; ascending.
  public var older: [RecipientKey] = []
  /// Retry and resend: exactly these, ascending; the cursor still applies. Nil for a range.
  public var ids: [RecipientKey]?
  /// When it was due by its recipients' clock; nil where the launch goes by none.
  public var dueAt: EpochMilliseconds?
  /// What a vanished holder had left open, accounted for when this lease was taken.
  public var leftBehind: LeftBehind?
}

extension ChunkLease {
  /// The lease of a runner that died, for closing its window in its name: the token says whether it still holds.
  /// - Parameter cursor: where the chunk stood before the window.
  public init(
    orphanOf launch: Int64, channelID: Int64, chunkNo: Int32, attempt: Int16, token: Int64, cursor: RecipientKey
  ) {
    self.init(
      launchID: launch, channelID: channelID, chunkNo: chunkNo, kind: .first, attempt: attempt, token: token,
      cursor: cursor, upper: cursor, planned: 0, skip: [])
  }
}

/// What asking for a chunk came to.
public enum Claim: Sendable {
  case leased(ChunkLease)
  /// Nothing free now: nothing is due before `nextDue`, or, if nil, somebody holds a chunk and may leave work behind.
  case nothing(nextDue: EpochMilliseconds?)
  /// Launch or lane are not running, and chunks are left.
  case halted(HaltReason)
  /// Every chunk of the lane is done.
  case done
}

/// A window whose intent is committed.
public struct OpenWindow: Sendable {
  /// Its number in the chunk.
  public var windowNo: Int32
  /// Unique in this database and below 2^53: AppMetrica's `client_transfer_id`.
  public var id: Int64
  /// Until when this runner may hand messages to the network, by its own clock.
  public var sendBefore: BootInstant
}

extension OpenWindow {
  /// A window that a dead runner left open: nothing more of it is sent.
  public init(orphan windowNo: Int32, id: Int64) {
    self.init(windowNo: windowNo, id: id, sendBefore: BootInstant(nanoseconds: 0))
  }
}

/// What opening a window came to.
public enum OpenResult: Sendable {
  case opened(OpenWindow)
  /// Another runner holds the chunk now.
  case fenced
  /// Launch or lane are not running.
  case halted(HaltReason)
}

/// One row of `salvo.delivery` to be.
public struct DeliveryRow: Sendable, Equatable {
  /// Whose message it is.
  public var key: RecipientKey
  /// What became of it.
  public var outcome: Outcome
  /// Why, in a word.
  public var reason: String?
  /// How often this attempt was handed to the network.
  public var requests: Int16
  /// When a deferred message is tried again.
  public var retryAt: EpochMilliseconds?
  /// Of the provider's answer.
  public var httpStatus: Int16?
  /// The provider's word for what was wrong.
  public var providerCode: String?
  /// The provider's id of the message.
  public var providerMessageID: String?
  /// For people, when the answer surprised: at most 2 kB, valid UTF-8, no NUL.
  public var detail: String?
  /// The message's id, `_uid`.
  public var uid: String?
  /// Which variant of the content it was.
  public var variant: String?

  /// Columns of a row of `delivery`; `requests` is how often the message was handed to the network.
  public init(
    key: RecipientKey, outcome: Outcome, reason: String? = nil, requests: Int16 = 0,
    retryAt: EpochMilliseconds? = nil, httpStatus: Int16? = nil, providerCode: String? = nil,
    providerMessageID: String? = nil, detail: String? = nil, uid: String? = nil, variant: String? = nil
  ) {
    self.key = key
    self.outcome = outcome
    self.reason = reason
    self.requests = requests
    self.retryAt = retryAt
    self.httpStatus = httpStatus
    self.providerCode = providerCode
    self.providerMessageID = providerMessageID
    self.detail = detail
    self.uid = uid
    self.variant = variant
  }
}

/// A subscription to retire, if it still has the token that the provider called dead.
public struct Retirement: Sendable, Equatable {
  /// Whose message it is.
  public var key: RecipientKey
  /// As the device gave it; never logged.
  public var token: String
  /// Why, in a word.
  public var reason: String

  /// - Parameter reason: why, in a word.
  public init(key: RecipientKey, token: String, reason: String) {
    self.key = key
    self.token = token
    self.reason = reason
  }
}

/// A row of `salvo.inbox` to be: what a profile was sent.
public struct InboxRow: Sendable, Equatable {
  /// The profile's id.
  public var profileID: Int64
  /// A JSON object's text.
  public var content: String

  /// - Parameter content: a JSON object's text.
  public init(profileID: Int64, content: String) {
    self.profileID = profileID
    self.content = content
  }
}

/// What a window leaves behind, written in one transaction.
public struct WindowResult: Sendable {
  /// Every key that was handed over or closed without sending, ascending.
  public var rows: [DeliveryRow]
  /// AppMetrica: keys whose outcome comes later; they have no row yet.
  public var accepted: [RecipientKey]
  /// The last key of the window that is accounted: the chunk goes on after it.
  public var cursor: RecipientKey
  /// Tokens that the provider called dead.
  public var retirements: [Retirement]
  /// For the breaker's persisted counters.
  public var verdicts: Int64
  /// Of them, dead tokens.
  public var dead: Int64
  /// For the notification centre, if the launch asks for it.
  public var inbox: [InboxRow]

  /// Nothing is checked: a row that the database refuses costs that row alone, kept as late evidence.
  public init(
    rows: [DeliveryRow], accepted: [RecipientKey] = [], cursor: RecipientKey, retirements: [Retirement] = [],
    verdicts: Int64 = 0, dead: Int64 = 0, inbox: [InboxRow] = []
  ) {
    self.rows = rows
    self.accepted = accepted
    self.cursor = cursor
    self.retirements = retirements
    self.verdicts = verdicts
    self.dead = dead
    self.inbox = inbox
  }
}

/// What closing a window came to.
public enum CloseResult: Sendable, Equatable {
  /// All of it is written.
  case closed
  /// Closed, but for rows that the database takes from nobody: they are kept as late evidence.
  case closedWithout([RefusedRow])
  /// The chunk is another runner's by now.
  case fenced
}

/// A window of a provider that settles later, waiting for its word.
public struct AcceptedWindow: Sendable {
  /// The launch's id.
  public var launchID: Int64
  /// The channel's id.
  public var channelID: Int64
  /// Its number in the lane.
  public var chunkNo: Int32
  /// Its number in the chunk.
  public var windowNo: Int32
  /// The window's id: the provider's key of the transfer.
  public var id: Int64
  /// Which attempt at its messages it is, from 1.
  public var attempt: Int16
  /// How many messages wait in it.
  public var messages: Int
  /// Seconds since it was accepted, by the database's clock.
  public var age: Double
  /// Whether the provider was asked about it, or a first question put off.
  public var isAsked: Bool
}

/// How wide a lane is planned.
public struct LaneSizing: Sendable {
  /// The channel's id.
  public var channelID: Int64
  /// Messages a window takes; chunks are never smaller.
  public var window: Int
  /// Chunks a runner leases at once.
  public var depth: Int

  /// - Parameters:
  ///   - window: messages.
  ///   - depth: chunks.
  public init(channelID: Int64, window: Int, depth: Int) {
    self.channelID = channelID
    self.window = window
    self.depth = depth
  }
}
