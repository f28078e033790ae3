public import Base

/// A subscription in a launch's audience, named by the two columns that every bulk table carries.
public struct RecipientKey: Sendable, Hashable, Comparable {
  /// The profile's id.
  public let profileID: Int64
  /// The subscription's id, unique within the profile.
  public let subscriptionID: Int64

  /// The two columns as a row holds them.
  public init(profileID: Int64, subscriptionID: Int64) {
    self.profileID = profileID
    self.subscriptionID = subscriptionID
  }

  public static func < (a: RecipientKey, b: RecipientKey) -> Bool {
    (a.profileID, a.subscriptionID) < (b.profileID, b.subscriptionID)
  }
}

/// What the subscription was when its page was read.
public enum SubscriptionState: UInt8, Sendable {
  case active, retired, unsubscribed
  /// The recipient's subscription row is no longer there, or belongs to another channel now.
  case gone
}

/// One row of a page: numbers in place, texts as ranges of the page's arena.
public struct Recipient: Sendable {
  /// Who it is.
  public var key: RecipientKey
  /// Whether it may be sent to.
  public var state: SubscriptionState
  /// When this token was registered; APNs' 410 is only believed for older ones.
  public var registeredAt: EpochMilliseconds
  /// As stored, not checked yet. Empty when the subscription is gone.
  public var token: ByteRange
  /// Personal columns are read only when the content names them; nil = not read or SQL null.
  public var externalID: ByteRange?
  /// The profile's, in the page's bytes.
  public var locale: ByteRange?
  /// The profile's, in the page's bytes.
  public var timeZone: ByteRange?
  /// JSON text of `profile.attributes`.
  public var attributes: ByteRange?
  /// JSON text of `recipient.variables`.
  public var variables: ByteRange?

  /// Columns of a row; the ranges lie in the `bytes` of its page.
  public init(
    key: RecipientKey, state: SubscriptionState, registeredAt: EpochMilliseconds, token: ByteRange,
    externalID: ByteRange? = nil, locale: ByteRange? = nil, timeZone: ByteRange? = nil,
    attributes: ByteRange? = nil, variables: ByteRange? = nil
  ) {
    self.key = key
    self.state = state
    self.registeredAt = registeredAt
    self.token = token
    self.externalID = externalID
    self.locale = locale
    self.timeZone = timeZone
    self.attributes = attributes
    self.variables = variables
  }
}

/// The rows of a chunk, ascending by key, over one arena.
public struct RecipientPage: Sendable {
  /// Every text of the page, one after the other.
  public var bytes: [UInt8]
  /// Ascending by key.
  public var rows: [Recipient]

  /// - Parameter rows: ascending by key, their ranges within `bytes`.
  public init(bytes: [UInt8] = [], rows: [Recipient] = []) {
    self.bytes = bytes
    self.rows = rows
  }
}

/// Which personal columns the rows of a launch must carry.
public struct PersonalColumns: OptionSet, Sendable {
  /// One bit a column group.
  public let rawValue: UInt8
  /// As OptionSet wants it.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// external_id, locale, time_zone and attributes of the profile.
  public static let profile = PersonalColumns(rawValue: 1)
  /// variables of the recipient.
  public static let variables = PersonalColumns(rawValue: 2)
}
