import Base
import Store

/// When messages were accounted, how long windows took, and what people said meanwhile.
struct ReportTimes {
  private let report: LaunchReport

  init(_ report: LaunchReport) { self.report = report }

  // MARK: Throughput

  var throughput: HTML {
    let (throughput, slots) = (report.throughput, slots)
    guard let last = slots.indices.last else { return .empty }
    let sums = slots.map { $0.reduce(0) { $0 + $1.count } }
    let highest = Figures.rate(Double(sums.max() ?? 0) / throughput.step)
    let chart = Chart.columns(slots, label: "Messages accounted over time, at most \(highest) a second") { index in
      let parts = slots[index].filter { $0.count > 0 }.map { "\($0.kind) \(Figures.grouped($0.count))" }
      return "\(begin(of: index).rfc3339): \(parts.joined(separator: ", "))"
    }
    let all = slots.joined().reduce(into: [String: Int64]()) { $0[$1.kind, default: 0] += $1.count }
    return """
      <figure>
      <div class="axis"><span>\(highest) messages a second at most</span>\
      <span>a column is \(Figures.seconds(throughput.step))</span></div>
      \(chart)
      <div class="axis"><span>\(HTMLReport.time(throughput.begin))</span>\
      <span>\(HTMLReport.time(begin(of: last + 1)))</span></div>
      \(Chart.legend(["sent", "failed", "unknown", "skipped"].map { ($0, all[$0] ?? 0) }))</figure>
      <p class="note">A message counts when its window is closed, that is some hundreds at a time. One that was sent again
      counts each time it got an outcome.</p>

      """
  }

  /// One an interval, those included in which nothing happened. As many as the reader allows, a few more after a launch
  /// was taken up again.
  private var slots: [[Chart.Part]] {
    let last = report.throughput.slots.map(\.index).max() ?? -1
    guard last >= 0, last < 10_000 else { return [] }
    var slots = [[Chart.Part]](repeating: [], count: last + 1)
    for slot in report.throughput.slots where slots.indices.contains(slot.index) {
      slots[slot.index] = [
        ("sent", slot.sent), ("failed", slot.failed), ("unknown", slot.unknown), ("skipped", slot.skipped),
      ]
    }
    return slots
  }

  private func begin(of index: Int) -> EpochMilliseconds {
    report.throughput.begin.adding(seconds: Double(index) * report.throughput.step)
  }

  // MARK: Times

  var times: HTML {
    let status = report.status
    var table = HTMLTable(["Channel", "#windows", "#half within", "#95 % within", "#longest"])
    for windows in report.windows {
      table.add([
        "\(foreign: report.channelName(windows.channelID))", "\(windows.windows)", "\(Figures.seconds(windows.median))",
        "\(Figures.seconds(windows.slow))", "\(Figures.seconds(windows.longest))",
      ])
    }
    let moments: [(String, EpochMilliseconds?)] = [
      ("Created", report.createdAt), ("Not before", status.notBefore), ("Planned", status.startedAt),
      ("First window opened", status.lanes.compactMap(\.firstOpenedAt).min()),
      ("Last window closed", status.lanes.compactMap(\.lastClosedAt).max()), ("Ended", status.finishedAt),
      ("Not after", report.notAfter),
    ]
    var list = HTMLTable(["Moment", "Time"])
    for (name, moment) in moments where moment != nil { list.add(["\(name)", HTMLReport.time(moment)]) }
    return """
      \(list.html)
      <h3>From a window's opening to its closing</h3>
      \(table.isEmpty ? "<p>No window is closed yet.</p>" : table.html)
      <p class="note">A window is some hundreds of messages whose sending is written down before it begins; it closes when
      each of them has its outcome, retries within it included. How long a single request took, and how large a payload
      was, the tables don't keep.</p>

      """
  }

  // MARK: Commands

  var commands: HTML {
    var table = HTMLTable(["Time", "Who", "Command", "Channel", "From", "To"])
    for command in report.commands {
      table.add([
        HTMLReport.time(command.at), "\(foreign: command.who)", "\(foreign: command.command)",
        command.channelID.map { "\(foreign: report.channelName($0))" } ?? "all",
        "\(foreign: command.from ?? "-")", "\(foreign: command.to ?? "-")",
      ])
    }
    return table.isEmpty ? .empty : table.html
  }
}
