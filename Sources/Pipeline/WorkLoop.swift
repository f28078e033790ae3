public import Base
public import Store

/// Does what is due: recurring launches are made, late ones called missed, jobs done, due launches sent. Once, as cron
/// wants it, or until asked to stop. Any number of processes share the work by leases.
public struct WorkLoop: Sendable {
  /// When it ends.
  public enum Mode: Sendable {
    /// Each thing once, then it ends. Launches that so many runners are at already are left to them, so that starts of
    /// every minute don't pile up behind a launch of an hour.
    case once(mostRunners: Int64)
    /// Looks for more every so many seconds.
    case forever(poll: Double)

    fileprivate var mostRunners: Int64 { if case .once(let most) = self { most } else { .max } }
    fileprivate var isOnce: Bool { if case .once = self { true } else { false } }
  }

  /// Where work is found and written.
  public struct Stores: Sendable {
    /// Jobs to lease.
    public var jobs: JobStore
    /// Launches to begin, go on with, or call missed.
    public var due: DueStore
    /// Schedules to make launches of.
    public var schedules: ScheduleStore
    /// Who is at work on which launch.
    public var runners: RunnerStore

    /// All of one database.
    public init(jobs: JobStore, due: DueStore, schedules: ScheduleStore, runners: RunnerStore) {
      self.jobs = jobs
      self.due = due
      self.schedules = schedules
      self.runners = runners
    }
  }

  /// What a launch came to, for whoever prints it.
  public typealias Told = @Sendable (Int64, Result<RunReport, any Error>) -> Void

  /// Seconds between two signs of life in `salvo.runner`.
  private static let beat = 15.0
  /// Seconds between two looks at a database that is away.
  private static let away = 3.0

  private let mode: Mode
  private let stores: Stores
  private let work: JobWork
  private let concurrency: Int
  private let launchRun: @Sendable (StopState) -> LaunchRun
  private let version: String
  private let stop: StopState
  private let log: Log
  private let told: Told
  private let turns: Guarded<LaunchTurns>

  /// - Parameters:
  ///   - concurrency: jobs and launches at a time.
  ///   - launchRun: sends launches until this stop.
  public init(
    _ mode: Mode, stores: Stores, work: JobWork, concurrency: Int, version: String,
    launchRun: @escaping @Sendable (StopState) -> LaunchRun, stop: StopState, log: Log, told: @escaping Told
  ) {
    self.mode = mode
    self.stores = stores
    self.work = work
    self.concurrency = concurrency
    self.version = version
    self.launchRun = launchRun
    self.stop = stop
    self.log = log
    self.told = told
    turns = Guarded(LaunchTurns(triesOnce: mode.isOnce))
  }

  /// - Throws: `StoreError` when a pass that ends can't be made; a loop waits for the database instead.
  public func run() async throws {
    switch mode {
    case .once:
      try await plan()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<concurrency {
          group.addTask { while !stop.isStopping, try await step() {} }
        }
        try await group.waitForAll()
      }
    case .forever(let poll):
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await keepSaying() }
        group.addTask {
          await patiently(every: poll) {
            try await plan()
            return false
          }
        }
        for _ in 0..<concurrency { group.addTask { await patiently(every: poll) { try await step() } } }
      }
    }
  }

  /// Again and again; at once while there is more, else after the pause, more or less, so that runners which started
  /// together don't ask together.
  private func patiently(every pause: Double, _ body: () async throws -> Bool) async {
    var wasAway = false
    while !stop.isStopping {
      do {
        let hasMore = try await body()
        wasAway = false
        if !hasMore { await stop.sleep(seconds: pause * Double.random(in: 0.5...1.5)) }
      } catch {
        if !wasAway { log.warning("\(error); trying again") }
        wasAway = true
        await stop.sleep(seconds: Self.away * Double.random(in: 0.5...1.5))
      }
    }
  }

  // MARK: One thing

  /// - Returns: false when nothing was to be done.
  private func step() async throws -> Bool {
    if let lease = try await stores.jobs.claim() {
      await sayOnce()
      let run = JobRun(
        jobs: stores.jobs, work: work, runLaunch: { try await send($0, isAsked: true, $1) }, stop: stop, log: log)
      try await run.run(lease)
      return true
    }
    let due = try await stores.due.launches(with: mode.mostRunners)
    guard let launch = turns.withLock({ $0.next(of: due, at: .now) }) else { return false }
    await sayOnce()
    _ = try? await begun(launch, resumesLanes: false, stop)
    return true
  }

  /// - Parameter isAsked: somebody asked for this launch: its stopped lanes go on.
  private func send(_ launch: Int64, isAsked: Bool, _ stop: StopState) async throws -> RunReport? {
    guard turns.withLock({ $0.begin(launch) }) else { return nil }
    return try await begun(launch, resumesLanes: isAsked, stop)
  }

  private func begun(_ launch: Int64, resumesLanes: Bool, _ stop: StopState) async throws -> RunReport {
    do {
      let report = try await launchRun(stop).run(launch, resumesLanes: resumesLanes)
      turns.withLock { $0.ended(launch, isWell: report.exitCode == 0, at: .now) }
      told(launch, .success(report))
      return report
    } catch {
      turns.withLock { $0.ended(launch, isWell: false, at: .now) }
      told(launch, .failure(error))
      throw error
    }
  }

  // MARK: Plans

  private func plan() async throws {
    for made in try await stores.schedules.makeDue() {
      switch made {
      case .launch(let launch, let schedule, let planned, let recipients):
        log.info("schedule \(schedule): launch \(launch) for \(planned.localText), \(recipients) recipients")
      case .refused(let schedule, let words): log.error("schedule \(schedule) makes no launch: \(words)")
      }
    }
    for dead in try await stores.jobs.bury() { log.error(dead) }
    for missed in try await stores.due.missLate() { log.error(missed.words) }
  }

  // MARK: Signs of life

  /// A pass that finds nothing leaves no trace.
  private func sayOnce() async {
    if mode.isOnce { await say() }
  }

  private func keepSaying() async {
    while !stop.isStopping {
      await say()
      await stop.sleep(seconds: Self.beat)
    }
  }

  private func say() async {
    do { try await stores.runners.beat(version: version) } catch { log.debug("no sign of life was left: \(error)") }
  }
}
