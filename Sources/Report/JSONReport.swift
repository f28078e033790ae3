public import Base
import Campaign
public import Store

/// A launch's report for programs: the status with what the HTML shows beside it.
public enum JSONReport {
  /// One object, its texts as they are in the tables.
  public static func object(_ report: LaunchReport) -> JSON {
    guard case .object(var object) = StatusJSON.object(report.status) else { return .null }
    object.set("account", .string(report.accountName))
    object.set("created_at", .time(report.createdAt))
    object.set("not_after", .time(report.notAfter))
    object.set("sending_seconds", .decimal(report.status.sendingSeconds))
    object.set("handed_over", .array(report.handovers.map(handover)))
    object.set("windows", .array(report.windows.map(windows)))
    object.set("throughput", throughput(report.throughput))
    object.set("answers", .array(report.answers.map(answer)))
    object.set(
      "variants",
      .array(
        report.variants.map { row([("variant", .string($0.variant))], $0.outcome.name, $0.messages) }))
    object.set(
      "settlements",
      .array(
        report.settlements.map { row([("source", .string($0.source))], $0.outcome.name, $0.messages) }))
    object.set("commands", .array(report.commands.map(command)))
    object.set("channels", .array(report.channels.map(channel)))
    object.set("content", report.content)
    object.set("options", report.options)
    return .object(object)
  }

  private static func members(_ members: [(String, JSON)]) -> JSON {
    .object(JSONObject(members.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }

  private static func row(_ head: [(String, JSON)], _ outcome: String, _ messages: Int64) -> JSON {
    members(head + [("outcome", .string(outcome)), ("messages", .whole(messages))])
  }

  private static func handover(_ handover: LaunchReport.Handover) -> JSON {
    members([
      ("channel", .whole(handover.channelID)), ("messages", .whole(handover.messages)),
      ("handed_over", .whole(handover.handedOver)), ("requests", .whole(handover.requests)),
      ("repeated", .whole(handover.repeated)),
    ])
  }

  private static func windows(_ windows: LaunchReport.WindowTimes) -> JSON {
    members([
      ("channel", .whole(windows.channelID)), ("windows", .whole(windows.windows)),
      ("median_seconds", .decimal(windows.median)), ("p95_seconds", .decimal(windows.slow)),
      ("longest_seconds", .decimal(windows.longest)),
    ])
  }

  private static func throughput(_ throughput: LaunchReport.Throughput) -> JSON {
    members([
      ("begin", .time(throughput.begin)), ("step_seconds", .decimal(throughput.step)),
      (
        "slots",
        .array(
          throughput.slots.map { slot in
            members([
              ("index", .whole(Int64(slot.index))), ("sent", .whole(slot.sent)), ("failed", .whole(slot.failed)),
              ("skipped", .whole(slot.skipped)), ("unknown", .whole(slot.unknown)),
            ])
          })
      ),
    ])
  }

  private static func answer(_ answer: LaunchReport.AnswerCount) -> JSON {
    row(
      [
        ("channel", .whole(answer.channelID)), ("http_status", answer.httpStatus.map(JSON.whole) ?? .null),
        ("provider_code", answer.providerCode.map { .string($0) } ?? .null),
      ], answer.outcome.name, answer.messages)
  }

  private static func command(_ command: LaunchReport.CommandEntry) -> JSON {
    members([
      ("at", .time(command.at)), ("who", .string(command.who)), ("command", .string(command.command)),
      ("channel", command.channelID.map(JSON.whole) ?? .null), ("from", command.from.map { .string($0) } ?? .null),
      ("to", command.to.map { .string($0) } ?? .null),
    ])
  }

  private static func channel(_ channel: LaunchReport.ChannelSetup) -> JSON {
    members([
      ("channel", .whole(channel.id)), ("name", .string(channel.name)), ("provider", .string(channel.provider)),
      ("payload_profile", .string(channel.payloadProfile)), ("own_template", .bool(channel.hasOwnTemplate)),
      ("credential", .string(channel.credential)), ("settings", channel.settings),
    ])
  }
}
