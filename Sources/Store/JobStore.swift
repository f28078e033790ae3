public import Base
public import Campaign
public import Postgres

/// `salvo.job`: rows that platforms insert, leased by compare-and-swap, each write guarded by a token.
public struct JobStore: Sendable {
  let database: Database
  let owner: String
  /// Seconds until others may take a job that its holder says nothing of.
  public let lease: Double

  /// - Parameters:
  ///   - owner: written into the rows for people; ownership itself is the token's.
  ///   - lease: as `LeaseTerms` has it.
  public init(_ database: Database, owner: String, lease: Double = 60) {
    self.database = database
    self.owner = owner
    self.lease = lease
  }

  // MARK: Claim

  /// One statement. Rows that others are taking at this moment are passed over, not waited for; the CTE keeps the
  /// limit when a row is looked at again. Due times go by the planning clock, leases by the true one.
  private static let take = """
    with free as materialized (
      select j.id from salvo.job j
      where j.state in ('queued', 'leased')
        and case j.state when 'queued' then j.run_at <= salvo.now() else j.lease_until < now() end
        and j.attempts < j.max_attempts
      order by j.priority desc, j.run_at, j.id
      limit 1 for update skip locked
    )
    update salvo.job j
    set state = 'leased', attempts = j.attempts + 1, leased_by = $1, token = j.token + 1,
      lease_until = now() + make_interval(secs => $2)
    from free where j.id = free.id
    returning j.id, j.kind, j.launch_id, j.args, j.attempts, j.max_attempts, j.run_at, j.token
    """

  /// A job whose every try took its runner down is nobody's any more.
  private static let bury = """
    update salvo.job j
    set state = 'dead', finished_at = now(), leased_by = null, lease_until = null,
      last_error = 'runner ' || j.leased_by || ' vanished in the middle of try ' || j.attempts || ' of '
        || j.max_attempts || coalesce('; before that: ' || j.last_error, '')
    where j.id in (
      select d.id from salvo.job d
      where d.state = 'leased' and d.lease_until < now() and d.attempts >= d.max_attempts
      limit 100 for update skip locked)
    returning j.id, j.last_error
    """

  /// Marks jobs dead that have used up their tries with runners that vanished.
  /// - Returns: a line for people for each.
  public func bury() async throws -> [String] {
    try await database.perform("looking for jobs whose runners vanished") { connection in
      try connection.execute(Self.bury).map { "job \($0.int(0) ?? 0) is dead: \($0.text(1) ?? "")" }
    }
  }

  /// Leases the job that is due longest among those of the highest priority; nil when none is due.
  public func claim() async throws -> JobLease? {
    try await database.perform("leasing a job") { [owner, lease] connection in
      let start = BootInstant.now
      guard let row = try connection.execute(Self.take, [.text(owner), .double(lease)]).first else { return nil }
      guard let id = row.int(0), let kind = row.text(1), let attempt = row.int(4), let most = row.int(5),
        let token = row.int(7)
      else { throw StoreError(.refused, "a row of salvo.job can't be read") }
      return JobLease(
        id: id, kind: kind, launchID: row.int(2), args: row.text(3) ?? "{}", attempt: Int(attempt),
        maxAttempts: Int(most), runAt: row.timestamp(6) ?? .now, token: token,
        validUntil: start.advanced(seconds: lease * 5 / 6))
    }
  }

  private static let extend = """
    update salvo.job set lease_until = now() + make_interval(secs => $3)
    where id = $1 and token = $2 and state = 'leased'
    """

  /// - Returns: the lease with a later end; nil when another runner holds the job.
  public func renew(_ lease: JobLease) async throws -> JobLease? {
    try await database.perform("renewing job \(lease.id)") { [seconds = self.lease] connection in
      let start = BootInstant.now
      guard try connection.execute(Self.extend, lease.guardParameters + [.double(seconds)]).affected == 1 else {
        return nil
      }
      var lease = lease
      lease.validUntil = start.advanced(seconds: seconds * 5 / 6)
      return lease
    }
  }

  // MARK: End of a lease

  /// Marks it done. What is done in one transaction is better marked in the same one: `JobLease.complete`.
  public func complete(_ lease: JobLease, result: JSON) async throws {
    try await database.perform("completing job \(lease.id)") { try lease.complete(result, $0) }
  }

  private static let put = """
    update salvo.job
    set state = case when $3 then 'dead' else 'queued' end, finished_at = case when $3 then now() end,
      run_at = salvo.now() + make_interval(secs => $4), last_error = $5, leased_by = null, lease_until = null
    where id = $1 and token = $2 and state = 'leased'
    """

  /// It failed: again in so many seconds, or never.
  /// - Parameter retryIn: nil = it is dead, and stays visible with its reason.
  /// - Returns: false when another runner holds the job by now.
  public func fail(_ lease: JobLease, error: String, retryIn: Double?) async throws -> Bool {
    try await database.perform("putting job \(lease.id) off") { connection in
      try connection.execute(
        Self.put,
        lease.guardParameters + [.bool(retryIn == nil), .double(retryIn ?? 0), .text(PostgresText.tidy(error))]
      ).affected == 1
    }
  }

  private static let giveBack = """
    update salvo.job
    set state = 'queued', attempts = attempts - 1, run_at = coalesce(salvo.now() + make_interval(secs => $3), run_at), leased_by = null, lease_until = null
    where id = $1 and token = $2 and state = 'leased'
    """

  /// It was not done, through no fault of its own: not counted as a try.
  /// - Parameter inSeconds: not due before; nil = as it was.
  public func giveBack(_ lease: JobLease, inSeconds: Double? = nil) async throws {
    try await database.perform("giving job \(lease.id) back") { connection in
      try connection.execute(Self.giveBack, lease.guardParameters + [inSeconds.map(Parameter.double) ?? .null])
    }
  }

  // MARK: Enqueue

  private static let insert = """
    insert into salvo.job (kind, launch_id, args, idempotency_key, priority, run_at)
    values ($1, $2, $3, $4, $5, coalesce($6::text::timestamptz, salvo.now()))
    on conflict (idempotency_key) where idempotency_key is not null do nothing
    returning id
    """
  private static let known = "select id from salvo.job where idempotency_key = $1"

  /// Inserts a row, as a platform does.
  /// - Parameters:
  ///   - at: a time as PostgreSQL reads it; without a zone it is in the session's. Nil = now.
  ///   - key: a second job with it is not made.
  /// - Returns: the job's id, and whether it was there before.
  /// - Throws: `StoreError` `.notFound` when there is no such launch; `.content` when the time can't be read.
  public func enqueue(
    _ kind: Job.Kind, launch: Int64?, args: JSON, at: String?, key: String?, priority: Int32
  ) async throws -> (id: Int64, wasThere: Bool) {
    try await database.perform("enqueueing a job") { connection in
      do {
        let made = try connection.execute(
          Self.insert,
          [
            .text(kind.rawValue), launch.map(Parameter.int8) ?? .null, .json(args.text),
            key.map { .text(PostgresText.tidy($0)) } ?? .null, .int4(priority), at.map(Parameter.text) ?? .null,
          ])
        if let id = made.first?.int(0) { return (id, false) }
        let found = try connection.execute(Self.known, [key.map { .text(PostgresText.tidy($0)) } ?? .null])
        guard let id = found.first?.int(0) else { throw StoreError(.refused, "the new job has no id") }
        return (id, true)
      } catch let error as PostgresError {
        switch error.sqlState {
        case "23503": throw StoreError(.notFound, "there is no launch \(launch ?? 0)")
        case "22007", "22008", "22009":
          throw StoreError(.content, "a time such as 2026-12-24 18:00+01 is needed; \(error.message)")
        default: throw error
        }
      }
    }
  }
}
