import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("Status and report from rows", .database)
struct StatusReaderTests {
  @Test("a window on its way, who holds it, and what the lane's row says")
  func underWay() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(6, window: 3)
      let reader = StatusReader(fixture.database)
      var status = try await reader.read(launch, withReasons: true)
      #expect(status.state == .running && status.total.planned == 6 && status.total.remaining == 6)
      #expect(status.runners.isEmpty && status.reasons.isEmpty && status.sendingSeconds == nil)
      #expect(status.rate == 0 && status.secondsLeft == nil)

      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...3))
      status = try await reader.read(launch, withReasons: false)
      #expect(status.lanes[0].openWindows == 1 && status.lanes[0].openMessages == 3)
      #expect(try #require(status.lanes[0].oldestOpenSeconds) >= 0)
      #expect(status.runners.map(\.owner) == ["runner-1"] && status.runners[0].chunks == 1)
      #expect((0.0...60).contains(status.runners[0].leaseSeconds))

      var result = WindowResultBuilder()
      result.add(key(1), .sent)
      result.add(key(2), .rejected)
      result.add(key(3), .unknown)
      _ = try await fixture.windows.close(window, of: lease, result: result.make(cursor: key(3)))
      try await fixture.script(
        "update salvo.lane set cool_until = now() + interval '1 hour', stop_reason = 'why', state = 'stopped'")
      status = try await reader.read(launch, withReasons: true)
      let lane = status.lanes[0]
      #expect(lane.openWindows == 0 && lane.openMessages == 0 && lane.oldestOpenSeconds == nil)
      #expect(lane.progress.counts.map(\.count) == [6, 1, 0, 1, 0, 0, 1, 3])
      #expect(lane.record.state == .stopped && lane.record.stopReason == "why")
      #expect(try #require(lane.record.coolUntil) > status.at)
      // Three messages in a window that was open for a moment.
      #expect(lane.recent == 3 && lane.recentSeconds > 0 && lane.recentSeconds <= 60)
      #expect(lane.rate == 3 / lane.recentSeconds && status.secondsLeft == 3 / lane.rate)
      #expect(Set(lane.reasons.map(\.outcome)) == [.rejected, .unknown])
      #expect(lane.reasons.map(\.messages) == [1, 1])
    }
  }

  @Test("what was accounted more than a minute ago is in no rate, and a lane that stands still has no time left")
  func standsStill() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(6, window: 3)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...3))
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...3)))
      try await fixture.script(
        """
        update salvo.send_window set opened_at = now() - interval '10 min', closed_at = now() - interval '9 min';
        update salvo.chunk set lease_until = now() - interval '5 s'
        """)
      let status = try await StatusReader(fixture.database).read(launch, withReasons: false)
      #expect(status.rate == 0 && status.secondsLeft == nil && status.sendingSeconds == 60)
      #expect(try #require(status.runners.first).leaseSeconds < 0)
      await #expect(throws: StoreError.self) {
        _ = try await StatusReader(fixture.database).read(999, withReasons: false)
      }
    }
  }

  @Test("the report counts messages, hand-overs and attempts from their rows, and time from the windows")
  func report() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...4))
      var result = WindowResultBuilder()
      result.add(key(1), .sent)
      result.add(key(2), .tokenRetired)
      result.add(key(3), .skipped)
      result.add(key(4), .unknown)
      _ = try await fixture.windows.close(window, of: lease, result: result.make(cursor: key(4)))
      try await fixture.script(
        """
        update salvo.send_window set opened_at = '2026-11-30 10:00:00Z', closed_at = '2026-11-30 10:01:30Z';
        insert into salvo.settlement (launch_id, channel_id, profile_id, subscription_id, attempt, outcome, source)
          values (\(launch), 1, 4, 4, 1, 1, 'late_evidence');
        insert into salvo.control_log (launch_id, command, from_state, to_state)
          values (\(launch), 'pause', 'running', 'paused');
        update salvo.channel set settings = '{"proxy": "http://u:p@proxy.example"}' where id = 1
        """)
      let report = try await ReportReader(fixture.database).read(launch)
      #expect(report.accountName == "Shop" && report.status.campaignName == "Autumn")
      #expect(report.handovers[0].requests == 3 && report.handovers[0].handedOver == 3)
      #expect(report.handovers[0].messages == 4 && report.handovers[0].repeated == 0)
      #expect(report.windows[0].windows == 1 && report.windows[0].median == 90 && report.windows[0].longest == 90)
      // 90 seconds in at most 60 columns: two seconds each, all of it in the last one.
      #expect(report.throughput.step == 2)
      #expect(report.throughput.slots == [.init(index: 45, sent: 1, failed: 1, skipped: 1, unknown: 1)])
      #expect(report.settlements.map(\.source) == ["late_evidence"] && report.settlements[0].messages == 1)
      #expect(report.commands.map(\.command) == ["pause"])
      #expect(report.channels[0].settings.text == #"{"proxy":"http://***@proxy.example"}"#)
      #expect(report.channels[0].credential == "file:fcm.json")
    }
  }

  @Test("messages come page by page by key, only those asked for, with the platform's own ids")
  func messages() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4_500, window: 4_500)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...4_500))
      var result = WindowResultBuilder()
      for n in 1...4_500 { result.add(key(Int64(n)), n % 1_000 == 0 ? .unknown : .sent) }
      _ = try await fixture.windows.close(window, of: lease, result: result.make(cursor: key(4_500)))
      let reader = MessageLogReader(fixture.database)
      var pages: [Int] = []
      var seen: [Int64] = []
      try await reader.read(launch, outcomes: []) { entries in
        pages.append(entries.count)
        seen += entries.map(\.key.profileID)
      }
      #expect(pages == [2_000, 2_000, 500])
      #expect(seen == Array(1...4_500))
      var unknown: [String?] = []
      try await reader.read(launch, outcomes: [.unknown]) { unknown += $0.map(\.externalID) }
      #expect(unknown == ["customer-1000", "customer-2000", "customer-3000", "customer-4000"])
    }
  }
}
