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
  }
}

extension Stack {
  /// As after a crash: no checkpoint, every connection cut.
  func restartDatabase() async throws {
    let server = try #require(
      try await Shell.run("/bin/sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1"]).outLines.first)
    let words = ["\(server)/pg_ctl", "restart", "-m", "immediate", "-w", "-D", "\(folder)/postgres/data"]
    let log = ["-l", "\(folder)/postgres/log"]
    let ended =
      getuid() == 0
      ? try await Shell.run("/usr/sbin/runuser", ["-u", "postgres", "--"] + words + log)
      : try await Shell.run(words[0], Array(words.dropFirst()) + log)
    try #require(ended.code == 0, "pg_ctl: \(ended.out)\(ended.err)")
  }
}
