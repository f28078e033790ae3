import Foundation
import Glibc
import Testing

extension Runs {
  /// A runner with a state folder dies; the next one there reads its journal.
  @Suite struct CrashJournalTests {
    /// A folder for `--state`, gone afterwards.
    static func withState(_ body: (_ path: String) async throws -> Void) async throws {
      let state = FileManager.default.temporaryDirectory.appending(path: "salvo-state-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: state) }
      try await body(state.path)
    }

    @Test("kill -9 after the last answer and before the close: by the journal all are sent, on all shapes of lanes")
    func killedBeforeClose() async throws {
      let stack = try await Stack.shared()
      for provider in ["fcm", "hms", "appmetrica"] { _ = try await stack.stack("set", "\(provider)-delay-ms", "1500") }
      let launch = try await TestLaunch.make(
        stack, [.firebase(200, ["streams": 100]), .hms(90), .appMetrica(150)])
      try await Self.withState { state in
        let words = ["run", "\(launch.id)", "--state", state]
        let runner = try Shell.start(Shell.salvo, words, stack.environment)
        try await eventually("a window a lane") {
          try await launch.count("count(*)", from: "send_window", where: "state = 0") == 3
        }
        // Whoever closes a window waits for its chunk's row.
        let lock = try Shell.start(
          "/usr/bin/psql",
          [
            "-Xqc",
            "begin; select from salvo.chunk where launch_id = \(launch.id) for update; select pg_sleep(120)",
          ], stack.environment)
        try await eventually("every answer and nothing closed") {
          try await stack.number(
            """
            select count(*) from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%update salvo.chunk%set cursor_profile%'
            """) == 3
        }
        #expect(try await launch.count("count(*)", from: "send_window", where: "state = 0") == 3)
        #expect(try await stack.ledger().count == 440)
        runner.signal(SIGKILL)
        _ = try await runner.ended()
        try await stack.sql(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where query like '%pg_sleep(120)%' and pid <> pg_backend_pid()
          """)
        _ = try await lock.ended()
        // One, or as many as lanes began at the same moment.
        #expect((1...3).contains(try FileManager.default.contentsOfDirectory(atPath: state).count))

        // Its leases last for another minute: nobody waits for their end.
        let next = try await Shell.run(Shell.salvo, words, stack.environment)
        #expect(next.code == 0, "\(next.err)")
        #expect(
          next.outLines.last
            == "all lanes: planned 440 sent 440 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0",
          "\(next.err)")
        #expect(try await stack.ledger().count == 440)
        #expect(try await launch.count("count(message_uid)", from: "delivery", where: "outcome = 1") == 440)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
        try await stack.salvo("verify", "\(launch.id)")
      }
    }

    @Test("another runner took the window over first: the journal is late evidence, and what wasn't sent goes again")
    func takenOver() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "1000")
      let launch = try await TestLaunch.make(stack, [.firebase(1_000, ["connections": 1, "streams": 20])])
      try await Self.withState { state in
        let words = ["run", "\(launch.id)", "--state", state]
        let runner = try Shell.start(Shell.salvo, words, stack.environment)
        // Three chunks of 250 are leased, one is left.
        try await eventually("answers in three open windows") {
          let isOpen = try await launch.count("count(*)", from: "send_window", where: "state = 0") == 3
          let handedOver = try await launch.handedOverInOpenWindows()["fcm", default: 0]
          return isOpen && handedOver > 40
        }
        runner.signal(SIGKILL)
        _ = try await runner.ended()
        let handedOver = try await stack.ledger("fcm").count
        // Elsewhere, without its journal.
        try await stack.sql("update salvo.chunk set lease_until = now() where launch_id = \(launch.id) and state = 1")
        let other = try launch.start()
        try await eventually("the windows are taken over") {
          try await launch.count("count(*)", from: "send_window", where: "state = 2") == 3
        }
        #expect(try await launch.count("sum(unknown)", from: "launch_progress") == 750)
        let third = try Shell.start(Shell.salvo, words, stack.environment)
        try await eventually("the journal's word") {
          try await launch.count("count(*)", from: "settlement") > handedOver - 40
        }
        _ = try await stack.stack("set", "fcm-delay-ms", "0")
        let next = try await third.ended()
        #expect(next.code == 0, "\(next.err)")
        #expect(next.err.contains("another runner took window"), "\(next.err)")
        #expect(try await other.ended().code == 0)
        // At most twenty were under way; all others are known, sent or sent again.
        let left = try await launch.count("sum(unknown)", from: "launch_progress")
        #expect(left <= 20)
        #expect(try await launch.count("sum(sent)", from: "launch_progress") == 1_000 - left)
        #expect(try await launch.count("count(*)", from: "settlement", where: "source <> 'journal'") == 0)
        #expect(try await stack.ledger("fcm").count <= 1_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
        try await CrashDrillTests.expectBalance(launch, died: 1)
      }
    }

    @Test("a journal that can't be written stops nothing, says so once and is no proof any more")
    func diskFull() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(4_000)])
      try await Self.withState { state in
        // No file may take more than 300 kB, which holds the system's certificates, not 100 bytes a message.
        let ended = try await Shell.run(
          "/bin/bash",
          ["-c", "trap '' XFSZ; ulimit -f 300; exec \(Shell.salvo) run \(launch.id) --state \(state)"],
          stack.environment)
        #expect(ended.code == 0, "\(ended.err)")
        #expect(ended.errLines.count { $0.contains("no journal is kept any more") } == 1, "\(ended.err)")
        #expect(try await stack.ledger("fcm").count == 4_000)
        #expect(try await launch.count("sum(sent)", from: "launch_progress") == 4_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
      }
    }
  }
}
