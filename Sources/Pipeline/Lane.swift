import Base
import Campaign
import Providers
import Store

/// Sends one lane to its end: several chunks at once, each with one open window.
struct Lane: Sendable {
  /// How often an idle lane looks for chunks that others gave back or that became due, in seconds: often at first, so
  /// that a short lane ends when its last chunk does.
  static let shortestIdle = 0.1
  static let longestIdle = 2.0
  /// A wait beyond it ends the run, which says when the lane goes on: nobody pays for a process that sleeps until
  /// tomorrow. Apple's fifteen minutes after a 5xx are waited through.
  static let longestWait = 1_000.0

  let lane: PreparedLane
  let control: LaneControl
  let launches: LaunchStore
  let chunks: ChunkStore
  let windows: WindowStore
  let database: DatabaseWait
  let spool: Spool
  let journal: Journal
  let budget: ByteBudget
  let stop: StopState
  let log: Log

  /// Runs until no chunk and no accepted window is left, or the lane stops.
  func run() async throws {
    repeat {
      try await runOnce()
      // A transfer that never arrived leaves a retry chunk behind.
    } while try await hasMore()
  }

  private func hasMore() async throws -> Bool {
    guard !control.flag.isSet else { return false }
    let pause = control.coolSeconds
    if pause > Self.longestWait {
      control.stop(
        LaneStop(
          waitsUntil: EpochMilliseconds.now.adding(seconds: pause),
          because: (control.coolingWords.map { "the provider answered \($0); " } ?? "") + "nothing may be sent"))
      return false
    }
    switch try await claim() {
    case .done, .halted: return false
    case .nothing(let nextDue):
      guard let nextDue, seconds(until: nextDue) > Self.longestWait else { return true }
      control.stop(LaneStop(waitsUntil: nextDue, because: "what is left is not due"))
      return false
    case .leased(let lease):
      try await database.patiently(.results) { _ in try await chunks.release(lease) }
      return true
    }
  }

  private func claim() async throws -> Claim {
    let takeover = Takeover(settlesLater: lane.adapter.settlesLater) { [lane] in lane.uid(of: $0) }
    let claim = try await database.patiently(.new) { _ in
      try await chunks.claim(launch: lane.launch.id, channel: lane.channel.id, takeover: takeover)
    }
    if case .leased(let lease) = claim, let left = lease.leftBehind {
      lane.metrics.tookOver(left)
      log.warning(
        "runner \(left.owner) vanished and left \(left.unknown + left.awaited) messages under way: "
          + (left.awaited > 0
            ? "\(left.awaited) are asked about, \(left.unknown) are unknown" : "\(left.unknown) are unknown"))
    }
    return claim
  }

  private func seconds(until moment: EpochMilliseconds) -> Double {
    Double(moment.value - EpochMilliseconds.now.value) / 1000
  }

  private func runOnce() async throws {
    do {
      // Checked before the first message: a wrong credential opens no window.
      _ = try await lane.access.current()
    } catch {
      control.stop(LaneStop(noAccess: error, of: lane.channel))
      return
    }
    let sendingIsOver = StopFlag()
    let failures = Guarded<[any Error]>([])
    // Results, not throws: a failing task must not cancel its siblings while they write what was sent.
    @Sendable func guarded(_ body: () async throws -> Void) async {
      do {
        try await body()
      } catch let error where error is LaneStop || error is ProviderError {
        control.stop(LaneStop(noAccess: error, of: lane.channel))
      } catch {
        // Other lanes' windows may be gone as well: nobody goes on by such books.
        if (error as? StoreError)?.code == .historyLost { stop.stop() }
        failures.withLock { $0.append(error) }
        control.stop(LaneStop(.failure, "\(error)"))
      }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<WindowSizing.depth { group.addTask { await guarded { try await workOff() } } }
        }
        sendingIsOver.set()
      }
      if lane.adapter.settlesLater {
        let settler = Settler(lane: lane, control: control, windows: windows, stop: stop, log: log)
        group.addTask {
          await guarded {
            try await database.patiently(.new) { _ in try await settler.run { sendingIsOver.isSet } }
          }
        }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw failure }
  }

  /// Takes chunk after chunk until none of the lane is left.
  private func workOff() async throws {
    let chunk = ChunkRun(
      lane: lane, control: control, launches: launches, chunks: chunks, windows: windows, database: database,
      spool: spool, journal: journal, budget: budget, stop: stop, log: log)
    var idle = Self.shortestIdle
    while !control.flag.isSet {
      let pause = control.coolSeconds
      if pause > Self.longestWait { return }
      if pause > 0 {
        await stop.sleep(seconds: min(pause, Self.longestIdle))
        continue
      }
      switch try await claim() {
      case .done: return
      case .halted(let reason): chunk.halt(reason)
      case .nothing(let nextDue):
        let due = nextDue.map(seconds(until:)) ?? Self.longestIdle
        if due > Self.longestWait { return }
        await stop.sleep(seconds: min(max(due, 0.05), idle) * Double.random(in: 0.8...1))
        idle = min(2 * idle, Self.longestIdle)
      case .leased(let lease):
        try await chunk.run(lease)
        idle = Self.shortestIdle
      }
    }
  }
}
