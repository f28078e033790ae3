import Foundation
import Glibc
import Testing

extension Runs {
  /// Runners that die in mid-flight while others share the launch.
  @Suite struct CrashDrillTests {
    /// Of FCM's and APNs' one connection: a runner that handed more messages over has answers to the others.
    static let streams = 100

    /// Four shapes of lanes whose answers take a while, so that hundreds of messages are under way at any time.
    static func lanes(_ count: Int) -> [TestLane] {
      [
        .firebase(count, ["timeout": 2, "connections": 1, "streams": .number(streams)]),
        .apns(count, ["timeout": 2, "connections": 1, "streams": .number(streams)]),
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
    static func start(_ launch: TestLaunch, state: String? = nil) throws -> Running {
      let words = ["run", "\(launch.id)", "--lease", "6"] + (state.map { ["--state", $0] } ?? [])
      return try Shell.start(Shell.salvo, words, launch.stack.environment)
    }

    @Test("kill -9 at random times: nothing lost, nothing sent twice, and only what was in open windows is unknown")
    func killed() async throws { try await kill(state: nil) }

    @Test("kill -9 at random times with a journal: only what was in flight is unknown")
    func killedWithJournal() async throws {
      try await CrashJournalTests.withState { state in
        try await kill(state: state)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state) == [])
      }
    }

    private func kill(state: String?) async throws {
      let stack = try await Stack.shared()
      try await Self.slowDown(stack)
      let launch = try await TestLaunch.make(stack, Self.lanes(2_000))
      var random = SeededGenerator(seed: 20_260_101)
      var runners: [Running] = []
      for _ in 1...3 { runners.append(try Self.start(launch, state: state)) }
      var died = 0
      for _ in 1...5 {
        try await Task.sleep(nanoseconds: UInt64.random(in: 300_000_000...1_200_000_000, using: &random))
        let index = Int.random(in: runners.indices, using: &random)
        if runners[index].isRunning { died += 1 }
        runners[index].signal(SIGKILL)
        _ = try await runners[index].ended()
        runners[index] = try Self.start(launch, state: state)
      }
      for runner in runners {
        let ended = try await runner.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      #expect(died > 0)
      // A journal that its runner left while the last others ended.
      if state != nil { #expect(try await Self.start(launch, state: state).ended().code == 0) }
      try await Self.expectBalance(launch, died: died, hasJournal: state != nil)
      #expect(try await launch.windowSums() == launch.deliverySums())
    }

    @Test("SIGSTOP for longer than the lease: another runner takes over, and the sleeper testifies when it wakes")
    func zombies() async throws {
      let stack = try await Stack.shared()
      try await Self.slowDown(stack)
      // A hundred a second, so that there is time to look.
      for provider in ["fcm", "apns"] { _ = try await stack.stack("set", "\(provider)-delay-ms", "1000") }
      let launch = try await TestLaunch.make(stack, Self.lanes(1_500))
      let sleeper = try Self.start(launch)
      func hasAnswers() async throws -> Bool {
        let handedOver = try await launch.handedOverInOpenWindows()
        return ["fcm", "apns"].allSatisfy { handedOver[$0, default: 0] > Self.streams }
      }
      // It must sleep with answered messages in open windows, which it can testify to.
      try await eventually("a sleeper with answers in open windows") {
        guard try await hasAnswers() else { return false }
        sleeper.signal(SIGSTOP)
        if try await hasAnswers() { return true }
        sleeper.signal(SIGCONT)
        return false
      }
      try await Self.slowDown(stack)
      let other = try await Self.start(launch).ended()
      #expect(other.code == 0, "\(other.err)")
      let unknown = try await launch.count("count(*)", from: "final_outcome", where: "outcome = 6")
      #expect(unknown > 0)
      sleeper.signal(SIGCONT)
      let ended = try await sleeper.ended()
      #expect(ended.code == 0, "\(ended.err)")
      // It had open windows when it fell asleep, and answers that lay unread in its sockets.
      #expect(try await launch.count("count(*)", from: "late_evidence", where: "true") > 0)
      let settled = try await launch.count("count(*)", from: "settlement", where: "outcome = 1")
      #expect(settled > 0)
      #expect(try await launch.count("count(*)", from: "final_outcome", where: "outcome = 6") == unknown - settled)
      try await Self.expectBalance(launch, died: 1)
    }

    /// The books hold, by salvo's own word and against the providers'.
    static func expectBalance(_ launch: TestLaunch, died: Int, hasJournal: Bool = false) async throws {
      let balance = try await CrashBalance(of: launch, died: died, hasJournal: hasJournal)
      #expect(balance.isRight, "\(balance)")
      print(balance)
      let verified = try await launch.stack.trySalvo(["verify", "\(launch.id)"])
      #expect(verified.code == 0, "\(verified.out)\(verified.err)")
      #expect(try await launch.unfinishedBusiness() == 0)
    }
  }
}
