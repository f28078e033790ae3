import Base
import Campaign
import Providers
import Rendering
import Store
import Transport

/// Works off one leased chunk: one read, then window after window, until its end is reached or the lane stops.
struct ChunkRun: Sendable {
  /// Bytes a row takes until its window is closed: the row, its token, its rendered payload and its result.
  static let bytesPerRow = 1_024
  static let bytesPerMessage = 2_048
  /// A lease is given back rather than held through a longer cool-down.
  static let longestPause = 10.0

  var lane: PreparedLane
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

  func run(_ lease: ChunkLease) async throws {
    var chunk = self
    if let due = lease.dueAt { chunk.lane = try lane.living(from: due) }
    try await chunk.send(lease)
  }

  private func send(_ lease: ChunkLease) async throws {
    let borrowed = await budget.borrow(
      Int(lease.planned) * Self.bytesPerRow + min(Int(lease.planned), lane.sizing.window) * Self.bytesPerMessage)
    defer { budget.giveBack(borrowed) }
    let read = try await database.patiently(.new) { _ in
      try await chunks.read(lease, columns: lane.renderer.columns)
    }
    let page = lane.targets?.addressing(read) ?? read
    let skip = Set(lease.skip)
    let older = Set(lease.older)
    var at = 0
    var cursor = lease.cursor
    while at < page.rows.count {
      guard await mayGoOn() else { return try await release(lease) }
      let end = min(at + lane.sizing.window, page.rows.count)
      let keys = page.rows[at..<end].map(\.key)
      let asked = BootInstant.now
      let opened = try await database.patiently(.new) { isRepeated in
        try await windows.open(
          lease, keys: keys, requestTimeout: lane.pool.configuration.timeout, isRepeated: isRepeated)
      }
      switch opened {
      case .fenced:
        lane.metrics.leaseLost()
        log.warning("another runner took chunk \(lease.chunkNo) over; leaving it")
        return
      case .halted(let reason):
        halt(reason)
        return try await release(lease)
      case .opened(let open):
        lane.metrics.opened(open, since: asked)
        defer { lane.metrics.left(open) }
        let entry = journal.begin(
          JournaledWindow(open, of: lease, keys: keys, cursor: cursor, settlesLater: lane.adapter.settlesLater))
        let window = Window(
          lane: lane, control: control, log: log.with("window", open.windowNo), page: page, rows: at..<end,
          lease: lease, open: open, journal: entry,
          recordCooling: record(cooling:))
        let close = await window.run(skip: skip, older: older)
        cursor = close.cursor ?? cursor
        let result = WindowResult(
          rows: close.rows, accepted: close.accepted, cursor: cursor, retirements: close.retirements,
          verdicts: close.verdicts, dead: close.dead, inbox: close.inbox)
        let sent = BootInstant.now
        let closed = try await spooling(Testimony(of: keys, under: lease, result: result), entry) {
          try await windows.close(open, of: lease, result: result)
        }
        if case .closedWithout(let refused) = closed { report(refused, of: open, in: lease) }
        guard closed != .fenced else { return try await testify(open, of: lease, keys: keys, result: result, entry) }
        entry?.closed()
        lane.metrics.closed(close.rows, since: sent)
        at += close.rows.count + close.accepted.count
      }
    }
    try await database.patiently(.results) { _ in try await chunks.complete(lease) }
  }

  private func report(_ refused: [RefusedRow], of window: OpenWindow, in lease: ChunkLease) {
    for refused in refused {
      log.error(
        "the result of subscription \(refused.row.key.subscriptionID) of profile \(refused.row.key.profileID), attempt"
          + " \(lease.attempt), in window \(window.windowNo) of chunk \(lease.chunkNo) is refused and kept as late"
          + " evidence (\(refused.row.outcome.name)); the others are written: \(refused.reason)")
    }
  }

  /// Writes results; leaves them in a file when the database stays away for as long as this runner may wait.
  private func spooling<Result: Sendable>(
    _ testimony: Testimony, _ entry: WindowJournal?, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await database.patiently(.results) { _ in try await body() }
    } catch let error as StoreError where error.code == .away {
      if spool.keep(testimony, log) { entry?.closed() }
      throw error
    }
  }

  private func release(_ lease: ChunkLease) async throws {
    try await database.patiently(.results) { _ in try await chunks.release(lease) }
  }

  /// Fenced: the chunk is another runner's, which called this window's messages unknown. What is known of them still
  /// counts.
  private func testify(
    _ window: OpenWindow, of lease: ChunkLease, keys: [RecipientKey], result: WindowResult, _ entry: WindowJournal?
  ) async throws {
    let testimony = Testimony(of: keys, under: lease, result: result)
    lane.metrics.leaseLost()
    let settled = try await spooling(testimony, entry) { try await windows.testify(testimony) }
    entry?.closed()
    lane.metrics.settled(unknown: Int64(settled))
    log.with("window", window.windowNo).warning(
      "another runner took chunk \(lease.chunkNo) over while its window \(window.windowNo) was out; what is known of it"
        + " is kept as late evidence and settles \(settled) unknown messages")
  }

  /// Without the database this runner still waits; what else it can't write then is told by the window's end.
  private func record(cooling until: EpochMilliseconds) async {
    do {
      try await launches.coolLane(lane.launch.id, channel: lane.channel.id, until: until)
    } catch {
      log.warning("other runners don't know that the lane must wait: \(error)")
    }
  }

  /// Waits through a short cool-down; false when the chunk should be left to later.
  private func mayGoOn() async -> Bool {
    let pause = control.coolSeconds
    if pause > Self.longestPause || control.flag.isSet { return false }
    await stop.sleep(seconds: pause)
    return !control.flag.isSet
  }

  /// The lane opens no window: it cools, or it stops for what a command said.
  func halt(_ reason: HaltReason) {
    switch reason {
    case .cooling(let until): control.cool(until: until)
    case .quiet: break
    case .switchedOff(let words): control.stop(LaneStop(.operatorAsked, words))
    case .launch(let state):
      control.stop(LaneStop(state == .cancelled ? .cancelled : .operatorAsked, "the launch is \(state.rawValue)"))
    case .lanePaused: control.stop(LaneStop(.operatorAsked, "the lane is paused"))
    case .laneStopped(let reason):
      let kind: LaneStop.Kind = reason == LaunchCommands.cancelled ? .cancelled : .operatorAsked
      control.stop(LaneStop(kind, reason ?? "the lane was stopped"))
    }
  }
}
