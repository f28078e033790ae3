import Foundation
import Testing

extension Runs {
  /// Whole campaigns through the executable, held against what the providers saw.
  @Suite struct CampaignTests {
    @Test("a mixed campaign over four providers is accounted for, message by message")
    func mixedCampaign() async throws {
      let stack = try await Stack.shared()
      // Of 500 a lane: 10 dead (7, 57 …), 5 retired long ago (3, 103 …), 4 with the token of the one before them.
      let lanes = [TestLane.firebase(500), .apns(500), .hms(500), .appMetrica(500)].map { lane in
        var lane = lane
        lane.start = "case when n % 50 = 7 then 'deadab' else 'ab' end"
        lane.state = "case when n % 100 = 3 then 'retired' else 'active' end"
        lane.twin = "case when n % 125 = 20 then n - 1 else n end"
        return lane
      }
      let launch = try await TestLaunch.make(stack, lanes)
      let ended = try await launch.run()
      // AppMetrica tells nothing about single devices, so its dead tokens count as sent: 3 × 481 + 491.
      #expect(
        ended.outLines.last
          == "all lanes: planned 2000 sent 1934 token_retired 30 rejected 0 expired 0 skipped 36 unknown 0 remaining 0")

      let expected = ["fcm": 491, "apns": 491, "hms": 491, "appmetrica": 491]
      let ledger = Dictionary(grouping: try await stack.ledger(), by: \.provider)
      #expect(ledger.mapValues(\.count) == expected)
      for (provider, lines) in ledger {
        #expect(Set(lines.map(\.token)).count == lines.count, "\(provider) got a token twice")
      }
      for channel in launch.channels { #expect(try await launch.requestsWritten(channel) == 491) }
      #expect(
        try await launch.count(
          "count(*)", from: "delivery", where: "channel_id = \(launch.channels[3]) and outcome = 1")
          == 491)

      // Only the dead were retired, with the provider's word; before the launch 5 a lane were.
      #expect(
        try await stack.sql(
          """
          select count(*) filter (where left(s.token, 4) = 'dead'), count(*), count(s.retired_reason)
          from salvo.subscription s join salvo.channel h on h.id = s.channel_id
          where h.account_id = \(launch.account) and s.state = 'retired' group by h.id order by h.id
          """) == ["10|15|10", "10|15|10", "10|15|10", "0|5|0"])
      #expect(
        try await stack.sql(
          """
          select channel_id, reason, count(*) from salvo.delivery where launch_id = \(launch.id) and outcome = 5
          group by 1, 2 order by 1, 2
          """) == launch.channels.flatMap { ["\($0)|duplicate|4", "\($0)|retired|5"] })

      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await launch.unfinishedBusiness() == 0)
      #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["finished"])
      try await expectKnownIDs(launch, ledger.values.flatMap { $0 })

      let again = try await launch.run()
      #expect(again.outLines.last == ended.outLines.last)
      #expect(try await stack.ledger().count == 4 * 491)
    }

    /// Every id in a payload is the one that was written for the subscription with that token.
    private func expectKnownIDs(_ launch: TestLaunch, _ lines: [Stack.Received]) async throws {
      let written = try await launch.stack.sql(
        """
        select s.token, d.message_uid from salvo.delivery d
        join salvo.subscription s on s.profile_id = d.profile_id and s.id = d.subscription_id
        where d.launch_id = \(launch.id) and d.requests > 0
        """)
      let received = lines.filter { $0.provider != "appmetrica" }.map { "\($0.token)|\($0.uid ?? "")" }
      #expect(received.count == 3 * 491)
      #expect(Set(received).subtracting(written) == [])
      #expect(Set(received.map { $0.split(separator: "|").last }).count == received.count)
    }

    @Test("2,500 equal Huawei messages are three requests, 12,000 of AppMetrica three transfers")
    func batches() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.hms(2_500), .appMetrica(12_000)], content: TestLaunch.equalContent, options: #"{"tracking": "group"}"#)
      let ended = try await launch.run()
      #expect(
        ended.outLines.last
          == "all lanes: planned 14500 sent 14500 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")

      let hms = Dictionary(grouping: try await stack.ledger("hms"), by: \.request).mapValues(\.count)
      #expect(hms.values.sorted() == [500, 1_000, 1_000])
      let lines = try await stack.ledger("appmetrica")
      let transfers = Dictionary(grouping: lines, by: \.request)
      #expect(transfers.values.map(\.count).sorted() == [2_000, 5_000, 5_000])
      #expect(Set(lines.map(\.token)).count == 12_000)
      let windows = try await stack.sql(
        """
        select id from salvo.send_window where launch_id = \(launch.id) and channel_id = \(launch.channels[1]) order by id
        """)
      #expect(windows.count == 3)
      #expect(Set(lines.compactMap(\.clientTransferId)).sorted().map(String.init) == windows)
    }
  }
}
