import Base
import Campaign
import Testing

@testable import Report
@testable import Store

@Suite("Live lines")
struct ProgressLineTests {
  /// 2,500 planned, 1,550 sent, 30 failed, 10 skipped; 812 a second over the last minute.
  static func lane(_ name: String = "shop-android") -> LaunchStatus.Lane {
    LaunchStatus.Lane(
      progress: LaneProgress(
        channelID: 1, provider: "android-firebase", channelName: name, planned: 2_500, sent: 1_550, tokenRetired: 28,
        rejected: 2, expired: 0, skipped: 10, unknown: 0, remaining: 910),
      record: LaneRecord(channelID: 1, state: .running, planned: 2_500, verdicts: 1_580, dead: 28),
      recent: 1_624, recentSeconds: 2, openWindows: 1, openMessages: 250, awaited: 0,
      reasons: [
        ReasonCount(channelID: 1, outcome: .tokenRetired, reason: "unregistered", messages: 28),
        ReasonCount(channelID: 1, outcome: .skipped, reason: "duplicate", messages: 10),
        ReasonCount(channelID: 1, outcome: .rejected, reason: "payload", messages: 2),
      ])
  }

  static func status(_ lanes: [LaunchStatus.Lane]) -> LaunchStatus {
    LaunchStatus(
      id: 7, state: .running, campaignName: "Sale", at: EpochMilliseconds(1_760_000_000_000), lanes: lanes, runners: [])
  }

  private func line(_ lane: LaunchStatus.Lane, width: Int, paint: Bool = false, utf8: Bool = true) -> String {
    ProgressLine.lines(
      Self.status([lane]), width: width, height: 24, isUTF8: utf8, paint: Paint(isOn: paint))[0]
  }

  @Test("a wide terminal shows everything: bar, share, sent, failed by reason, rate, time left, breaker")
  func wide() {
    #expect(
      line(Self.lane(), width: 160)
        == "shop-android  ━━━━━━━━━━━━────────   64%  sent 1550  failed 30  (unregistered 28, payload 2)  skipped 10"
        + "  812/s  0:01 left  dead 2%")
    #expect(line(Self.lane(), width: 160, utf8: false).contains("############--------"))
  }

  @Test("a line is never wider than the terminal, and keeps name, share and sent longest")
  func narrow() {
    for width in 1...160 {
      #expect(line(Self.lane("Магазин 👩‍👩‍👧 日本"), width: width).columns < max(width, 1), "at \(width)")
    }
    #expect(line(Self.lane(), width: 60) == "shop-android   64%  sent 1550  failed 30  812/s  0:01 left")
    #expect(line(Self.lane(), width: 34) == "shop-an…   64%  sent 1550")
  }

  @Test("without colour there is no escape sequence; with it the text is the same")
  func colour() {
    #expect(!line(Self.lane(), width: 160).contains("\u{1B}"))
    let coloured = line(Self.lane(), width: 160, paint: true)
    #expect(coloured.contains("\u{1B}[31mfailed 30\u{1B}[0m"))
    #expect(
      coloured.replacing(/\u{1B}\[[0-9]+m/, with: "") == line(Self.lane(), width: 160))
  }

  @Test("a stopped lane says why, a cooling one how long, and no name moves the cursor")
  func states() {
    var lane = Self.lane("a\u{1B}[2Jb\n\u{202E}c")
    lane.record.state = .stopped
    lane.record.stopReason = "the provider refuses the credential"
    #expect(line(lane, width: 200).hasPrefix("a [2Jb  c  "))
    #expect(line(lane, width: 200).contains("stopped: the provider refuses the crede"))
    lane.record.state = .running
    lane.record.coolUntil = EpochMilliseconds(1_760_000_090_000)
    #expect(line(lane, width: 200).contains("  waits 1:30  "))
  }

  @Test("more lanes than rows: the rest is counted")
  func tall() {
    let lanes = (1...30).map { Self.lane("lane-\($0)") }
    let lines = ProgressLine.lines(
      Self.status(lanes), width: 80, height: 10, isUTF8: true, paint: Paint(isOn: false))
    #expect(lines.count == 8)
    #expect(lines[6].hasPrefix("lane-7"))
    #expect(lines[7] == "and 23 more lanes")
  }

  @Test("rate and time left are the last minute's; a lane without progress has no time left")
  func estimate() {
    let lane = Self.lane()
    #expect(lane.rate == 812)
    #expect(lane.secondsLeft == 910.0 / 812)
    var idle = lane
    idle.recent = 0
    #expect(idle.rate == 0 && idle.secondsLeft == nil)
    #expect(Self.status([lane, idle]).secondsLeft == nil)
    #expect(Self.status([lane, lane]).rate == 1_624)
  }
}
