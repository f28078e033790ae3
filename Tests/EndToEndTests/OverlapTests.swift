import Testing

extension Runs {
  /// Several processes at one launch in the same instant, as cron and people start them.
  @Suite struct OverlapTests {
    @Test("C36: five runners at once, and a sixth when they are under way: every message one attempt, and all end well")
    func fiveAtOnce() async throws {
      let stack = try await Stack.shared()
      for round in 1...2 {
        _ = try await stack.stack("reset")
        _ = try await stack.stack("set", "fcm-delay-ms", "20")
        // Chunks of 250, which is a window's least.
        let launch = try await TestLaunch.make(stack, [.firebase(2_000, ["connections": 1, "streams": 50])])
        var runners = try (1...5).map { _ in try launch.start() }
        try await eventually("messages under way") { try await !stack.ledger("fcm").isEmpty }
        runners.append(try launch.start())
        for runner in runners {
          let ended = try await runner.ended()
          #expect(ended.code == 0, "round \(round): \(ended.err)")
        }
        #expect(try await launch.count("count(*)", from: "delivery") == 2_000)
        #expect(try await launch.count("count(*)", from: "delivery", where: "attempt = 1 and outcome = 1") == 2_000)
        #expect(try await launch.requestsWritten(launch.channels[0]) == 2_000)
        #expect(try await stack.ledger("fcm").count == 2_000)
        #expect(try await launch.unfinishedBusiness() == 0)
        // One more finds nothing to do.
        try await launch.run()
        #expect(try await stack.ledger("fcm").count == 2_000)
      }
    }

    @Test("C40: a database that takes nothing holds the runner up: answers are kept, little is sent, nothing again")
    func readOnly() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "100")
      let launch = try await TestLaunch.make(stack, [.firebase(3_000, ["connections": 1, "streams": 50])])
      let runner = try launch.start()
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 100 }
      func setReadOnly(_ value: String) async throws {
        let words = ["-X", "-q", "-c", "alter system set default_transaction_read_only = \(value)"]
        let ended = try await Shell.run(
          "/usr/bin/psql", words + ["-c", "select pg_reload_conf()"],
          stack.environment.merging(["PGOPTIONS": "-c default_transaction_read_only=off"]) { $1 })
        try #require(ended.code == 0, "\(ended.err)")
      }
      try await setReadOnly("on")
      do {
        // What was under way ends, and then nothing more is sent.
        var seen = -1
        try await eventually("sending to stop") {
          let now = try await stack.ledger("fcm").count
          defer { seen = now }
          try await Task.sleep(nanoseconds: 1_500_000_000)
          return now == seen
        }
        // Three windows of 250 at most were open.
        let written = try await launch.count("count(*)", from: "delivery")
        #expect(try await stack.ledger("fcm").count - written <= 750)
        #expect(runner.isRunning)
      } catch {
        try await setReadOnly("off")
        throw error
      }
      try await setReadOnly("off")
      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      let ledger = try await stack.ledger("fcm")
      #expect(ledger.count == 3_000 && Set(ledger.map(\.token)).count == 3_000)
      #expect(try await launch.count("sum(sent)", from: "launch_progress") == 3_000)
      try await stack.salvo("verify", "\(launch.id)")
    }
  }
}
