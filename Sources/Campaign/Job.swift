public import Base

/// What a row of `salvo.job` asks for, its arguments read.
public enum Job: Sendable, Equatable {
  /// Sends the launch until its count balances.
  case runLaunch
  /// Sends messages again that ended as one of these.
  case retry(outcomes: [Outcome], reason: String?)
  /// Adds recipients: the filter of `salvo.audience_all`, checked there.
  case audience(filter: JSON)
  /// Writes the launch's report into the worker's state folder.
  case report(format: ReportFormat, to: String?)
  /// A word to the launch, or to one of its lanes.
  case pause(channel: Int64?)
  case resume(channel: Int64?)
  case cancel(channel: Int64?)
  /// Keeps the database small.
  case maintain(keepDays: Int)

  /// `job.kind`
  public enum Kind: String, Sendable, CaseIterable {
    case runLaunch = "run_launch"
    case retry, audience, report, pause, resume, cancel, maintain
  }

  /// Outcomes that `retry` can send again.
  public static let retryable: [Outcome] = [.unknown, .expired, .rejected]

  /// Reads `job.args`.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(_ kind: Kind, args: JSON) throws(CampaignError) {
    switch kind {
    case .runLaunch:
      _ = try FieldReader(args, path: "args", keys: [])
      self = .runLaunch
    case .retry:
      let fields = try FieldReader(args, path: "args", keys: ["outcome", "reason"])
      let words = try fields.required("outcome", fields.array("outcome", atMost: Self.retryable.count))
      let outcomes = words.compactMap { word in Self.retryable.first { $0.name == word.string } }
      guard !outcomes.isEmpty, outcomes.count == words.count else {
        throw CampaignError(
          field: "args.outcome", message: "a list of \(Self.retryable.map(\.name).joined(separator: ", "))")
      }
      self = .retry(outcomes: outcomes, reason: try fields.text("reason"))
    case .audience:
      let fields = try FieldReader(args, path: "args", keys: ["all", "channels", "filter"])
      if let filter = try fields.object("filter") {
        guard fields.given == ["filter"] else {
          throw CampaignError(field: "args", message: "either filter, or all and channels")
        }
        self = .audience(filter: .object(filter))
        return
      }
      guard try fields.flag("all") == true else {
        throw CampaignError(field: "args", message: "all: true or a filter is expected")
      }
      var filter = JSONObject()
      if let channels = try fields.array("channels", atMost: 10_000) { filter.set("channels", .array(channels)) }
      self = .audience(filter: .object(filter))
    case .report:
      let fields = try FieldReader(args, path: "args", keys: ["format", "to"])
      self = .report(format: try fields.choice("format", ReportFormat.self) ?? .html, to: try fields.text("to"))
    case .pause: self = .pause(channel: try Self.channel(args))
    case .resume: self = .resume(channel: try Self.channel(args))
    case .cancel: self = .cancel(channel: try Self.channel(args))
    case .maintain:
      let fields = try FieldReader(args, path: "args", keys: ["keep_days"])
      self = .maintain(keepDays: try fields.whole("keep_days", 1...36_500) ?? 90)
    }
  }

  private static func channel(_ args: JSON) throws(CampaignError) -> Int64? {
    try FieldReader(args, path: "args", keys: ["channel_id"]).whole("channel_id", 1...Int64.max)
  }
}
