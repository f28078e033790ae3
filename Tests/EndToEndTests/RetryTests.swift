import Foundation
import Testing

extension Runs {
  /// What a provider does not take at once: again inside the window, or later by a retry chunk.
  @Suite struct RetryTests {
    @Test("short waits are done inside the window, longer ones by a retry chunk, and every request is written")
    func retries() async throws {
      let stack = try await Stack.shared()
      // Every 10th token is refused the first time it is sent to. Google wants ten seconds before any retry, so FCM's
      // leave the window; Apple's and Huawei's wait for as long as the channel says.
      let launch = try await TestLaunch.make(
        stack,
        [
          .firebase(100, start: "case when n % 10 = 0 then 'f503' else 'ab' end"),
          .apns(100, ["retry_5xx_after": 1], start: "case when n % 10 = 0 then 'f500' else 'ab' end"),
          .apns(100, ["retry_5xx_after": 6], start: "case when n % 10 = 0 then 'f503' else 'ab' end"),
          .hms(100, ["retry_5xx_after": 1], start: "case when n % 10 = 0 then 'f500' else 'ab' end"),
          // 500 whenever asked: two requests in each of three attempts.
          .apns(100, ["retry_5xx_after": 1], start: "case when n = 50 then 'e500' else 'ab' end"),
        ])
      let ended = try await launch.run()
      #expect(
        ended.outLines.last
          == "all lanes: planned 500 sent 499 token_retired 0 rejected 0 expired 1 skipped 0 unknown 0 remaining 0")

      // attempt, outcome, requests of each row, and how many there are.
      let rows = try await launch.channels.asyncMap { channel in
        try await stack.sql(
          """
          select attempt, outcome, requests, count(*) from salvo.delivery
          where launch_id = \(launch.id) and channel_id = \(channel) group by 1, 2, 3 order by 1, 2, 3
          """)
      }
      let later = ["1|1|1|90", "1|7|1|10", "2|1|1|10"]
      let within = ["1|1|1|90", "1|1|2|10"]
      #expect(rows[0] == later)
      #expect(rows[1] == within)
      #expect(rows[2] == later)
      #expect(rows[3] == within)
      #expect(rows[4] == ["1|1|1|99", "1|7|2|1", "2|7|2|1", "3|4|2|1"])

      #expect(try await launch.attemptGaps() == 0)
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await stack.ledger("fcm").count == launch.requestsWritten(launch.channels[0]))
      #expect(try await stack.ledger("hms").count == launch.requestsWritten(launch.channels[3]))
      var apns = 0
      for index in [1, 2, 4] { apns += try await launch.requestsWritten(launch.channels[index]) }
      #expect(try await stack.ledger("apns").count == apns)
      #expect(apns == 110 + 110 + 105)
      // The id of a message is that of every attempt.
      let uids = Dictionary(grouping: try await stack.ledger("fcm"), by: \.token).mapValues { Set($0.map(\.uid)).count }
      #expect(uids.count == 100)
      #expect(uids.values.allSatisfy { $0 == 1 })
    }

    @Test("a word about the whole lane holds all its windows back, in the database too")
    func coolDown() async throws {
      let stack = try await Stack.shared()
      // Huawei's 503 is flow control of the whole app. One request a message, so one of the first is refused.
      let launch = try await TestLaunch.make(
        stack, [.hms(50, ["retry_5xx_after": 1], start: "case when n = 1 then 'f503' else 'ab' end")])
      try await launch.run()
      #expect(
        try await stack.sql(
          """
          select cool_until > started_at from salvo.lane n join salvo.launch l on l.id = n.launch_id
          where l.id = \(launch.id)
          """)
          == ["t"])
      #expect(try await launch.count("sum(requests)", from: "delivery") == 51)
      #expect(try await stack.ledger("hms").count == 51)
    }
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
