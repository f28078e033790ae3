import Base
import Campaign
public import Store

/// A launch's report as one file: style and pictures inside, nothing loaded from elsewhere, no script. It prints, it
/// follows the reader's light or dark, and a phone shows it.
public enum HTMLReport {
  /// The whole file.
  public static func text(_ report: LaunchReport) -> String {
    let status = report.status
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Launch \(String(status.id)): \(status.campaignName)</title>
      <style>
      \(HTML(markup: String(decoding: PackageResources.report_css, as: UTF8.self)))</style>
      </head>
      <body>
      \(header(report))
      <main>
      \(sections(report))</main>
      <footer><p>Made by salvo at \(time(status.at)) from the tables of its database.</p></footer>
      </body>
      </html>

      """
    return page.text
  }

  private static func header(_ report: LaunchReport) -> HTML {
    let status = report.status
    let kind =
      switch status.state {
      case .finished: "good"
      case .cancelled, .missed, .failed: "bad"
      default: "wait"
      }
    return """
      <header>
      <h1>\(foreign: status.campaignName)</h1>
      <p>Launch \(String(status.id)) of \(foreign: report.accountName)
      <span class="state \(kind)">\(status.state.rawValue)</span></p>
      </header>
      """
  }

  private static func sections(_ report: LaunchReport) -> [HTML] {
    guard !report.status.lanes.isEmpty else {
      return [
        section("Not planned yet", "<p>The launch has no numbers before it is run.</p>"),
        ReportSettings(report).html,
      ]
    }
    return [
      section("In short", ReportFigures(report).tiles),
      section("From the audience to the providers", ReportFigures(report).funnel),
      section("Over time", ReportTimes(report).throughput),
      section("By channel", ReportFigures(report).channels),
      section("Why messages were not sent", ReportReasons(report).reasons),
      section("What providers answered", ReportReasons(report).answers),
      section("How long it took", ReportTimes(report).times),
      section("Unknown", ReportReasons(report).unknown),
      section("Retired tokens", ReportReasons(report).retired),
      section("Variants", ReportReasons(report).variants),
      section("Commands", ReportTimes(report).commands),
      ReportSettings(report).html,
    ]
  }

  /// Nothing where there is nothing to say.
  static func section(_ title: String, _ content: HTML) -> HTML {
    content == .empty ? .empty : "<section>\n<h2>\(title)</h2>\n\(content)</section>\n"
  }

  static func time(_ moment: EpochMilliseconds?) -> HTML {
    guard let moment else { return "-" }
    return "<time datetime=\"\(moment.rfc3339)\">\(moment.localText)</time>"
  }
}

extension LaunchReport {
  /// The lane's name as it stood when the report was read.
  func channelName(_ id: Int64) -> String {
    status.lanes.first { $0.progress.channelID == id }?.progress.channelName ?? "channel \(id)"
  }
}

extension LaunchStatus {
  /// Parts of a bar of one lane or of all: together they are `planned`.
  static func parts(_ progress: LaneProgress) -> [Chart.Part] {
    [
      ("sent", progress.sent), ("failed", progress.failed), ("unknown", progress.unknown),
      ("skipped", progress.skipped), ("remaining", progress.remaining),
    ]
  }
}
