import Base
import Campaign
import Signing
import Store

/// The page's numbers as JSON.
enum LaunchNumbers {
  /// `{"problem":null,"revision":"…","launches":[{"launch":7,"state":"running","planned":…,"lanes":[…]}]}`
  /// - Parameter problem: why the numbers aren't of this moment.
  static func json(_ launches: [LaunchStatus], problem: String?) -> JSON {
    var object = JSONObject()
    object.set("problem", problem.map(JSON.string) ?? .null)
    object.set("revision", .string(revision(of: launches)))
    object.set(
      "launches",
      .array(
        launches.map { launch in
          var object = JSONObject()
          object.set("launch", .number("\(launch.id)"))
          object.set("campaign", .string(launch.campaignName))
          object.set("state", .string(launch.state.rawValue))
          set(launch.total, rate: launch.rate, secondsLeft: launch.secondsLeft, in: &object)
          object.set("lanes", .array(launch.lanes.map(lane)))
          return .object(object)
        }))
    return .object(object)
  }

  /// Changes whenever the page must be drawn anew: with launches, lanes and their states, not with numbers.
  static func revision(of launches: [LaunchStatus]) -> String {
    let parts = launches.map { launch in
      let lanes = launch.lanes.map {
        "\($0.progress.channelID) \($0.record.state.rawValue) \($0.record.stopReason ?? "") \($0.progress.remaining == 0)"
      }
      return "\(launch.id) \(launch.state.rawValue) \(lanes.joined(separator: ","))"
    }
    return Digest.prefix(Array(parts.joined(separator: ";").utf8))
  }

  private static func lane(_ lane: LaunchStatus.Lane) -> JSON {
    var object = JSONObject()
    object.set("channel", .number("\(lane.progress.channelID)"))
    object.set("name", .string(lane.progress.channelName))
    object.set("provider", .string(lane.progress.provider))
    object.set("state", .string(lane.record.state.rawValue))
    object.set("stop_reason", lane.record.stopReason.map(JSON.string) ?? .null)
    set(lane.progress, rate: lane.rate, secondsLeft: lane.secondsLeft, in: &object)
    return .object(object)
  }

  private static func set(
    _ progress: LaneProgress, rate: Double, secondsLeft: Double?, in object: inout JSONObject
  ) {
    for (name, count) in progress.counts { object.set(name, .number("\(count)")) }
    object.set("rate", .number("\(rate)"))
    object.set("seconds_left", secondsLeft.map { .number("\($0)") } ?? .null)
  }
}
