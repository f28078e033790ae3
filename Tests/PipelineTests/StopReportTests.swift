import Base
import Testing

@testable import Pipeline

@Suite("StopReport")
struct StopReportTests {
  private let start = BootInstant(nanoseconds: 1_000_000_000_000)
  private let untrusted = "SSL certificate problem"

  private func lines(_ report: inout StopReport, after seconds: Double) -> [StopReport.Line] {
    report.due(at: start.advanced(seconds: seconds))
  }

  @Test(
    "lanes that stop for one cause within a second share a line, in the order of their channels, each with its place")
  func oneCause() {
    var report = StopReport()
    report.laneStopped(3, "shop-huawei", LaneStop(.unreachable, untrusted, place: "https://c:1"), at: start)
    #expect(lines(&report, after: 0.9) == [])
    report.laneStopped(
      1, "shop-android", LaneStop(.unreachable, untrusted, place: "https://a:1"), at: start.advanced(seconds: 0.9))
    report.laneStopped(
      2, "shop-ios", LaneStop(.unreachable, untrusted, place: "https://b:1"), at: start.advanced(seconds: 0.95))
    #expect(
      lines(&report, after: 1) == [
        StopReport.Line(
          isError: true,
          text: "lanes shop-android (https://a:1), shop-ios (https://b:1) and shop-huawei (https://c:1) stopped:"
            + " SSL certificate problem; once that is right, run the launch again")
      ])
    #expect(lines(&report, after: 9) == [])
    #expect(report.rest() == [])
  }

  @Test("another cause or another kind has a line of its own; what came last is told at the end")
  func ownLines() {
    var report = StopReport()
    report.laneStopped(1, "a", LaneStop(.credential, "refused"), at: start)
    report.laneStopped(2, "b", LaneStop(.provider, "refused"), at: start)
    report.laneStopped(3, "c", LaneStop(.abandoned, "7 messages are left"), at: start)
    #expect(
      report.rest() == [
        StopReport.Line(isError: true, text: "lane a stopped: refused; once that is right, run the launch again"),
        StopReport.Line(isError: true, text: "lane b stopped: refused; once that is right, run the launch again"),
        StopReport.Line(isError: false, text: "lane c stopped: 7 messages are left"),
      ])
    #expect(report.rest() == [])
  }

  @Test("a failure that ends the run is told by whoever ends it, not here")
  func failure() {
    var report = StopReport()
    report.laneStopped(1, "a", LaneStop(.failure, "the database is away"), at: start)
    #expect(report.rest() == [])
  }
}
