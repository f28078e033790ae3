public import Base

/// `launch.options` with its defaults.
public struct LaunchOptions: Sendable, Equatable {
  /// What has a message id of its own.
  public enum Tracking: String, Sendable, CaseIterable {
    case message
    case group
  }

  /// What becomes of messages of which nobody knows whether they were sent.
  public enum UnknownPolicy: String, Sendable, CaseIterable {
    case hold
    case resend
    case ask
  }

  /// What a 5xx of FCM means, after which the message may have been delivered nevertheless.
  public enum FCM5xx: String, Sendable, CaseIterable {
    case retry
    case unknown
  }

  /// What becomes of a message that lacks a personal value its text names.
  public enum Missing: String, Sendable, CaseIterable {
    case reject
    case blank
  }

  /// `tracking`; by group HMS' requests fill up to 1,000 tokens.
  public var tracking = Tracking.message
  /// `unknown`
  public var unknown = UnknownPolicy.hold
  /// `unknown_attempts`, 1…100: a message that was unknown so often stays so under `resend`.
  public var unknownAttempts = 2
  /// `fcm_5xx`
  public var fcm5xx = FCM5xx.retry
  /// How often one window attempt may hand a message to the network.
  public var requestBudget = 2
  /// Attempts by deferral.
  public var attempts = 3
  /// Messages a second over the whole launch.
  public var rate: Double?
  /// `catch_up_minutes`, 0…525,600: so late it may still begin where `not_after` is null; later it is missed.
  public var catchUpMinutes = 60
  /// When it is that time at the recipient's; the date is that of `not_before`.
  public var localTime: TimeOfDay?
  /// `quiet_hours`; nil = none.
  public var quietHours: QuietHours?
  /// `missing`
  public var missing = Missing.reject
  /// Write rows for an app's notification centre.
  public var writesInbox = false
  /// AppMetrica's tag; nil = `campaign-<id>`.
  public var tag: String?
  /// Instead of recipients.
  public var targets: [LaunchTarget] = []
  /// One subscription a profile and provider, the one seen last.
  public var mostRecentOnly = false
  /// `max_recipients`: planning refuses more of them; nil = any number.
  public var maxRecipients: Int64?
  /// `analytics_label` of FCM's reports: 1 to 50 of `a-z A-Z 0-9 - _ . ~ %`.
  public var analyticsLabel: String?

  /// An empty `launch.options`: the defaults.
  public init() {}

  /// Keys of the JSON.
  public static let keys = [
    "tracking", "unknown", "unknown_attempts", "fcm_5xx", "request_budget", "attempts", "rate", "catch_up_minutes",
    "local_time", "quiet_hours", "missing", "inbox", "tag", "targets", "most_recent_only", "max_recipients",
    "analytics_label",
  ]

  /// Reads `launch.options`.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(json: JSON) throws(CampaignError) {
    let fields = try FieldReader(json, path: "options", keys: Self.keys)
    tracking = try fields.choice("tracking", Tracking.self) ?? tracking
    unknown = try fields.choice("unknown", UnknownPolicy.self) ?? unknown
    unknownAttempts = try fields.whole("unknown_attempts", 1...100) ?? unknownAttempts
    fcm5xx = try fields.choice("fcm_5xx", FCM5xx.self) ?? fcm5xx
    requestBudget = try fields.whole("request_budget", 1...10) ?? requestBudget
    attempts = try fields.whole("attempts", 1...100) ?? attempts
    rate = try fields.rate("rate")
    catchUpMinutes = try fields.whole("catch_up_minutes", 0...525_600) ?? catchUpMinutes
    localTime = try fields.timeOfDay("local_time")
    if let value = fields["quiet_hours"] { quietHours = try QuietHours(json: value, path: "options.quiet_hours") }
    missing = try fields.choice("missing", Missing.self) ?? missing
    writesInbox = try fields.flag("inbox") ?? writesInbox
    tag = try fields.text("tag", "1 to 255 bytes of text") { (1...255).contains($0.utf8.count) }
    for (index, element) in (try fields.array("targets", atMost: 1000) ?? []).enumerated() {
      targets.append(try LaunchTarget(json: element, path: "options.targets[\(index)]"))
    }
    mostRecentOnly = try fields.flag("most_recent_only") ?? mostRecentOnly
    maxRecipients = try fields.whole("max_recipients", 1...Int64.max)
    analyticsLabel = try fields.text("analytics_label", "1 to 50 of the characters a-z A-Z 0-9 - _ . ~ %") {
      LaunchTarget.isName($0, atMost: 50)
    }
  }
}

extension LaunchOptions {
  /// For people: what is sent as it is and may not do what was meant.
  public var warnings: [String] {
    targets.enumerated().compactMap { index, target in
      guard case .topic(let name) = target.audience, name.contains("%") else { return nil }
      return "options.targets[\(index)].topic: Firebase sends to a name with %, but no app can subscribe to it"
    }
  }
}

/// Hours in which no window is opened for a recipient.
public struct QuietHours: Sendable, Equatable {
  /// Whose clock.
  public enum Zone: Sendable, Equatable {
    case recipient
    /// An IANA name.
    case named(String)
  }

  /// The first minute of them.
  public let from: TimeOfDay
  /// Before `from` when the hours go past midnight; never equal to it.
  public let to: TimeOfDay
  /// Whose clock they are read from.
  public let zone: Zone

  init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: ["from", "to", "zone"])
    from = try fields.required("from", fields.timeOfDay("from"))
    to = try fields.required("to", fields.timeOfDay("to"))
    if from == to { throw CampaignError(field: path, message: "from and to are the same time") }
    let zone = try fields.timeZone("zone") ?? "recipient"
    self.zone = zone == "recipient" ? .recipient : .named(zone)
  }
}

/// Whom FCM finds itself: the subscribers of a topic, or of a condition over topics.
public struct LaunchTarget: Sendable, Equatable {
  /// A topic or a condition, never both.
  public enum Audience: Sendable, Equatable {
    /// The bare name, without the legacy `/topics/`, which FCM v1 refuses.
    case topic(String)
    case condition(String)
  }

  /// The channel whose app they subscribed in.
  public let channelID: Int64
  /// Who gets the message.
  public let audience: Audience

  init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: ["channel_id", "topic", "condition"])
    channelID = try fields.required("channel_id", fields.whole("channel_id", 1...Int64.max))
    let topic = try fields.text("topic", "1 to 900 of the characters a-z A-Z 0-9 - _ . ~ %") {
      Self.isName(Self.bare($0), atMost: 900)
    }
    let condition = try fields.text("condition", "text that is not empty") { !$0.isEmpty }
    switch (topic, condition) {
    case (let topic?, nil): audience = .topic(Self.bare(topic))
    case (nil, let condition?): audience = .condition(condition)
    default: throw CampaignError(field: path, message: "either topic or condition is expected")
    }
  }

  private static func bare(_ topic: String) -> String {
    topic.hasPrefix("/topics/") ? String(topic.dropFirst(8)) : topic
  }

  /// Firebase's rule for names of topics and labels.
  static func isName(_ text: String, atMost count: Int) -> Bool {
    (1...count).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_.~%".utf8.contains(byte)
      }
  }
}

extension FieldReader {
  /// Units a second.
  func rate(_ key: String) throws(CampaignError) -> Double? {
    try decimal(key, 0.001...1_000_000, "0.001 to 1000000 a second")
  }

  func timeOfDay(_ key: String) throws(CampaignError) -> TimeOfDay? {
    guard let text = try text(key, "HH:MM, 00:00 to 23:59", where: { TimeOfDay($0) != nil }) else { return nil }
    return TimeOfDay(text)
  }
}
