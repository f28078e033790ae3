import Foundation
import Glibc
import Testing

/// The long drill of `Jobs/drill.sh --seed N`: three runners share a large launch, and a random one is killed, or held
/// back for longer than its lease, or the database crashes, again and again.
@Suite(.serialized, .sharedStack, .timeLimit(.minutes(30)), .enabled(if: CrashDrillSeed.given != nil))
struct CrashLongDrillTests {
  @Test("whatever happens to runners and database, the books are right in the end")
  func drill() async throws {
    let stack = try await Stack.shared()
    try await Runs.CrashDrillTests.slowDown(stack)
    let launch = try await TestLaunch.make(stack, Runs.CrashDrillTests.lanes(20_000))
    try await Runs.CrashJournalTests.withState { try await drill(launch, state: $0) }
  }

  private func drill(_ launch: TestLaunch, state: String) async throws {
    let stack = launch.stack
    var random = SeededGenerator(seed: try #require(CrashDrillSeed.given))
    var runners: [Running] = []
    for _ in 1...3 { runners.append(try Runs.CrashDrillTests.start(launch, state: state)) }
    var died = 0
    while try await stack.sql("select state from salvo.launch where id = \(launch.id)") != ["finished"] {
      try await Task.sleep(nanoseconds: UInt64.random(in: 500_000_000...4_000_000_000, using: &random))
      let index = Int.random(in: runners.indices, using: &random)
      switch Int.random(in: 1...10, using: &random) {
      case 1...6:
        if runners[index].isRunning { died += 1 }
        runners[index].signal(SIGKILL)
        _ = try await runners[index].ended()
        runners[index] = try Runs.CrashDrillTests.start(launch, state: state)
      case 7...8:
        if runners[index].isRunning { died += 1 }
        runners[index].signal(SIGSTOP)
        try await Task.sleep(nanoseconds: 8_000_000_000)
        runners[index].signal(SIGCONT)
      default:
        try await stack.restartDatabase()
      }
    }
    #expect(died > 0)
    for runner in runners {
      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
    }
    // Journals of runners that died while the last others ended.
    #expect(try await Runs.CrashDrillTests.start(launch, state: state).ended().code == 0)
    try await Runs.CrashDrillTests.expectBalance(launch, died: died, hasJournal: true)
  }
}

/// `SALVO_DRILL_SEED`: which course of events the long drill takes; without it there is none.
enum CrashDrillSeed {
  static let given = ProcessInfo.processInfo.environment["SALVO_DRILL_SEED"].flatMap(UInt64.init)
}
