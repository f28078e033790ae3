public import Base
import Campaign
import Report
public import Store

/// What a job leaves behind: `job.result`.
public typealias JobResult = JSON

/// Does one job, whatever its kind. A kind is registered here: its arguments in `Job`, its work below.
public struct JobWork: Sendable {
  let commands: LaunchCommands
  let admin: LaunchAdmin
  let due: DueStore
  let maintenance: Maintenance
  let reports: ReportReader
  /// Where reports are written; nil: nowhere.
  let stateFolder: String?

  /// - Parameter stateFolder: where reports are written; nil: a job that wants one fails.
  public init(
    commands: LaunchCommands, admin: LaunchAdmin, due: DueStore, maintenance: Maintenance, reports: ReportReader,
    stateFolder: String?
  ) {
    self.commands = commands
    self.admin = admin
    self.due = due
    self.maintenance = maintenance
    self.reports = reports
    self.stateFolder = stateFolder
  }

  /// - Parameter runLaunch: sends a launch; nil when this process is at it already.
  func run(_ lease: JobLease, runLaunch: (Int64) async throws -> RunReport?) async -> JobEnd {
    do {
      return try await attempt(lease, runLaunch)
    } catch let error as StoreError where error.code == .fenced {
      return .fenced
    } catch {
      return .failed(error)
    }
  }

  private func attempt(_ lease: JobLease, _ runLaunch: (Int64) async throws -> RunReport?) async throws -> JobEnd {
    guard let kind = Job.Kind(rawValue: lease.kind) else {
      throw RunError(.configuration, "this salvo knows no job of kind \(lease.kind)")
    }
    let job = try Job(kind, args: try Self.parsed(lease.args))
    if case .maintain(let days) = job {
      return .done(try await maintenance.run(keepDays: days).json)
    }
    guard let launch = lease.launchID else { throw RunError(.content, "the job names no launch") }
    switch job {
    case .runLaunch: return try await begin(launch, lease, runLaunch)
    case .retry(let outcomes, let reason):
      _ = try await commands.retry(launch: launch, outcomes: outcomes, reason: reason, channel: nil, doing: lease)
      return .marked
    case .audience(let filter):
      // Adding again adds nobody, so that this may be done twice.
      let added = try await admin.audience(launch: launch, filter: filter)
      return .done(.object(JSONObject([.init(key: "added", value: .number("\(added)"))])))
    case .pause(let channel): return try await say(.pause, launch, channel, lease)
    case .resume(let channel): return try await say(.resume, launch, channel, lease)
    case .cancel(let channel): return try await say(.cancel, launch, channel, lease)
    case .report(let format, let name): return try await report(launch, format, to: name)
    case .maintain: throw RunError(.content, "a job that keeps house names no launch")
    }
  }

  private func report(_ launch: Int64, _ format: ReportFormat, to name: String?) async throws -> JobEnd {
    guard let stateFolder else {
      throw RunError(
        .configuration, "a report needs a state folder to be written to: start the worker with --state DIR")
    }
    let name = name ?? "report-\(launch).\(format.rawValue)"
    try await ReportFile.write(launch, format, to: name, in: stateFolder, by: reports)
    return .done(.object(JSONObject([.init(key: "file", value: .string(name))])))
  }

  private func say(
    _ word: LaunchCommands.Word, _ launch: Int64, _ channel: Int64?, _ lease: JobLease
  ) async throws -> JobEnd {
    _ = try await commands.say(word, launch: launch, channel: channel, doing: lease)
    return .marked
  }

  private func begin(
    _ launch: Int64, _ lease: JobLease, _ runLaunch: (Int64) async throws -> RunReport?
  ) async throws -> JobEnd {
    switch try await due.judge(launch, planned: lease.attempt == 1 ? lease.runAt : nil) {
    case .later(let seconds): return .notNow(seconds: seconds)
    case .missed(let missed): throw StoreError(.state, missed.words)
    case .due: break
    }
    guard let report = try await runLaunch(launch) else { return .notNow(seconds: 5) }
    if report.isUnfinished { return .notNow(seconds: nil) }
    guard [0, RunError.Code.again.rawValue].contains(report.exitCode) else {
      throw RunError(.usage, report.stopReasons + "; once that is right, enqueue the launch again")
    }
    return .done(report.result)
  }

  private static func parsed(_ text: String) throws(RunError) -> JSON {
    do { return try JSONScanner.parse(Array(text.utf8)) } catch { throw RunError(.content, "args: \(error)") }
  }
}
