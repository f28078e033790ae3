import Base
import Campaign
import Report

/// What a pre-flight found.
public struct PreflightReport: Sendable {
  let launch: Int64
  let state: LaunchState
  var lanes: [LaneCheck] = []
  /// Why the launch can't be planned, one line each.
  var refusals: [String] = []
  /// What is sent as it is and may not do what was meant.
  let warnings: [String]
  private let rate: Double?

  init(launch: Launch) {
    self.launch = launch.id
    state = launch.state
    warnings = launch.content.warnings + launch.options.warnings
    rate = launch.options.rate
  }

  /// 65 when something would be refused, else 0.
  public var exitCode: Int32 {
    refusals.isEmpty && !lanes.contains(where: \.isRefused) ? 0 : RunError.Code.content.rawValue
  }

  private var recipients: Int64 { lanes.reduce(0) { $0 + $1.recipients } }
  private var examined: Int64 { lanes.reduce(0) { $0 + $1.tally.examined } }
  private var sendable: Int64 { lanes.reduce(0) { $0 + $1.tally.sendable } }

  /// Seconds at the set pace: the slowest lane's, or all messages' by the launch's own rate; nil = as fast as the
  /// providers answer.
  private var seconds: Double? {
    let own = rate.map { Double(lanes.reduce(0) { $0 + $1.expected }) / $0 }
    return (lanes.map(\.seconds) + [own]).compactMap { $0 }.max()
  }

  // MARK: Lines

  /// A line that begins with the lane's name for each finding.
  public var lines: [String] {
    refusals.map { "REFUSED launch \(launch): \($0)" } + warnings.map { "look launch \(launch): \($0)" }
      + lanes.flatMap(Self.lines)
      + [
        "all lanes: recipients \(recipients) examined \(examined) would be sent \(sendable)"
          + (seconds.map { "; \(Figures.duration($0)) at the set pace" } ?? "; as fast as the providers answer")
      ]
  }

  private static func lines(_ lane: LaneCheck) -> [String] {
    let tally = lane.tally
    let place = "\(lane.name) (\(lane.provider)): "
    let refusals = lane.refusals.map { "REFUSED " + place + $0.description }
    if tally.examined == 0, !refusals.isEmpty { return refusals + lane.warnings.map { "look " + place + $0 } }
    var lines = [
      place + "recipients \(lane.recipients) examined \(tally.examined) would be sent \(tally.sendable)"
        + " skipped \(tally.skipped.values.reduce(0, +)) rejected \(tally.rejected.values.reduce(0) { $0 + $1.count })"
        + (lane.seconds.map { "; \(Figures.duration($0)) at the set pace" } ?? "")
    ]
    if !tally.skipped.isEmpty {
      lines.append(
        place + "skipped: "
          + tally.skipped.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    }
    if let smallest = tally.sizes.smallest, let largest = tally.sizes.largest, let median = tally.sizes.median {
      lines.append(
        place + "bodies of \(smallest.bytes) (\(smallest.key.words)) to \(largest.bytes) bytes (\(largest.key.words)),"
          + " median \(median), allowed \(lane.limit ?? 0)")
    }
    lines += lane.online.map { place + $0 }
    let level = tally.rejected["missing_value"] == nil ? "look " : "REFUSED "
    lines += tally.missing.sorted { $0.key < $1.key }.map {
      level + place + "\($0.value.count) messages, missing_value: \($0.key); first that of \($0.value.example.words)"
    }
    lines += tally.problems.sorted { $0.key < $1.key }.map {
      "look " + place + "\($0.key) (\($0.value.count) messages, first that of \($0.value.example.words))"
    }
    lines += lane.warnings.map { "look " + place + $0 }
    // Missing values were told of one by one.
    lines += tally.rejected.filter { $0.key != "missing_value" }.sorted { $0.key < $1.key }.map {
      "REFUSED " + place + "\($0.value.count) messages, \($0.key)" + ($0.value.detail.map { ": \($0)" } ?? "")
        + "; first that of \($0.value.example.words)"
    }
    return lines + refusals
  }

  // MARK: JSON

  /// `{"launch":1,"state":"draft","exit_code":0,"recipients":…,"would_be_sent":…,"seconds":…,"refusals":[…],
  /// "warnings":[…],"lanes":[…]}`
  public var json: String {
    JSON.object(
      JSONObject([
        .init(key: "launch", value: .number("\(launch)")), .init(key: "state", value: .string(state.rawValue)),
        .init(key: "exit_code", value: .number("\(exitCode)")),
        .init(key: "recipients", value: .number("\(recipients)")),
        .init(key: "would_be_sent", value: .number("\(sendable)")), .init(key: "seconds", value: Self.json(seconds)),
        .init(key: "refusals", value: .array(refusals.map(JSON.string))),
        .init(key: "warnings", value: .array(warnings.map(JSON.string))),
        .init(key: "lanes", value: .array(lanes.map(Self.json))),
      ])
    ).text
  }

  private static func json(_ lane: LaneCheck) -> JSON {
    let tally = lane.tally
    let skipped = tally.skipped.sorted { $0.key < $1.key }
    return .object(
      JSONObject([
        .init(key: "channel", value: .number("\(lane.channelID)")), .init(key: "name", value: .string(lane.name)),
        .init(key: "provider", value: .string(lane.provider)),
        .init(key: "recipients", value: .number("\(lane.recipients)")),
        .init(key: "examined", value: .number("\(tally.examined)")),
        .init(key: "would_be_sent", value: .number("\(tally.sendable)")),
        .init(
          key: "skipped",
          value: .object(JSONObject(skipped.map { .init(key: $0.key, value: .number("\($0.value)")) }))),
        .init(key: "rejected", value: json(tally.rejected)), .init(key: "missing", value: json(tally.missing)),
        .init(key: "problems", value: json(tally.problems)), .init(key: "bytes", value: bytes(lane)),
        .init(key: "seconds", value: json(lane.seconds)),
        .init(key: "online", value: .array(lane.online.map(JSON.string))),
        .init(key: "warnings", value: .array(lane.warnings.map(JSON.string))),
        .init(key: "refusals", value: .array(lane.refusals.map { .string($0.description) })),
      ]))
  }

  private static func bytes(_ lane: LaneCheck) -> JSON {
    guard let smallest = lane.tally.sizes.smallest, let largest = lane.tally.sizes.largest else { return .null }
    func body(_ body: BodySizes.Body) -> JSON {
      .object(
        JSONObject([.init(key: "bytes", value: .number("\(body.bytes)"))] + members(body.key)))
    }
    return .object(
      JSONObject([
        .init(key: "smallest", value: body(smallest)),
        .init(key: "median", value: .number("\(lane.tally.sizes.median ?? 0)")),
        .init(key: "largest", value: body(largest)), .init(key: "limit", value: .number("\(lane.limit ?? 0)")),
      ]))
  }

  private static func json(_ cases: [String: LaneTally.Cases]) -> JSON {
    .array(
      cases.sorted { $0.key < $1.key }.map { words, cases in
        .object(
          JSONObject(
            [
              .init(key: "what", value: .string(words)), .init(key: "messages", value: .number("\(cases.count)")),
              .init(key: "detail", value: cases.detail.map { .string($0) } ?? .null),
            ] + members(cases.example)))
      })
  }

  private static func members(_ key: RecipientKey) -> [JSONObject.Member] {
    [
      .init(key: "profile_id", value: .number("\(key.profileID)")),
      .init(key: "subscription_id", value: .number("\(key.subscriptionID)")),
    ]
  }

  private static func json(_ seconds: Double?) -> JSON {
    seconds.map { .number("\(($0 * 1000).rounded() / 1000)") } ?? .null
  }
}
