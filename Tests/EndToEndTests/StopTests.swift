import Foundation
import Glibc
import Testing

extension Runs {
  /// Pause, resume, cancel and retry by command, while runners send.
  @Suite struct StopTests {
    @Test("pause reaches every runner within its open windows, resume and another run do exactly the rest")
    func pause() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "300")
      let launch = try await TestLaunch.make(stack, [.firebase(3_000, ["connections": 1, "streams": 50])])
      let runners = [try launch.start(), try launch.start()]
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 100 }
      let paused = try await stack.salvo("pause", "\(launch.id)")
      let words = try #require(paused.outLines.last?.split(separator: " ").map(String.init))
      #expect(words.starts(with: ["launch", "\(launch.id):", "running", "->", "paused;", "in", "flight:"]))
      let inFlight = try #require(words.count > 7 ? Int(words[7]) : nil)
      let seen = try await stack.ledger("fcm").count
      for runner in runners {
        let ended = try await runner.ended()
        #expect(ended.code == 75, "\(ended.err)")
      }
      // At most what was in windows that were open then, or were being opened by one of three workers of each.
      let sent = try await stack.ledger("fcm").count
      #expect(sent - seen <= inFlight + 2 * 3 * 250)
      #expect(sent < 3_000)
      #expect(try await launch.unfinishedBusiness() == 0)
      #expect(try await launch.requestsWritten(launch.channels[0]) == sent)

      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      #expect(try await stack.trySalvo(["run", "\(launch.id)"]).code == 75)
      #expect(try await stack.ledger("fcm").count == sent)
      #expect(
        try await stack.salvo("resume", "\(launch.id)").outLines == ["launch \(launch.id): paused -> running"])
      try await launch.run()
      #expect(try await stack.ledger("fcm").count == 3_000)
      try await stack.salvo("verify", "\(launch.id)")
    }

    @Test("cancel ends the launch: runners end well, what remains is told and never sent")
    func cancel() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "300")
      let launch = try await TestLaunch.make(stack, [.firebase(3_000, ["connections": 1, "streams": 50])])
      let runner = try launch.start()
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 100 }
      try await stack.salvo("cancel", "\(launch.id)")
      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      let sent = try await stack.ledger("fcm").count
      #expect(try await launch.count("sum(remaining)", from: "launch_progress") == 3_000 - sent)
      #expect(try await stack.trySalvo(["run", "\(launch.id)"]).code == 65)
      #expect(try await stack.ledger("fcm").count == sent)
      try await stack.salvo("verify", "\(launch.id)")
    }

    @Test(
      "what a provider accepted before the launch or its lane was cancelled is still settled: by the runner itself, or the next",
      arguments: [false, true])
    func cancelAccepted(isLaneOnly: Bool) async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "500")
      _ = try await stack.stack("set", "appmetrica-pending-ms", "600000")
      let launch = try await TestLaunch.make(
        stack, [.firebase(2_000, ["connections": 1, "streams": 20]), .appMetrica(100)])
      let appMetrica = launch.channels[1]
      let runner = try launch.start()
      try await eventually("an accepted transfer and messages under way") {
        let accepted = try await launch.count("count(*)", from: "send_window", where: "state = 4")
        let handedOver = try await launch.handedOverInOpenWindows()["fcm", default: 0]
        return accepted == 1 && handedOver > 0
      }
      if isLaneOnly {
        // The runner leaves; the lane is cancelled while nobody is there.
        runner.signal(SIGTERM)
        #expect(try await runner.ended().code == 75)
        try await stack.salvo("cancel", "\(launch.id)", "--channel", "\(appMetrica)")
        _ = try await stack.stack("set", "appmetrica-pending-ms", "0")
        _ = try await stack.stack("set", "fcm-delay-ms", "0")
        let next = try await launch.tryRun()
        #expect(next.code == 0, "\(next.err)")
      } else {
        try await stack.salvo("cancel", "\(launch.id)")
        _ = try await stack.stack("set", "appmetrica-pending-ms", "0")
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
        #expect(try await stack.trySalvo(["run", "\(launch.id)"]).code == 65)
      }
      // A lane that was cancelled when all of it was sent lacks nothing.
      #expect(try await launch.state() == (isLaneOnly ? "finished" : "cancelled"))
      #expect(
        try await launch.count("sum(sent)", from: "launch_progress", where: "channel_id = \(appMetrica)") == 100)
      #expect(try await stack.ledger("appmetrica").count == 100)
      try await stack.salvo("verify", "\(launch.id)")
    }

    @Test("a second signal leaves at once with 75; what was in flight is on record, and the next run accounts for it")
    func secondSignal() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "15000")
      let launch = try await TestLaunch.make(stack, [.firebase(300, ["connections": 1, "streams": 20])])
      let runner = try launch.start()
      try await eventually("messages in flight") { try await !stack.ledger("fcm").isEmpty }
      // Two of one kind could arrive as one.
      runner.signal(SIGTERM)
      runner.signal(SIGINT)
      let ended = try await runner.ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(try await launch.count("count(*)", from: "send_window", where: "state = 0") > 0)
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      try await stack.sql("update salvo.chunk set lease_until = now() where launch_id = \(launch.id) and state = 1")
      try await launch.run()
      try await CrashDrillTests.expectBalance(launch, died: 1)
    }

    @Test("retry sends exactly those again whose outcome it names, and asks first")
    func retry() async throws {
      let stack = try await Stack.shared()
      // Every 10th request is received and then reset without an answer.
      let launch = try await TestLaunch.make(
        stack, [.apns(200, start: "case when n % 10 = 0 then 'e444' else 'ab' end")], options: #"{"unknown": "ask"}"#)
      let asked = try await stack.trySalvo(["run", "\(launch.id)", "--strict"])
      #expect(asked.code == 2, "\(asked.err)")
      #expect(
        asked.outLines.last
          == "all lanes: planned 200 sent 180 token_retired 0 rejected 0 expired 0 skipped 0 unknown 20 remaining 0")
      #expect(try await stack.trySalvo(["run", "\(launch.id)"]).code == 0)

      // stdin of a test is /dev/null: nobody to ask.
      let unsure = try await stack.trySalvo(["retry", "\(launch.id)", "--outcome", "unknown"])
      #expect(unsure.code == 64)
      #expect(unsure.err.contains("20 messages of launch \(launch.id) are unknown"), "\(unsure.err)")
      try await stack.sql("update salvo.subscription set token = 'ab' || substr(token, 3) where token like 'e444%'")
      try await stack.salvo("retry", "\(launch.id)", "--outcome", "unknown", "--yes")
      let again = try await launch.run()
      #expect(
        again.outLines.last
          == "all lanes: planned 200 sent 200 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      #expect(try await stack.ledger("apns").count == 220)
      #expect(try await launch.count("count(*)", from: "delivery", where: "attempt = 2") == 20)
      try await stack.salvo("verify", "\(launch.id)")
    }
  }
}
