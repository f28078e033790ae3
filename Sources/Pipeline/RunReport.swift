import Base
public import Campaign
public import Store

/// How a run ended.
public struct RunReport: Sendable {
  /// The launch's id.
  public let launch: Int64
  /// The launch's state after the run.
  public let state: LaunchState
  /// Each lane's counts after the run.
  public let lanes: [LaneProgress]
  let stops: [Int64: LaneStop]

  /// 77 before 69 before 75; 0 when all is accounted.
  public var exitCode: Int32 {
    let kinds = stops.values.map(\.kind)
    if kinds.contains(.credential) { return RunError.Code.credential.rawValue }
    if kinds.contains(where: { [.breaker, .provider, .unreachable].contains($0) }) {
      return RunError.Code.laneStopped.rawValue
    }
    // Nothing of a cancelled launch is left to run.
    if state == .cancelled { return 0 }
    if !stops.isEmpty || state == .running { return RunError.Code.again.rawValue }
    return 0
  }

  /// The process was asked to stop, or others have the rest: somebody must go on with it.
  var isUnfinished: Bool { stops.isEmpty && state == .running }

  /// What is left waits on record until it is due; any later run goes on with it.
  public var isWaiting: Bool { !stops.isEmpty && stops.values.allSatisfy { $0.kind == .later } }

  /// Why lanes stopped.
  var stopReasons: String {
    let names = Dictionary(lanes.map { ($0.channelID, $0.channelName) }) { first, _ in first }
    return stops.sorted { $0.key < $1.key }.map { "lane \(names[$0.key] ?? "\($0.key)") stopped: \($0.value.reason)" }
      .joined(separator: "; ")
  }

  /// One line a lane, then the sum: `all lanes: planned N sent N …`.
  public var lines: [String] {
    lanes.map { "\($0.channelName) (\($0.provider)): \(Self.counts($0))" }
      + ["all lanes: " + Self.counts(lanes.reduce(into: LaneProgress.zero) { $0.add($1) })]
  }

  /// `{"launch":1,"state":"finished","lanes":[{"channel":…,"provider":…,"planned":…}…]}`
  public var json: String { result.text }

  var result: JSON {
    var object = JSONObject()
    object.set("launch", .number(String(launch)))
    object.set("state", .string(state.rawValue))
    object.set("lanes", .array(lanes.map(Self.object)))
    return .object(object)
  }

  private static func object(_ lane: LaneProgress) -> JSON {
    var object = JSONObject()
    object.set("channel", .number(String(lane.channelID)))
    object.set("name", .string(lane.channelName))
    object.set("provider", .string(lane.provider))
    for (name, count) in lane.counts { object.set(name, .number(String(count))) }
    return .object(object)
  }

  private static func counts(_ lane: LaneProgress) -> String {
    lane.counts.map { "\($0.name) \($0.count)" }.joined(separator: " ")
  }
}
