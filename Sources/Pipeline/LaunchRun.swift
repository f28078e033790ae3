public import Base
import Campaign
import Providers
public import Store

/// Sends one launch: prepare, plan, all lanes side by side, balance.
public struct LaunchRun: Sendable {
  /// What the process settings say.
  public struct Settings: Sendable {
    /// Where the files of `file:` credentials lie; nil: such a credential is a matter of configuration, exit 78.
    public var credentialsFolder: String?
    /// PEM file of authorities trusted beside the channel's or the system's own; nil: none.
    public var extraCAFile: String?
    /// Where the journal is kept, and results go that the database can't be told; nil: nowhere.
    public var stateFolder: String?
    /// Bytes that rows and rendered payloads may take, all lanes together.
    public var memory: Int

    /// The values as the process was given them.
    public init(credentialsFolder: String?, extraCAFile: String?, stateFolder: String? = nil, memory: Int) {
      self.credentialsFolder = credentialsFolder
      self.extraCAFile = extraCAFile
      self.stateFolder = stateFolder
      self.memory = memory
    }
  }

  private let settings: Settings
  private let launches: LaunchStore
  private let chunks: ChunkStore
  private let windows: WindowStore
  private let tokens: TokenStore
  private let rates: RateStore
  private let stop: StopState
  private let log: Log
  private let metrics: Metrics

  /// Does nothing yet. The stores may share one database.
  /// - Parameter stop: asked between steps, and handed to every pool.
  public init(
    launches: LaunchStore, chunks: ChunkStore, windows: WindowStore, tokens: TokenStore, rates: RateStore,
    settings: Settings,
    stop: StopState, log: Log, metrics: Metrics = Metrics()
  ) {
    self.settings = settings
    self.launches = launches
    self.chunks = chunks
    self.windows = windows
    self.tokens = tokens
    self.rates = rates
    self.stop = stop
    self.log = log
    self.metrics = metrics
  }

  /// Runs the launch until its count balances, its lanes stop, or the process is asked to stop.
  /// - Parameter resumesLanes: somebody asked for this run, so lanes that were stopped go on.
  /// - Throws: `RunError` and `StoreError` when it can't begin or the database fails.
  public func run(_ id: Int64, resumesLanes: Bool = true) async throws -> RunReport {
    let launch = try await launches.load(id)
    await Spool(folder: settings.stateFolder).takeIn(by: windows, log)
    if [.finished, .needsDecision].contains(launch.state) {
      await recover(launch, try await launches.channels(of: id), [])
      return RunReport(launch: id, state: launch.state, lanes: try await launches.progress(of: id), stops: [:])
    }
    defer { LaneMetrics.ended(id, in: metrics) }
    let pools = Pools()
    do {
      let report = try await run(launch, resumesLanes, pools)
      await pools.close()
      return report
    } catch {
      await pools.close()
      throw error
    }
  }

  private func run(_ launch: Launch, _ resumesLanes: Bool, _ pools: Pools) async throws -> RunReport {
    let paces = Paces(rates, log: log.with("launch", launch.id))
    let preparer = LanePreparer(
      credentials: CredentialStore(folder: settings.credentialsFolder), extraCAFile: settings.extraCAFile, pools: pools,
      tokens: tokens, paces: paces, metrics: metrics, stop: stop.flag)
    for warning in launch.content.warnings + launch.options.warnings { log.warning("launch \(launch.id): \(warning)") }
    try preparer.checkTrust()
    let channels = try await launches.channels(of: launch.id)
    // Everything is prepared once before the plan, so that a wrong template or a missing file leaves nothing behind.
    let drafts = try channels.map { try preparer.prepare(launch.startingNow, $0) }
    if try await !isOnlyToSettle(launch) {
      try await launches.plan(
        launch.id,
        sizing: drafts.map {
          LaneSizing(channelID: $0.channel.id, window: $0.sizing.window, depth: WindowSizing.depth)
        })
      if resumesLanes { try await launches.resumeLanes(launch.id) }
    }
    // And again with the start that the plan fixed: ids, links and expiries follow from it.
    let planned = try await launches.load(launch.id)
    let lanes = try channels.map { try preparer.prepare(planned, $0) }
    await recover(planned, channels, lanes)
    let journal = Journal(folder: settings.stateFolder, of: planned, log)
    defer { journal.close() }
    let isOver = StopFlag()
    async let sharing: Void = paces.run(until: isOver)
    let ended: Result<(LaunchState, [Int64: LaneStop]), any Error>
    do { ended = .success(try await sendAll(lanes, of: launch.id, pools, journal)) } catch { ended = .failure(error) }
    isOver.set()
    await sharing
    let (state, stops) = try ended.get()
    return RunReport(
      launch: launch.id, state: state, lanes: try await launches.progress(of: launch.id), stops: stops)
  }

  /// Cancelled, with transfers that a provider accepted before: they were sent, and their results are still written.
  private func isOnlyToSettle(_ launch: Launch) async throws -> Bool {
    guard launch.state == .cancelled else { return false }
    for lane in try await launches.lanes(of: launch.id) {
      if try await !windows.accepted(launch: launch.id, channel: lane.channelID).isEmpty { return true }
    }
    return false
  }

  /// Takes in the journals of runners that died.
  private func recover(_ launch: Launch, _ channels: [Channel], _ lanes: [PreparedLane]) async {
    let recovery = JournalRecovery(
      launch: launch, channels: channels, windows: windows, chunks: chunks, log: log.with("launch", launch.id)
    ) { channel, key in
      lanes.first { $0.channel.id == channel }?.uid(of: key)
    }
    await recovery.takeIn(from: settings.stateFolder)
  }

  /// Until the launch's count balances; unknown messages that go again do so once the rest is through.
  private func sendAll(
    _ lanes: [PreparedLane], of launch: Int64, _ pools: Pools, _ journal: Journal
  ) async throws -> (LaunchState, [Int64: LaneStop]) {
    let database = DatabaseWait(stop: stop, log: log.with("launch", launch))
    while true {
      let records = try await database.patiently(.new) { _ in try await launches.lanes(of: launch) }
      let stops = try await send(lanes, records, pools, database, journal)
      let (state, hasMore) = try await database.patiently(.results) { _ in
        (try await launches.finish(launch), try await launches.hasChunks(launch))
      }
      guard state == .running, stops.isEmpty, !stop.isStopping, hasMore else { return (state, stops) }
    }
  }

  /// All lanes side by side; none waits for another.
  private func send(
    _ lanes: [PreparedLane], _ records: [LaneRecord], _ pools: Pools, _ database: DatabaseWait, _ journal: Journal
  ) async throws -> [Int64: LaneStop] {
    guard let launch = lanes.first?.launch.id else { return [:] }
    let launchLog = log.with("launch", launch)
    let report = Guarded(StopReport())
    let sending = lanes.compactMap { lane -> Lane? in
      guard let record = records.first(where: { $0.channelID == lane.channel.id }), record.state != .done else {
        return nil
      }
      let control = LaneControl(
        breaker: Breaker(settings: lane.channel.settings.breaker, verdicts: record.verdicts, dead: record.dead),
        processStop: stop.flag,
        onStop: { [id = lane.channel.id, name = lane.channel.name, metrics = lane.metrics] stop in
          metrics.stopped(stop.kind)
          report.withLock { $0.laneStopped(id, name, stop, at: .now) }
        })
      lane.metrics.begins(planned: record.planned)
      if let until = record.coolUntil { control.cool(until: until) }
      // A budget a lane, so that a slow provider never holds the memory that another lane needs.
      let budget = ByteBudget(bytes: settings.memory / max(lanes.count, 1))
      return Lane(
        lane: lane, control: control, launches: launches, chunks: chunks, windows: windows, database: database,
        spool: Spool(folder: settings.stateFolder), journal: journal, budget: budget, stop: stop,
        log: launchLog.with("lane", lane.channel.name))
    }
    let watch = Task { [stop] in
      var wasStopping = false
      while !Task.isCancelled {
        if stop.isStopping, !wasStopping {
          wasStopping = true
          launchLog.info("stopping: \(pools.stop()) requests in flight")
        }
        for line in report.withLock({ $0.due(at: .now) }) { launchLog.write(line) }
        try? await Task.sleep(nanoseconds: 20_000_000)
      }
    }
    defer {
      watch.cancel()
      for line in report.withLock({ $0.rest() }) { launchLog.write(line) }
    }
    return try await withThrowingTaskGroup(of: (Int64, LaneStop?, (any Error)?).self) { group in
      for lane in sending {
        group.addTask {
          var failure: (any Error)?
          do { try await lane.run() } catch { failure = error }
          return (lane.lane.channel.id, lane.control.stop, failure)
        }
      }
      var stops: [Int64: LaneStop] = [:]
      var failure: (any Error)?
      for try await (channel, stop, error) in group {
        failure = failure ?? error
        guard let stop else { continue }
        stops[channel] = stop
        if stop.isForPeople {
          do {
            try await database.patiently(.results) { _ in
              try await launches.stopLane(launch, channel: channel, reason: stop.reason)
            }
          } catch { failure = failure ?? error }
        }
      }
      if let failure { throw failure }
      return stops
    }
  }
}

extension Log {
  fileprivate func write(_ line: StopReport.Line) {
    if line.isError { error(line.text) } else { warning(line.text) }
  }
}

extension Launch {
  /// The launch as if its plan began now, for checks before there is a plan.
  var startingNow: Launch {
    Launch(
      id: id, account: account, campaignID: campaignID, campaignName: campaignName, state: state, content: content,
      options: options, notBefore: notBefore, notAfter: notAfter, startedAt: startedAt ?? .now)
  }
}
