import Foundation
import Glibc
import Testing

extension Runs {
  /// The database goes away while messages are in flight.
  @Suite struct CrashDatabaseTests {
    @Test("PostgreSQL crashes twice in mid-flight: runners wait, keep their results, and nothing is unknown")
    func restarted() async throws {
      let stack = try await Stack.shared()
      try await CrashDrillTests.slowDown(stack)
      let launch = try await TestLaunch.make(stack, CrashDrillTests.lanes(2_000))
      let runners = [try launch.start(), try launch.start()]
      var seen = 0
      for _ in 1...2 {
        try await eventually("more messages under way") { try await stack.ledger().count > seen + 500 }
        try await stack.restartDatabase()
        seen = try await stack.ledger().count
      }
      for runner in runners {
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      try await CrashDrillTests.expectBalance(launch, died: 0)
      #expect(
        try await launch.count("sum(sent)", from: "launch_progress") == 8_000)
    }

    @Test("connections cut exactly at COMMIT, done and not done, under three runners: every message once, none unknown")
    func cutAtCommit() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, CrashDrillTests.lanes(1_500))
      try await CrashJournalTests.withState { folder in
        let port = stack.environment["PGPORT"] ?? "5432"
        let door = try Shell.start(
          "/usr/bin/python3",
          [
            Shell.root.appending(path: "Tests/WireTests/servers/commits.py").path, folder, port,
            "\(stack.environment["PGHOST"] ?? "")/.s.PGSQL.\(port)", "5",
          ])
        try await eventually("the door to PostgreSQL") {
          FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.\(port)")
        }
        let environment = stack.environment.merging(["PGHOST": folder]) { $1 }
        var runners: [Running] = []
        for _ in 1...3 {
          runners.append(try Shell.start(Shell.salvo, ["run", "\(launch.id)", "--lease", "6"], environment))
        }
        for runner in runners {
          let ended = try await runner.ended()
          // Who is cut before its first window has nothing to finish.
          #expect([0, 75].contains(ended.code), "\(ended.err)")
        }
        door.signal(SIGTERM)
        _ = try await door.ended()
        let cuts = try String(contentsOfFile: "\(folder)/cuts", encoding: .utf8).split(separator: " ")
        #expect(cuts.count == 2 && cuts.allSatisfy { $0.first != "0" }, "\(cuts)")
      }
      try await launch.run()
      #expect(try await launch.count("sum(sent)", from: "launch_progress") == 6_000)
      #expect(try await stack.ledger().count == 6_000)
      try await CrashDrillTests.expectBalance(launch, died: 0)
    }

    @Test("the disk is full for a while: windows wait with their results, which are written once there is room")
    func diskFull() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(1_000, ["connections": 1, "streams": 50])])
      try await stack.sql(
        """
        create function public.no_room() returns trigger language plpgsql as $$
          begin raise exception 'could not extend file' using errcode = '53100'; end $$;
        create trigger no_room before insert on salvo.delivery for each row execute function public.no_room()
        """)
      let runner = try launch.start()
      // Three windows of 250 are open, and none can be closed.
      try await eventually("every answer of three windows") { try await stack.ledger("fcm").count == 750 }
      #expect(try await launch.count("count(*)", from: "delivery") == 0)
      #expect(runner.isRunning)
      try await stack.sql("drop function public.no_room cascade")
      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(ended.err.contains("53100") && ended.err.contains("the database is back"), "\(ended.err)")
      #expect(try await launch.count("sum(sent)", from: "launch_progress") == 1_000)
      try await CrashDrillTests.expectBalance(launch, died: 0)
    }

    @Test("the database's clock jumps an hour ahead: chunks change hands under a living runner, which testifies")
    func clockStep() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "1000")
      // Three chunks of 250, all the first runner's; the second finds nothing to do.
      let launch = try await TestLaunch.make(stack, [.firebase(750, ["connections": 1, "streams": 20])])
      let first = try launch.start()
      try await eventually("answers in three open windows") {
        let handedOver = try await launch.handedOverInOpenWindows()["fcm", default: 0]
        let open = try await launch.count("count(*)", from: "send_window", where: "state = 0")
        return open == 3 && handedOver > 40
      }
      let second = try launch.start()
      try await eventually("the second runner has taken a chunk over") {
        // What the store sees after such a step: every lease is long over, and its holder doesn't know.
        try await stack.sql(
          """
          update salvo.chunk set lease_until = lease_until - interval '1 h'
          where launch_id = \(launch.id) and token = 1 and state = 1
          """)
        return try await launch.count("count(*)", from: "send_window", where: "state = 2") > 0
      }
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      for runner in [first, second] {
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      #expect(try await launch.count("count(*)", from: "late_evidence", where: "outcome = 1") > 20)
      try await CrashDrillTests.expectBalance(launch, died: 1)
    }

    @Test("a standby that lagged takes over: the runner finds its open window gone, stops all lanes and says so")
    func historyLost() async throws {
      let stack = try await Stack.shared()
      for provider in ["fcm", "apns"] { _ = try await stack.stack("set", "\(provider)-delay-ms", "500") }
      let wide: [String: TestLane.JSONValue] = ["connections": 1, "streams": 20]
      let launch = try await TestLaunch.make(stack, [.firebase(3_000, wide), .apns(3_000, wide)])
      let runner = try launch.start()
      try await eventually("messages in open windows of both lanes") {
        let handedOver = try await launch.handedOverInOpenWindows()
        return ["fcm", "apns"].allSatisfy { handedOver[$0, default: 0] > 0 }
      }
      // As such a standby looks: the last windows were never written, their chunks stand where they stood.
      try await stack.sql(
        "delete from salvo.send_window where launch_id = \(launch.id) and channel_id = \(launch.channels[0]) and state = 0"
      )
      let ended = try await runner.ended()
      #expect(ended.code == 70, "\(ended.err)")
      let line = try #require(ended.errLines.first { $0.contains("error:") && $0.contains("is gone") }, "\(ended.err)")
      #expect(line.contains("of channel \(launch.channels[0])") && line.contains("standby"), "\(line)")
      // The other lane stopped with its windows closed, long before its end.
      #expect(
        try await launch.count(
          "count(*)", from: "send_window", where: "state = 0 and channel_id = \(launch.channels[1])") == 0)
      #expect(try await stack.ledger("apns").count < 3_000)
    }

    @Test(
      "a runner that must leave while the database is away leaves its results in a file, and the next takes them in")
    func spooled() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "500")
      let launch = try await TestLaunch.make(stack, [.firebase(2_000, ["connections": 1, "streams": 50])])
      let state = FileManager.default.temporaryDirectory.appending(path: "salvo-state-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: state) }
      let words = ["run", "\(launch.id)", "--state", state.path]
      let runner = try Shell.start(Shell.salvo, words + ["--grace", "5"], stack.environment)
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 200 }
      try await stack.database("stop")
      runner.signal(SIGTERM)
      let ended = try await runner.ended()
      #expect(ended.code == 75, "\(ended.err)")
      // At most three windows were open.
      let files = try FileManager.default.contentsOfDirectory(atPath: state.path)
      #expect((1...3).contains(files.count), "\(files) \(ended.err)")
      #expect(files.allSatisfy { $0.hasSuffix(".spool") })
      let sent = try await stack.ledger("fcm").count

      try await stack.database("start")
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      try await stack.sql("update salvo.chunk set lease_until = now() where launch_id = \(launch.id) and state = 1")
      let next = try await Shell.run(Shell.salvo, words, stack.environment)
      #expect(next.code == 0, "\(next.err)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == [])
      // What the file told was sent isn't sent again; what it told wasn't goes as a second attempt.
      #expect(try await launch.count("sum(sent)", from: "launch_progress") == 2_000)
      #expect(try await stack.ledger("fcm").count == 2_000)
      #expect(try await launch.count("count(*)", from: "settlement", where: "source = 'spool'") > 0)
      #expect(sent < 2_000)
      try await stack.salvo("verify", "\(launch.id)")
    }
  }
}

extension Stack {
  /// As after a crash: no checkpoint, every connection cut.
  func restartDatabase() async throws { try await database("restart") }

  /// `stop` and `restart` are as rude as a crash.
  func database(_ action: String) async throws {
    let server = try #require(
      try await Shell.run("/bin/sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1"]).outLines.first)
    let words =
      ["\(server)/pg_ctl", action, "-w", "-D", "\(folder)/postgres/data"]
      + (action == "stop" ? [] : ["-l", "\(folder)/postgres/log"]) + (action == "start" ? [] : ["-m", "immediate"])
    let ended =
      getuid() == 0
      ? try await Shell.run("/usr/sbin/runuser", ["-u", "postgres", "--"] + words)
      : try await Shell.run(words[0], Array(words.dropFirst()))
    try #require(ended.code == 0, "pg_ctl: \(ended.out)\(ended.err)")
  }
}
