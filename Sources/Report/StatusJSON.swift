public import Base
import Campaign
public import Store

/// Where a launch stands, for programs. Times are RFC 3339 in UTC, rates messages a second, spans seconds.
public enum StatusJSON {
  /// One object, the names as in `launch_progress`.
  public static func object(_ status: LaunchStatus) -> JSON {
    var object = JSONObject()
    object.set("launch", .whole(status.id))
    object.set("campaign", .string(status.campaignName))
    object.set("state", .string(status.state.rawValue))
    object.set("at", .time(status.at))
    object.set("not_before", .time(status.notBefore))
    object.set("started_at", .time(status.startedAt))
    object.set("finished_at", .time(status.finishedAt))
    for (name, count) in status.total.counts { object.set(name, .whole(count)) }
    object.set("rate", .decimal(status.rate))
    object.set("seconds_left", .decimal(status.secondsLeft))
    object.set("lanes", .array(status.lanes.map(lane)))
    object.set(
      "runners",
      .array(
        status.runners.map { runner in
          .object(
            JSONObject([
              .init(key: "owner", value: .string(runner.owner)), .init(key: "chunks", value: .whole(runner.chunks)),
              .init(key: "lease_seconds", value: .decimal(runner.leaseSeconds)),
            ]))
        }))
    return .object(object)
  }

  private static func lane(_ lane: LaunchStatus.Lane) -> JSON {
    var object = JSONObject()
    object.set("channel", .whole(lane.progress.channelID))
    object.set("name", .string(lane.progress.channelName))
    object.set("provider", .string(lane.progress.provider))
    object.set("state", .string(lane.record.state.rawValue))
    object.set("stop_reason", lane.record.stopReason.map { .string($0) } ?? .null)
    object.set("cool_until", .time(lane.record.coolUntil))
    for (name, count) in lane.progress.counts { object.set(name, .whole(count)) }
    object.set("rate", .decimal(lane.rate))
    object.set("seconds_left", .decimal(lane.secondsLeft))
    object.set("breaker_verdicts", .whole(lane.record.verdicts))
    object.set("breaker_dead", .whole(lane.record.dead))
    object.set("open_windows", .whole(lane.openWindows))
    object.set("open_messages", .whole(lane.openMessages))
    object.set("oldest_open_seconds", .decimal(lane.oldestOpenSeconds))
    object.set("awaited", .whole(lane.awaited))
    object.set("reasons", .array(lane.reasons.map(\.json)))
    return .object(object)
  }
}

extension ReasonCount {
  /// `{"outcome":"rejected","reason":"payload","messages":3}`
  var json: JSON {
    .object(
      JSONObject([
        .init(key: "outcome", value: .string(outcome.name)),
        .init(key: "reason", value: reason.isEmpty ? .null : .string(reason)),
        .init(key: "messages", value: .whole(messages)),
      ]))
  }
}

extension JSON {
  static func whole(_ number: Int64) -> JSON { .number(String(number)) }

  /// To the millisecond; null for none.
  static func decimal(_ number: Double?) -> JSON {
    guard let number, number.isFinite else { return .null }
    return .number(Figures.decimal(number, 3))
  }

  static func time(_ moment: EpochMilliseconds?) -> JSON { moment.map { .string($0.rfc3339) } ?? .null }
}
