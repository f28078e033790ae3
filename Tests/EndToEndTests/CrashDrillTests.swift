import Foundation
import Glibc
import Testing

extension Runs {
  /// Runners that die in mid-flight while others share the launch.
  @Suite struct CrashDrillTests {
    /// Four shapes of lanes whose answers take a while, so that hundreds of messages are under way at any time.
    static func lanes(_ count: Int) -> [TestLane] {
      [
        .firebase(count, ["timeout": 2, "connections": 1, "streams": 100]),
        .apns(count, ["timeout": 2, "connections": 1, "streams": 100]),
        .hms(count, ["timeout": 2, "connections": 1, "streams": 50]),
        .appMetrica(count, ["timeout": 2]),
      ]
    }

    static func slowDown(_ stack: Stack) async throws {
      for (provider, delay) in [("fcm", 250), ("apns", 150), ("hms", 400), ("appmetrica", 100)] {
        _ = try await stack.stack("set", "\(provider)-delay-ms", "\(delay)")
      }
    }

    /// Leases of 6 s instead of a minute.
    static func start(_ launch: TestLaunch) throws -> Running {
      try Shell.start(Shell.salvo, ["run", "\(launch.id)", "--lease", "6"], launch.stack.environment)
    }

    @Test("kill -9 at random times: nothing lost, nothing sent twice, and only what was under way is unknown")
    func killed() async throws {
      let stack = try await Stack.shared()
      try await Self.slowDown(stack)
      let launch = try await TestLaunch.make(stack, Self.lanes(2_000))
      var random = SeededGenerator(seed: 20_260_101)
      var runners = [try Self.start(launch), try Self.start(launch), try Self.start(launch)]
      var died = 0
      for _ in 1...5 {
        try await Task.sleep(nanoseconds: UInt64.random(in: 300_000_000...1_200_000_000, using: &random))
        let index = Int.random(in: runners.indices, using: &random)
        if runners[index].isRunning { died += 1 }
        runners[index].signal(SIGKILL)
        _ = try await runners[index].ended()
        runners[index] = try Self.start(launch)
      }
      for runner in runners {
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      #expect(died > 0)
      let balance = try await CrashBalance(of: launch, died: died)
      #expect(balance.isRight, "\(balance)")
      print("killed \(died): \(balance)")
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await launch.attemptGaps() == 0)
      #expect(try await launch.unfinishedBusiness() == 0)
    }
  }
}
