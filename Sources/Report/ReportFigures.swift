import Store

/// The report's numbers of `launch_progress`, and how many messages got how far.
struct ReportFigures {
  private let report: LaunchReport
  private var total: LaneProgress { report.status.total }

  init(_ report: LaunchReport) { self.report = report }

  // MARK: In short

  var tiles: HTML {
    func share(_ count: Int64) -> HTML { "\(Figures.percent(count, of: total.planned)) % of the audience" }
    var tiles = [
      tile(
        "Planned", "\(total.planned)",
        report.status.lanes.count == 1 ? "over one channel" : "over \(Int64(report.status.lanes.count)) channels"),
      tile("Sent", "\(total.sent)", share(total.sent)),
      tile("Failed", "\(total.failed)", "dead token, rejected or expired"),
      tile("Skipped", "\(total.skipped)", "not tried"),
      tile("Unknown", "\(total.unknown)", "handed over, no answer"),
    ]
    if total.remaining > 0 { tiles.append(tile("Remaining", "\(total.remaining)", "not accounted")) }
    if let seconds = report.status.sendingSeconds {
      let rate = seconds > 0 ? Figures.rate(Double(total.accounted) / seconds) : "-"
      tiles.append(tile("Sending took", "\(Figures.duration(seconds))", "\(rate) messages a second"))
    }
    return "<dl class=\"tiles\">\(tiles)</dl>\n"
  }

  private func tile(_ name: String, _ figure: HTML, _ note: HTML) -> HTML {
    "<div><dt>\(name)</dt><dd>\(figure)<small>\(note)</small></dd></div>\n"
  }

  // MARK: Funnel

  var funnel: HTML {
    var steps: [(String, Int64, String)] = [
      ("Audience", total.planned, "all"), ("To be sent", total.planned - total.skipped, "all"),
    ]
    // Nothing to count where the launch's messages were taken away with age.
    if !report.handovers.isEmpty {
      steps.append(("Handed to the network", report.handovers.reduce(0) { $0 + $1.handedOver }, "all"))
    }
    steps.append(("Sent", total.sent, "sent"))
    let rows = steps.map { name, count, kind -> HTML in
      let share = Figures.percent(count, of: total.planned)
      let bar = Chart.bar([(kind, count)], of: total.planned, label: "\(name): \(share) percent of the audience")
      return "<dt>\(name)</dt><dd>\(bar)<span><b>\(count)</b> · \(share) %</span></dd>\n"
    }
    return """
      <figure><dl class="steps">
      \(rows)</dl></figure>
      <p class="note">\(requests) Sent means that the provider took the message and said so. Whether a device showed it,
      no provider tells here.</p>

      """
  }

  private var requests: HTML {
    if report.handovers.isEmpty { return .empty }
    let requests = report.handovers.reduce(0) { $0 + $1.requests }
    let repeated = report.handovers.reduce(0) { $0 + $1.repeated }
    return """
      Messages were handed to the network \(requests) times in all; \(repeated) had more than one attempt.
      """
  }

  // MARK: Channels

  var channels: HTML {
    let bars = report.status.lanes.map { lane -> HTML in
      let progress = lane.progress
      let share = Figures.percent(progress.sent, of: progress.planned)
      let bar = Chart.bar(
        LaunchStatus.parts(progress), of: progress.planned,
        label: "\(progress.channelName): \(share) percent of \(progress.planned) sent")
      return """
        <dt>\(foreign: progress.channelName)<small>\(progress.provider)</small></dt><dd>\(bar)<span><b>\(progress.sent)</b> of \(progress.planned)</span></dd>

        """
    }
    var table = HTMLTable(
      ["Channel", "State"] + LaneProgress.zero.counts.map { "#" + $0.name.replacing("_", with: " ") })
    for lane in report.status.lanes {
      table.add(
        ["\(foreign: lane.progress.channelName)", "\(lane.record.state.rawValue)"]
          + lane.progress.counts.map { "\($0.count)" })
    }
    if report.status.lanes.count > 1 { table.add(["All", ""] + total.counts.map { "\($0.count)" }, isSum: true) }
    return """
      <figure><dl class="steps">
      \(bars)</dl>
      \(Chart.legend(LaunchStatus.parts(total)))</figure>
      <h3>In numbers</h3>
      \(table.html)\(stops)
      """
  }

  /// Which lanes stopped, and why.
  private var stops: HTML {
    let stops = report.status.lanes.compactMap { lane -> HTML? in
      guard let reason = lane.record.stopReason else { return nil }
      return "<li>\(foreign: lane.progress.channelName) stopped: \(foreign: reason)</li>\n"
    }
    return stops.isEmpty ? .empty : "<ul class=\"stops\">\n\(stops)</ul>\n"
  }
}
