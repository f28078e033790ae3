import Foundation
import Testing

extension Runs {
  /// What becomes of transfers that AppMetrica took: asked about, and settled by its word.
  @Suite struct SettleTests {
    @Test("of three transfers one fails for its content: its messages are rejected, with AppMetrica's words")
    func partlyFailed() async throws {
      let stack = try await Stack.shared()
      let server = try WireServer(stack, ["serve=appmetrica", "failed=2"])
      let launch = try await TestLaunch.make(stack, [.appMetrica(12_000, ["endpoint": .text(server.endpoint)])])
      let ended = try await launch.run()
      // 5,000, 5,000 and 2,000, in any order.
      let rejected = try await launch.count("rejected", from: "launch_progress")
      #expect([2_000, 5_000].contains(rejected))
      #expect(try await launch.count("sent", from: "launch_progress") == 12_000 - rejected)
      #expect(try await launch.state() == "finished")
      #expect(ended.errLines.count == 1 && ended.err.contains("google_aid used without an android message"))
      #expect(
        try await stack.sql(
          """
          select distinct reason, detail from salvo.delivery where launch_id = \(launch.id) and outcome = 3
          """) == ["transfer_failed|google_aid used without an android message"])
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try server.reads().values.allSatisfy { $0 == 1 })
    }

    @Test("keys that AppMetrica lacks stop the lane with 69; once it has them, the same messages go again")
    func platformCredentials() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "appmetrica-fail-tag", "sale")
      let launch = try await TestLaunch.make(stack, [.appMetrica(40)], options: #"{"tag": "sale"}"#)
      let ended = try await launch.start().ended()
      #expect(ended.code == 69, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains("Invalid push credentials for Android"), "\(ended.err)")
      #expect(try await launch.count("remaining", from: "launch_progress") == 40)
      _ = try await stack.stack("reset")
      try await launch.run()
      #expect(try await launch.count("sent", from: "launch_progress") == 40)
      #expect(try await launch.attemptGaps() == 0)
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await stack.ledger("appmetrica").count == 40)
    }

    @Test("a transfer without an end: after half an hour 75, and a later run settles it without sending it again")
    func stuck() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.appMetrica(40)], options: #"{"tag": "stuck-sale"}"#)
      let run = try launch.start()
      try await eventually("a question") {
        try await launch.count("count(*)", from: "send_window", where: "state = 4 and next_poll_at is not null") == 1
      }
      try await stack.sql(
        """
        update salvo.send_window set accepted_at = now() - interval '31 minutes', next_poll_at = now()
        where launch_id = \(launch.id)
        """)
      let ended = try await run.ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains("has come to no end in 31 minutes"), "\(ended.err)")
      #expect(try await launch.count("remaining", from: "launch_progress") == 40)
      #expect(try await launch.count("count(*)", from: "lane", where: "state = 'stopped'") == 0)

      _ = try await stack.stack("set", "appmetrica-stuck", "off")
      try await stack.sql("update salvo.send_window set next_poll_at = now() where launch_id = \(launch.id)")
      try await launch.run()
      #expect(try await launch.count("sent", from: "launch_progress") == 40)
      #expect(try await stack.ledger("appmetrica").count == 40)
    }

    @Test("two runners ask about a transfer no more often than one")
    func sharedQuestions() async throws {
      let stack = try await Stack.shared()
      for step in ["pending", "progress"] { _ = try await stack.stack("set", "appmetrica-\(step)-ms", "2000") }
      let launch = try await TestLaunch.make(stack, [.appMetrica(40)])
      for run in [try launch.start(), try launch.start()] {
        let ended = try await run.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      #expect(try await launch.count("sent", from: "launch_progress") == 40)
      // One sends. Questions at 0.5 s, 1, 1.5, 2.3, 3.4 and 5.1 s of its age, or later.
      let requests = try #require(try await stack.connections()["appmetrica"]?.requests)
      #expect((2...7).contains(requests), "\(requests)")
    }
  }
}
