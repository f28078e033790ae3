import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("Jobs", .database)
struct JobStoreTests {
  private let none = JSON.object(JSONObject())

  private func insert(_ fixture: StoreFixture, _ values: String = "('maintain')", _ columns: String = "kind")
    async throws
  {
    try await fixture.script("insert into salvo.job (\(columns)) values \(values)")
  }

  private func claimed(_ jobs: JobStore) async throws -> JobLease {
    try #require(try await jobs.claim())
  }

  @Test("the highest priority first, then the longest due; what is not due yet waits for the planning clock")
  func order() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "runner-1")
      try await insert(
        fixture,
        """
        ('maintain', 0, now() - interval '1 minute'), ('maintain', 0, now() - interval '2 minutes'),
        ('maintain', 5, now() - interval '1 second'), ('maintain', 9, now() + interval '1 hour')
        """, "kind, priority, run_at")
      for id: Int64 in [3, 2, 1] { #expect(try await claimed(jobs).id == id) }
      #expect(try await jobs.claim() == nil)
      try await fixture.script("update salvo.clock set seconds = 3601")
      let late = try await claimed(jobs)
      #expect(late.id == 4)
      #expect([late.attempt, late.maxAttempts] == [1, 5])
      #expect(late.kind == "maintain" && late.args == "{}" && late.launchID == nil)
    }
  }

  @Test("done leaves a result; a failure waits with its reason; the last one is dead and stays visible")
  func ends() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "runner-1")
      try await insert(fixture, "('maintain', 2), ('maintain', 2)", "kind, max_attempts")
      let first = try await claimed(jobs)
      try await jobs.complete(first, result: .object(JSONObject([.init(key: "added", value: .number("3"))])))
      let second = try await claimed(jobs)
      #expect(try await jobs.fail(second, error: "no\0 luck", retryIn: 3_600))
      #expect(
        try await fixture.rows(
          """
          select id, state, attempts, leased_by, lease_until is null as free, result ->> 'added' as added, last_error,
            finished_at is not null as over, run_at >= created_at + interval '1 hour' as later from salvo.job order by id
          """) == ["1 done 1  t 3  t f", "2 queued 1  t  \"no luck\" f t"])
      #expect(try await jobs.claim() == nil)
      try await fixture.script("update salvo.clock set seconds = 3601")
      let again = try await claimed(jobs)
      #expect(again.attempt == 2)
      #expect(try await jobs.fail(again, error: "none at all", retryIn: nil))
      #expect(
        try await fixture.rows(
          "select state, attempts, last_error, finished_at is not null as over from salvo.job where id = 2")
          == ["dead 2 \"none at all\" t"])
      #expect(try await jobs.claim() == nil)
    }
  }

  @Test("given back it was no try, and is due as it was or later")
  func givenBack() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "runner-1")
      try await insert(fixture)
      try await jobs.giveBack(try await claimed(jobs))
      let again = try await claimed(jobs)
      #expect(again.attempt == 1)
      try await jobs.giveBack(again, inSeconds: 600)
      #expect(try await jobs.claim() == nil)
      #expect(try await fixture.rows("select state, attempts from salvo.job") == ["queued 0"])
    }
  }

  @Test("C40: a lease that ended is taken over, and nothing its old holder writes counts any more")
  func fenced() async throws {
    try await StoreFixture.with { fixture in
      let (old, new) = (JobStore(fixture.database, owner: "old"), JobStore(fixture.database, owner: "new"))
      let launch = try await fixture.planned(3, window: 10)
      try await insert(fixture, "('pause', \(launch))", "kind, launch_id")
      let lost = try await claimed(old)
      #expect(try await new.claim() == nil)
      let renewed = try #require(try await old.renew(lost))
      #expect(renewed.validUntil >= lost.validUntil)
      // Its host sleeps for three hours.
      try await fixture.script("update salvo.job set lease_until = now() - interval '3 hours'")
      let taken = try await claimed(new)
      #expect(taken.id == lost.id && taken.token == lost.token + 1 && taken.attempt == 2)
      #expect(try await old.renew(renewed) == nil)
      #expect(try await old.fail(renewed, error: "late", retryIn: nil) == false)
      try await old.giveBack(renewed)
      await #expect(throws: StoreError.self) { try await old.complete(renewed, result: none) }
      // What a fenced holder would do is rolled back with the mark.
      let commands = LaunchCommands(fixture.database)
      let refused = await #expect(throws: StoreError.self) {
        try await commands.say(.pause, launch: launch, channel: nil, doing: renewed)
      }
      #expect(refused?.code == .fenced)
      #expect(try await fixture.launches.load(launch).state == .running)
      #expect(try await fixture.rows("select count(*) from salvo.control_log") == ["0"])
      _ = try await commands.say(.pause, launch: launch, channel: nil, doing: taken)
      #expect(
        try await fixture.rows("select state, result ->> 'to' as word, leased_by from salvo.job") == ["done paused "])
      #expect(try await fixture.launches.load(launch).state == .paused)
    }
  }

  @Test("C40: a job that takes every runner down is dead after its tries, says so, and holds nobody up meanwhile")
  func poison() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "host/17/beef")
      try await insert(fixture, "('maintain', 100, 2), ('maintain', 0, 5)", "kind, priority, max_attempts")
      for attempt in 1...2 {
        #expect(try await claimed(jobs).attempt == attempt)
        try await fixture.script("update salvo.job set lease_until = now() - interval '1 second' where id = 1")
      }
      #expect(try await claimed(jobs).id == 2)
      let words = "runner host/17/beef vanished in the middle of try 2 of 2"
      #expect(try await jobs.bury() == ["job 1 is dead: \(words)"])
      #expect(try await jobs.bury() == [])
      #expect(
        try await fixture.rows(
          "select state, finished_at is not null as over from salvo.job where last_error = '\(words)'")
          == ["dead t"])
    }
  }

  @Test("one job a key, also when two ask at once; a wrong launch or time is told")
  func enqueue() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "cli")
      try await fixture.subscribe(1...2, channel: 1)
      let launch = try await fixture.launch()
      let first = try await jobs.enqueue(
        .retry, launch: launch, args: try JSONScanner.parse(#"{"outcome":["unknown"]}"#), at: "2026-12-24 18:00+01",
        key: "order-7", priority: 3)
      #expect(!first.wasThere)
      let second = try await jobs.enqueue(.retry, launch: launch, args: none, at: nil, key: "order-7", priority: 0)
      #expect(second.id == first.id && second.wasThere)
      #expect(
        try await fixture.rows(
          """
          select kind, launch_id, args ->> 'outcome' as args, idempotency_key, priority,
            run_at = '2026-12-24T17:00Z' as at, state from salvo.job
          """) == [#"retry \#(launch) "[""unknown""]" order-7 3 t queued"#])
      let nobody = await #expect(throws: StoreError.self) {
        try await jobs.enqueue(.runLaunch, launch: 99, args: none, at: nil, key: nil, priority: 0)
      }
      #expect(nobody?.code == .notFound && nobody?.description == "there is no launch 99")
      let never = await #expect(throws: StoreError.self) {
        try await jobs.enqueue(.runLaunch, launch: launch, args: none, at: "soonish", key: nil, priority: 0)
      }
      #expect(never?.code == .content)
    }
  }

  @Test("a platform takes back a job that nobody has begun, and no other")
  func cancelled() async throws {
    try await StoreFixture.with { fixture in
      let jobs = JobStore(fixture.database, owner: "runner-1")
      try await insert(fixture, "('maintain'), ('maintain')")
      _ = try await claimed(jobs)
      #expect(
        try await fixture.rows("select salvo.cancel_job(1), salvo.cancel_job(2), salvo.cancel_job(3)") == ["f t f"])
      #expect(
        try await fixture.rows("select state, finished_at is not null as over from salvo.job order by id")
          == ["leased f", "cancelled t"])
      #expect(try await jobs.claim() == nil)
    }
  }

  @Test("50 workers do 10,000 jobs: each once, no deadlock, nothing rolled back")
  func fifty() async throws {
    try await StoreFixture.with(connections: 50) { fixture in
      try await fixture.script(
        "insert into salvo.job (kind, priority) select 'maintain', n % 3 from generate_series(1, 10000) n")
      let before = try await fixture.rows(Self.faults)
      let done = try await withThrowingTaskGroup(of: [Int64].self) { group in
        for worker in 1...50 {
          group.addTask {
            let jobs = JobStore(fixture.database, owner: "worker-\(worker)")
            var done: [Int64] = []
            while let lease = try await jobs.claim() {
              try await jobs.complete(lease, result: .null)
              done.append(lease.id)
            }
            return done
          }
        }
        return try await group.reduce(into: [[Int64]]()) { $0.append($1) }
      }
      #expect(done.flatMap { $0 }.sorted() == Array(1...10_000))
      #expect(done.count { !$0.isEmpty } == 50)
      #expect(
        try await fixture.rows("select state, attempts, token, count(*) from salvo.job group by 1, 2, 3")
          == ["done 1 1 10000"])
      #expect(try await fixture.rows(Self.faults) == before)
    }
  }

  /// Deadlocks and transactions that ended in an error, whoever made them in this database.
  private static let faults = """
    select deadlocks, xact_rollback from pg_stat_database where datname = current_database()
    """
}
