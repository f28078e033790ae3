import Base
import Campaign
import Foundation
import Testing

@testable import Report
@testable import Store

@Suite("HTML report")
struct HTMLReportTests {
  /// A text that would run, break out of an attribute and turn what follows it, were it not escaped.
  static let hostile = "<script>alert(\"x\")</script> & 'y' \u{202E}live"
  static let escaped =
    "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39; [U+202E]live"

  static func report(_ text: String) -> LaunchReport {
    var lane = ProgressLineTests.lane(text)
    lane.record.stopReason = text
    lane.reasons = [ReasonCount(channelID: 1, outcome: .rejected, reason: text, messages: 2)]
    lane.firstOpenedAt = EpochMilliseconds(1_760_000_000_000)
    lane.lastClosedAt = EpochMilliseconds(1_760_000_004_000)
    var status = ProgressLineTests.status([lane])
    status.campaignName = text
    return LaunchReport(
      status: status, accountID: 1, accountName: text, campaignID: 1,
      content: .object(JSONObject([.init(key: text, value: .string(text))])), options: .object(JSONObject()),
      channels: [
        .init(
          id: 1, name: text, provider: "android-firebase", payloadProfile: "altcraft", hasOwnTemplate: false,
          credential: text, settings: .object(JSONObject([.init(key: "topic", value: .string(text))])))
      ],
      handovers: [.init(channelID: 1, messages: 1_590, handedOver: 1_580, requests: 1_601, repeated: 7)],
      windows: [.init(channelID: 1, windows: 5, median: 0.42, slow: 1.5, longest: 12)],
      throughput: .init(
        begin: EpochMilliseconds(1_760_000_000_000), step: 1,
        slots: [.init(index: 0, sent: 800, failed: 30, skipped: 10, unknown: 0)]),
      answers: [.init(channelID: 1, outcome: .rejected, httpStatus: 400, providerCode: text, messages: 2)],
      variants: [.init(variant: text, outcome: .sent, messages: 1)],
      settlements: [.init(source: text, outcome: .sent, messages: 1)],
      commands: [.init(at: nil, who: text, command: text, channelID: 1, from: text, to: text)])
  }

  @Test("whatever others wrote is shown as written: no markup, no turned text")
  func hostileTexts() throws {
    let page = HTMLReport.text(Self.report(Self.hostile))
    #expect(!page.contains("<script"))
    #expect(!page.unicodeScalars.contains("\u{202E}"))
    #expect(page.contains("<h1><bdi>\(Self.escaped)</bdi></h1>"))
    #expect(page.contains("<title>Launch 7: \(Self.escaped)</title>"))
    #expect(page.contains("aria-label=\"\(Self.escaped): 62 percent of 2500 sent\""))
    // Name, account, lanes, reasons, codes, variants, settlements, commands, content, settings: nothing left out.
    #expect(page.components(separatedBy: "&lt;script&gt;").count > 20)
  }

  @Test("the page loads nothing, runs nothing and names no other place")
  func selfContained() {
    let page = HTMLReport.text(Self.report("Sale"))
    for word in ["http://", "https://", "src=", "href=", "url(", "@import", "<script", "<link", "<img", "onload"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains("name=\"viewport\""))
  }

  @Test("its numbers are the launch's")
  func numbers() {
    let page = HTMLReport.text(Self.report("Sale"))
    #expect(page.contains("<dt>Planned</dt><dd>2,500<small>over one channel</small></dd>"))
    #expect(page.contains("<dt>Sent</dt><dd>1,550<small>62 % of the audience</small></dd>"))
    #expect(page.contains("<dt>Failed</dt><dd>30<small>"))
    #expect(page.contains("<dt>Remaining</dt><dd>910<small>"))
    #expect(page.contains("<b>1,580</b> · 63 %"))
    #expect(page.contains("Messages were handed to the network 1,601 times in all; 7 had more than one attempt."))
  }

  @Test("every tag that is opened is closed, in order")
  func wellFormed() throws {
    let page = HTMLReport.text(Self.report(Self.hostile))
    var open: [Substring] = []
    for tag in page.matches(of: /<(\/?)([a-z0-9]+)([^>]*)>/).map(\.output) {
      if ["meta"].contains(tag.2) || tag.3.hasSuffix("/") { continue }
      if tag.1.isEmpty {
        open.append(tag.2)
      } else {
        try #require(open.popLast() == tag.2, "</\(tag.2)> closes another")
      }
    }
    #expect(open.isEmpty)
  }

  @Test("CSV quotes what it must, and no cell begins a formula")
  func csv() {
    let lines = CSVReport.text(Self.report("=1+1,\"x\"\ny")).components(separatedBy: "\r\n")
    #expect(lines[0] == "launch,channel,name,provider,outcome,reason,messages")
    #expect(lines[1] == "7,1,\"'=1+1,\"\"x\"\"\ny\",android-firebase,sent,,1550")
    #expect(lines[3] == "7,1,\"'=1+1,\"\"x\"\"\ny\",android-firebase,remaining,,910")
  }

  @Test("a report's file name is plain: no way out of the folder, nothing hidden")
  func names() {
    for name in ["report.html", "Отчёт 7.csv", "a..b"] { #expect(ReportFile.isPlain(name), "\(name)") }
    for name in ["", ".", "..", ".hidden", "a/b", "/etc/passwd", "..\\x", "a\nb", "a\u{0}b", "\u{202E}a"] {
      #expect(!ReportFile.isPlain(name), "\(name)")
    }
  }

  @Test("a proxy's password doesn't leave the settings; durations and shares are rounded as people read them")
  func masked() {
    let settings = JSON.object(
      JSONObject([.init(key: "proxy", value: .string("http://me:secret@proxy.example:3128"))]))
    #expect(ReportReader.masked(settings).text == #"{"proxy":"http://***@proxy.example:3128"}"#)
    #expect([0.4, 59.6, 61, 3_725, 90_000].map(Figures.duration) == ["0:00", "1:00", "1:01", "1:02:05", "1 d 1 h"])
    #expect(Figures.percent(999_999, of: 1_000_000) == 99 && Figures.percent(1, of: 1_000_000) == 1)
    #expect(Figures.grouped(1_234_567) == "1,234,567" && Figures.grouped(-999) == "-999")
    #expect(Figures.decimal(0.005, 2) == "0.01" && Figures.decimal(-2.5, 0) == "-3")
  }
}
