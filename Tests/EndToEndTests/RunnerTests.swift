import Foundation
import Glibc
import Testing

extension Runs {
  /// Several runners at one launch, and runners that are asked to stop.
  @Suite struct RunnerTests {
    @Test("two runners share a launch: planned once, no token twice, both end well")
    func twoRunners() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "1000")
      // Ten chunks of 250; a runner holds three at a time and sends 50 messages a second, until both are seen.
      let launch = try await TestLaunch.make(
        stack, [.firebase(2_500, ["connections": 1, "streams": 50]), .appMetrica(200)])
      let runners = [try launch.start(), try launch.start()]
      try await eventually("messages of both runners") {
        Set(try await stack.ledger("fcm").map(\.connection)).count == 2
      }
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      for runner in runners {
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
        #expect(
          ended.outLines.last
            == "all lanes: planned 2700 sent 2700 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      }
      #expect(try await launch.count("sum(planned)", from: "lane") == 2_700)
      #expect(try await launch.count("sum(planned)", from: "chunk") == 2_700)
      let fcm = try await stack.ledger("fcm")
      #expect(fcm.count == 2_500)
      #expect(Set(fcm.map(\.token)).count == 2_500)
      // Both sent: each has one connection.
      #expect(Set(fcm.map(\.connection)).count == 2)
      #expect(try await stack.ledger("appmetrica").count == 200)
      #expect(try await launch.unfinishedBusiness() == 0)
      #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["finished"])
    }

    @Test("SIGTERM ends with 75, every window closed and every lease given back; the next run does the rest")
    func terminated() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "1000")
      _ = try await stack.stack("set", "appmetrica-pending-ms", "60000")
      let launch = try await TestLaunch.make(
        stack, [.firebase(1_000, ["connections": 1, "streams": 20]), .appMetrica(200)])
      let runner = try launch.start()
      try await eventually("answers of FCM and a transfer of AppMetrica") {
        let ledger = try await stack.ledger()
        return ledger.count { $0.provider == "fcm" } > 10 && ledger.contains { $0.provider == "appmetrica" }
      }
      runner.signal(SIGTERM)
      let ended = try await runner.ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.err.contains("requests in flight"), "\(ended.err)")
      #expect(try await launch.unfinishedBusiness() == 0)
      let sentBefore = try await stack.ledger("fcm").count
      #expect(sentBefore < 1_000)
      #expect(try await launch.requestsWritten(launch.channels[0]) == sentBefore)
      #expect(try await launch.count("sum(remaining)", from: "launch_progress") == 1_200 - sentBefore)

      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      _ = try await stack.stack("set", "appmetrica-pending-ms", "0")
      let rest = try await launch.run()
      #expect(
        rest.outLines.last
          == "all lanes: planned 1200 sent 1200 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      let ledger = try await stack.ledger()
      #expect(ledger.count == 1_200)
      #expect(Set(ledger.map { "\($0.provider) \($0.token)" }).count == 1_200)
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await launch.attemptGaps() == 0)
    }
  }
}
