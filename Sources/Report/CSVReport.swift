import Campaign
public import Store

/// A launch's report for spreadsheets: a row a lane, outcome and reason. The messages of a lane's rows are its planned.
public enum CSVReport {
  /// The whole file, a head line first.
  public static func text(_ report: LaunchReport) -> String {
    var csv = CSV()
    csv.add(
      ["launch", "channel", "name", "provider", "outcome", "reason", "messages"].map { .text($0) })
    for lane in report.status.lanes {
      func add(_ outcome: String, _ reason: String?, _ messages: Int64) {
        csv.add([
          .number(report.status.id), .number(lane.progress.channelID), .text(lane.progress.channelName),
          .text(lane.progress.provider), .text(outcome), .text(reason), .number(messages),
        ])
      }
      add(Outcome.sent.name, nil, lane.progress.sent)
      for reason in lane.reasons where reason.outcome.isFinal {
        add(reason.outcome.name, reason.reason, reason.messages)
      }
      if lane.progress.remaining > 0 { add("remaining", nil, lane.progress.remaining) }
    }
    return csv.text
  }
}
