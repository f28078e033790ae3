import Base
import Store

/// Holds a job while it is done: renews the lease as long as the work goes on, stops the work when the lease is lost,
/// and writes down how it ended.
struct JobRun: Sendable {
  let jobs: JobStore
  let work: JobWork
  /// Sends a launch until `stop` says otherwise; nil when this process is at it already.
  let runLaunch: @Sendable (Int64, StopState) async throws -> RunReport?
  let stop: StopState
  let log: Log

  func run(_ lease: JobLease) async throws {
    let log = log.with("job", lease.id)
    let own = StopState(grace: stop.grace)
    let isOver = StopFlag()
    async let keeping: Void = keep(lease, own, log, until: isOver)
    let end = await work.run(lease) { try await runLaunch($0, own) }
    isOver.set()
    await keeping
    switch end {
    case .done(let result): try await jobs.complete(lease, result: result)
    case .marked: break
    case .notNow(let seconds): try await jobs.giveBack(lease, inSeconds: seconds)
    case .fenced: log.warning("another runner took the job over; what it does counts")
    case .failed(let error): try await fail(lease, error, log)
    }
  }

  /// Every third of a lease. By this machine's clock: who can't renew in time gives up before others take over.
  private func keep(_ lease: JobLease, _ own: StopState, _ log: Log, until isOver: StopFlag) async {
    var lease = lease
    var renewAt = BootInstant.now.advanced(seconds: jobs.lease / 3)
    while !isOver.isSet {
      if stop.isStopping { own.stop() }
      if renewAt <= .now {
        do {
          guard let renewed = try await jobs.renew(lease) else {
            log.warning("another runner took the job over; leaving it")
            return own.stop()
          }
          lease = renewed
          renewAt = BootInstant.now.advanced(seconds: jobs.lease / 3)
        } catch {
          renewAt = BootInstant.now.advanced(seconds: 1)
        }
      }
      if lease.validUntil <= .now { own.stop() }
      await isOver.sleep(seconds: 0.2)
    }
  }

  private func fail(_ lease: JobLease, _ error: any Error, _ log: Log) async throws {
    let verdict = JobVerdict.failed(
      attempt: lease.attempt, of: lease.maxAttempts, isLasting: JobVerdict.isLasting(error),
      jitter: Double.random(in: 0.8...1.2))
    let words = "\(error)"
    let isHeld: Bool
    switch verdict {
    case .bury:
      isHeld = try await jobs.fail(lease, error: words, retryIn: nil)
      log.error("\(lease.kind) is dead after try \(lease.attempt): \(words)")
    case .retry(let seconds):
      isHeld = try await jobs.fail(lease, error: words, retryIn: seconds)
      log.warning(
        "\(lease.kind), try \(lease.attempt) of \(lease.maxAttempts): \(words); again in \(Int(seconds)) s")
    }
    if !isHeld { log.warning("another runner took the job over; what it does counts") }
  }
}
