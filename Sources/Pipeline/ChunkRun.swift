import Base
import Campaign
import Rendering
import Store

/// Works off one leased chunk: one read, then window after window, until its end is reached or the lane stops.
struct ChunkRun: Sendable {
  /// Bytes a row takes until its window is closed: the row, its token, its rendered payload and its result.
  static let bytesPerRow = 1_024
  static let bytesPerMessage = 2_048
  /// A lease is given back rather than held through a longer cool-down.
  static let longestPause = 10.0

  let lane: PreparedLane
  let control: LaneControl
  let launches: LaunchStore
  let chunks: ChunkStore
  let windows: WindowStore
  let budget: ByteBudget
  let stop: StopState
  let log: Log

  func run(_ lease: ChunkLease) async throws {
    let borrowed = await budget.borrow(
      Int(lease.planned) * Self.bytesPerRow + min(Int(lease.planned), lane.sizing.window) * Self.bytesPerMessage)
    defer { budget.giveBack(borrowed) }
    let page = try await chunks.read(lease, columns: lane.renderer.columns)
    let skip = Set(lease.skip)
    var at = 0
    var cursor = lease.cursor
    while at < page.rows.count {
      guard await mayGoOn() else { return try await chunks.release(lease) }
      let end = min(at + lane.sizing.window, page.rows.count)
      switch try await windows.open(lease, keys: page.rows[at..<end].map(\.key)) {
      case .fenced:
        log.warning("another runner took chunk \(lease.chunkNo) over; leaving it")
        return
      case .halted(let reason):
        halt(reason)
        return try await chunks.release(lease)
      case .opened(let open):
        let window = Window(
          lane: lane, control: control, log: log, page: page, rows: at..<end, lease: lease, open: open,
          recordCooling: record(cooling:))
        let close = await window.run(skip: skip)
        cursor = close.cursor ?? cursor
        let result = WindowResult(
          rows: close.rows, accepted: close.accepted, cursor: cursor, retirements: close.retirements,
          verdicts: close.verdicts, dead: close.dead)
        guard try await windows.close(open, of: lease, result: result) == .closed else {
          log.warning("another runner took chunk \(lease.chunkNo) over while its window \(open.windowNo) was out")
          return
        }
        at += close.rows.count + close.accepted.count
      }
    }
    try await chunks.complete(lease)
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
    case .launch(let state):
      control.stop(LaneStop(.operatorAsked, "the launch is \(state.rawValue)"))
    case .lanePaused: control.stop(LaneStop(.operatorAsked, "the lane is paused"))
    case .laneStopped(let reason):
      control.stop(LaneStop(.operatorAsked, reason ?? "the lane was stopped"))
    }
  }
}
