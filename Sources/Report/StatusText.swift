import Base
import Campaign
public import Store

/// Where a launch stands, for people: a head line, a row a lane, the reasons, who runs.
public enum StatusText {
  /// - Parameter width: cells of the terminal; where the table is wider, lanes come as paragraphs.
  public static func lines(_ status: LaunchStatus, width: Int = .max) -> [String] {
    var lines = [head(status), summary(status), ""]
    guard !status.lanes.isEmpty else { return lines.dropLast() }
    let table = table(status)
    lines += table.allSatisfy { $0.columns <= width } ? table : paragraphs(status, width)
    let notes = status.lanes.compactMap { note($0, at: status.at) }
    if !notes.isEmpty { lines += [""] + notes }
    let reasons = reasons(status)
    if !reasons.isEmpty { lines += [""] + reasons }
    lines += [""] + runners(status)
    return lines
  }

  private static func head(_ status: LaunchStatus) -> String {
    let moment: String? =
      switch status.state {
      case .draft, .scheduled: status.notBefore.map { ", not before \($0.localText)" }
      case .finished, .cancelled, .missed, .failed, .needsDecision:
        status.finishedAt.map { " since \($0.localText)" }
      default: status.startedAt.map { ", planned \($0.localText)" }
      }
    return "launch \(status.id) (\(status.campaignName.onOneLine)): \(status.state.rawValue)\(moment ?? "")"
  }

  private static func summary(_ status: LaunchStatus) -> String {
    let total = status.total
    if status.lanes.isEmpty { return "not planned yet: salvo run \(status.id) plans and sends it" }
    let accounted = "\(total.accounted) of \(total.planned) accounted"
    if total.remaining == 0 {
      guard let seconds = status.sendingSeconds else { return accounted }
      let rate = seconds > 0 ? ", \(Figures.rate(Double(total.accounted) / seconds))/s" : ""
      return "\(accounted) in \(Figures.duration(seconds))\(rate)"
    }
    let left = status.secondsLeft.map { ", \(Figures.duration($0)) left" } ?? ""
    return "\(accounted), \(total.remaining) remain, \(Figures.rate(status.rate))/s\(left)"
  }

  private static func table(_ status: LaunchStatus) -> [String] {
    var table = TextTable(
      columns: [.left("CHANNEL"), .left("PROVIDER"), .left("STATE")]
        + LaneProgress.zero.counts.map { .right($0.name.uppercased()) }
        + [.right("RATE/S"), .right("LEFT"), .right("DEAD")])
    for lane in status.lanes {
      table.add(
        [lane.progress.channelName, lane.progress.provider, lane.record.state.rawValue]
          + lane.progress.counts.map { "\($0.count)" }
          + [
            lane.progress.remaining > 0 ? Figures.rate(lane.rate) : "-", lane.secondsLeft.map(Figures.duration) ?? "-",
            "\(lane.record.dead)/\(lane.record.verdicts)",
          ])
    }
    table.add(
      ["all lanes", "", ""] + status.total.counts.map { "\($0.count)" }
        + [
          status.total.remaining > 0 ? Figures.rate(status.rate) : "-",
          status.secondsLeft.map(Figures.duration) ?? "-", "",
        ])
    return table.lines
  }

  /// A lane's name on a line of its own, its numbers below, as many on a line as there is room for.
  private static func paragraphs(_ status: LaunchStatus, _ width: Int) -> [String] {
    func numbers(_ progress: LaneProgress, _ rate: Double, _ left: Double?) -> [String] {
      var words = progress.counts.map { "\($0.name) \($0.count)" }
      if progress.remaining > 0 { words.append("\(Figures.rate(rate))/s") }
      if let left { words.append("\(Figures.duration(left)) left") }
      var lines: [String] = []
      for word in words {
        if let last = lines.last, last.columns + 2 + word.columns <= width {
          lines[lines.count - 1] = last + "  " + word
        } else {
          lines.append("  " + word)
        }
      }
      return lines
    }
    return status.lanes.flatMap { lane in
      ["\(lane.progress.channelName.onOneLine) (\(lane.progress.provider)): \(lane.record.state.rawValue)"]
        + numbers(lane.progress, lane.rate, lane.secondsLeft)
    } + ["all lanes"] + numbers(status.total, status.rate, status.secondsLeft)
  }

  /// What holds a lane up, or is under way in it.
  private static func note(_ lane: LaunchStatus.Lane, at now: EpochMilliseconds) -> String? {
    var words: [String] = []
    if let reason = lane.record.stopReason { words.append("stopped: \(reason.onOneLine)") }
    if let until = lane.record.coolUntil, until > now { words.append("waits until \(until.localText)") }
    if lane.openWindows > 0 {
      let age = lane.oldestOpenSeconds.map { ", the oldest opened \(Figures.seconds($0)) ago" } ?? ""
      let windows = lane.openWindows == 1 ? "an open window" : "\(lane.openWindows) open windows"
      words.append("\(lane.openMessages) messages in \(windows)\(age)")
    }
    if lane.awaited > 0 { words.append("\(lane.awaited) messages await the provider's word") }
    return words.isEmpty ? nil : "\(lane.progress.channelName.onOneLine): \(words.joined(separator: "; "))"
  }

  private static func reasons(_ status: LaunchStatus) -> [String] {
    guard status.lanes.contains(where: { !$0.reasons.isEmpty }) else { return [] }
    var table = TextTable(columns: [.left("NOT SENT"), .left("OUTCOME"), .left("REASON"), .right("MESSAGES")])
    for lane in status.lanes {
      for reason in lane.reasons {
        table.add([lane.progress.channelName, reason.outcome.name, reason.reason, "\(reason.messages)"])
      }
    }
    return table.lines
  }

  private static func runners(_ status: LaunchStatus) -> [String] {
    guard !status.runners.isEmpty else { return ["no runner holds a chunk"] }
    var table = TextTable(columns: [.left("RUNNER"), .right("CHUNKS"), .left("LEASE")])
    for runner in status.runners {
      table.add([
        runner.owner, "\(runner.chunks)",
        runner.leaseSeconds > 0
          ? "ends in \(Figures.seconds(runner.leaseSeconds)) unless renewed"
          : "ended \(Figures.seconds(-runner.leaseSeconds)) ago: any runner may take over",
      ])
    }
    return table.lines
  }
}
