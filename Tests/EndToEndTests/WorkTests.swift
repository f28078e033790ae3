import Base
import Foundation
import Glibc
import Testing

extension Runs {
  /// `salvo worker`, `salvo run --due` and the rows they serve.
  @Suite struct WorkTests {
    private func schedule(_ stack: Stack, _ launch: TestLaunch, notBefore: String = "now()") async throws {
      try await stack.sql("select salvo.schedule_launch(\(launch.id), \(notBefore))")
    }

    /// The suite's stack, without launches that other tests left unfinished: they would be due.
    private func stack() async throws -> Stack {
      let stack = try await Stack.shared()
      try await stack.sql(
        "update salvo.launch set state = 'cancelled' where state in ('scheduled', 'planning', 'running', 'paused')")
      return stack
    }

    /// Undoes what a test did to the planning clock, whatever became of the test.
    private func onMovedClock(_ stack: Stack, _ body: ((String) async throws -> Void) async throws -> Void) async throws
    {
      func move(_ moment: String) async throws {
        try await stack.sql("update salvo.clock set seconds = extract(epoch from \(moment)::timestamptz - now())")
      }
      do {
        try await body { try await move("'\($0)'") }
      } catch {
        try await move("now()")
        throw error
      }
      try await move("now()")
    }

    @Test("nothing due: a pass says nothing, leaves no trace and ends with 0")
    func nothing() async throws {
      let stack = try await stack()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      try await schedule(stack, launch, notBefore: "now() + interval '1 hour'")
      let before = try await stack.number("select count(*) from salvo.runner")
      let ended = try await stack.trySalvo(["run", "--due"])
      #expect(ended.code == 0 && ended.out == "" && ended.err == "")
      #expect(try await stack.number("select count(*) from salvo.runner") == before)
      #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["scheduled"])
      try await stack.trySalvo(["run"]).expectOneLine(64, ["LAUNCH", "--due", "salvo run --help"])
      try await stack.trySalvo(["run", "1", "--due"]).expectOneLine(64, ["not both"])
      try await stack.salvo("cancel", "\(launch.id)")
    }

    @Test("drill 9: two crons in the same second make one launch of a schedule, and the next one shares its messages")
    func twoCrons() async throws {
      let stack = try await stack()
      let seed = try await TestLaunch.make(stack, [.firebase(2_000, ["connections": 1, "streams": 50])])
      _ = try await stack.stack("set", "fcm-delay-ms", "100")
      try await stack.sql(
        """
        insert into salvo.schedule (campaign_id, name, cron, content, audience, created_at)
        select campaign_id, 'minutely', '* * * * *', content, '{}', date_trunc('minute', now()) - interval '1 minute'
        from salvo.launch where id = \(seed.id);
        update salvo.launch set options = '{"missing": "blank"}' where id = \(seed.id);
        update salvo.schedule set options = '{"missing": "blank"}';
        """)
      var passes = try (1...2).map { _ in try Shell.start(Shell.salvo, ["run", "--due"], stack.environment) }
      try await eventually("the schedule's launch") {
        try await stack.number("select count(*) from salvo.schedule_run where launch_id is not null") > 0
      }
      // One launch is enough to look at.
      try await stack.sql("update salvo.schedule set enabled = false")
      // C36: the next one starts while they are at it.
      try await eventually("messages on their way") { try await stack.ledger("fcm").count > 100 }
      passes.append(try Shell.start(Shell.salvo, ["run", "--due"], stack.environment))
      for pass in passes {
        let ended = try await pass.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      #expect(try await stack.number("select count(*) - count(distinct planned_at) from salvo.schedule_run") == 0)
      let made = try await stack.sql("select launch_id from salvo.schedule_run order by planned_at")
      #expect(
        try await stack.sql(
          "select distinct state from salvo.launch where id in (\(made.joined(separator: ", ")))") == ["finished"])
      let fcm = try await stack.ledger("fcm")
      #expect(fcm.count == 2_000 * made.count)
      #expect(Set(fcm.compactMap(\.uid)).count == 2_000 * made.count)
      // Two sent at least.
      #expect(Set(fcm.map(\.connection)).count >= 2)
      try await stack.sql("delete from salvo.schedule_run; delete from salvo.schedule")
    }

    @Test("a launch that was late is missed, told, and sent when a human resumes it; a stopped lane is left alone")
    func missed() async throws {
      let stack = try await stack()
      let launch = try await TestLaunch.make(stack, [.firebase(5)])
      try await schedule(stack, launch, notBefore: "now() - interval '61 minutes'")
      let ended = try await stack.trySalvo(["run", "--due"])
      #expect(ended.code == 0 && ended.out == "")
      #expect(ended.err.contains("launch \(launch.id) is missed"), "\(ended.err)")
      #expect(ended.err.contains("salvo resume \(launch.id)"), "\(ended.err)")
      try await stack.trySalvo(["run", "\(launch.id)"]).expectOneLine(65, ["is missed", "salvo resume \(launch.id)"])
      let resumed = try await stack.salvo("resume", "\(launch.id)")
      #expect(resumed.out == "launch \(launch.id): missed -> scheduled\n")
      let sent = try await stack.trySalvo(["run", "--due", "--json"])
      #expect(sent.code == 0)
      #expect(sent.outLines.count == 1 && sent.out.contains(#""state":"finished""#), "\(sent.out)")
      #expect(try await stack.ledger("fcm").count == 5)

      let dead = try await TestLaunch.make(stack, [.firebase(5), .apns(5)])
      try await schedule(stack, dead)
      try await stack.sql("update salvo.channel set enabled = false where id = \(dead.channels[1])")
      #expect(try await stack.trySalvo(["run", "--due"]).code == 75)
      #expect(try await stack.ledger("apns").count == 0)
      // Nothing of it is due for as long as the channel is switched off.
      let idle = try await stack.trySalvo(["run", "--due"])
      #expect(idle.code == 0 && idle.out == "" && idle.err == "")
      try await stack.sql("update salvo.channel set enabled = true where id = \(dead.channels[1])")
      #expect(try await stack.trySalvo(["run", "--due"]).code == 0)
      #expect(try await stack.ledger("apns").count == 5)
    }

    @Test("quiet hours over four zones: on a clock that moves through two days nobody is sent to inside them")
    func quietHours() async throws {
      let stack = try await stack()
      let zones = ["Europe/Moscow", "Asia/Vladivostok", "America/New_York", "Asia/Kolkata"]
      let launch = try await TestLaunch.make(
        stack, [.firebase(40), .apns(20)],
        options: #"{"quiet_hours": {"from": "21:00", "to": "09:00", "zone": "recipient"}}"#)
      try await stack.sql(
        """
        update salvo.profile set time_zone = (array['\(zones.joined(separator: "', '"))'])[id % 4 + 1]
        where account_id = \(launch.account)
        """)
      // UTC+3, +10, -5 and +5:30: hours of theirs on these moments, and who is awake.
      let steps: [(moment: String, awake: Set<String>)] = [
        ("2026-12-01 02:00Z", ["Asia/Vladivostok"]), ("2026-12-01 03:00Z", []),
        ("2026-12-01 03:31Z", ["Asia/Kolkata"]), ("2026-12-01 05:59Z", []), ("2026-12-01 06:00Z", ["Europe/Moscow"]),
        ("2026-12-01 13:59Z", []), ("2026-12-01 14:00Z", ["America/New_York"]), ("2026-12-02 14:00Z", []),
      ]
      try await onMovedClock(stack) { move in
        try await move(steps[0].moment)
        try await schedule(stack, launch, notBefore: "'\(steps[0].moment)'")
        var known = Set<String>()
        for step in steps {
          try await move(step.moment)
          let ended = try await stack.trySalvo(["run", "--due"])
          #expect(ended.code == 0, "\(step.moment): \(ended.err)")
          let tokens = Set(try await stack.ledger().map(\.token))
          let new = tokens.subtracting(known)
          known = tokens
          let asleep = try await stack.sql(
            """
            select distinct p.time_zone from salvo.subscription s join salvo.profile p on p.id = s.profile_id
            where s.token in ('\(new.joined(separator: "', '"))')
            """)
          #expect(Set(asleep) == step.awake, "\(step.moment)")
          #expect(new.count == step.awake.count * 15, "\(step.moment)")
        }
        #expect(known.count == 60)
        #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["finished"])
        #expect(try await launch.windowSums() == launch.deliverySums())
      }
    }

    @Test("workers do jobs of every kind; what can't be done is dead with its reason and holds up nobody")
    func kinds() async throws {
      let stack = try await stack()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      let other = try await TestLaunch.make(stack, [.firebase(2)])
      let empty = try await stack.number(
        "insert into salvo.launch (campaign_id, content) select campaign_id, content from salvo.launch where id = \(other.id) returning id"
      )
      let folder = FileManager.default.temporaryDirectory.appending(path: "salvo-reports-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let workers = try (1...3).map { _ in
        try Shell.start(Shell.salvo, ["worker", "--poll", "1", "--state", folder.path], stack.environment)
      }
      func end(_ job: Int) async throws -> String {
        try await eventually("job \(job)") {
          try await stack.number("select count(*) from salvo.job where id = \(job) and finished_at is not null") == 1
        }
        return try await stack.sql(
          "select state, attempts, coalesce(result::text, last_error) from salvo.job where id = \(job)")[0]
      }
      func enqueue(_ words: String...) async throws -> String {
        let ended = try await stack.trySalvo(["enqueue"] + words)
        try #require(ended.code == 0, "\(ended.err)")
        return try await end(try #require(Int(ended.outLines.last ?? "")))
      }
      #expect(
        try await enqueue(
          "\(empty)", "--kind", "audience", "--args", #"{"filter":{"channels":[\#(other.channels[0])]}}"#)
          == #"done|1|{"added": 2}"#)
      #expect(
        try await enqueue("\(empty)", "--kind", "cancel")
          == #"done|1|{"to": "cancelled", "from": "draft", "messages_in_flight": 0}"#)
      #expect(
        try await enqueue("\(empty)", "--priority", "100") == "dead|1|launch \(empty) is cancelled: it can't run")
      #expect(
        try await enqueue("\(launch.id)", "--kind", "pause") == "dead|1|launch \(launch.id) is draft: it can't pause")
      #expect(
        try await enqueue("\(launch.id)", "--kind", "report", "--args", #"{"format":"json","to":"autumn.json"}"#)
          == #"done|1|{"file": "autumn.json"}"#)
      let report = try String(contentsOf: folder.appending(path: "autumn.json"), encoding: .utf8)
      #expect(try (JSONScanner.parse(report).object?["launch"]) != nil, "\(report.prefix(200))")
      #expect(
        try await enqueue("\(launch.id)", "--kind", "report", "--args", #"{"to":"../autumn.html"}"#)
          .hasPrefix("dead|1|\"../autumn.html\" is no name for a report"))
      let sent = try await enqueue("\(launch.id)", "--key", "launch-\(launch.id)")
      #expect(sent.hasPrefix("done|1|") && sent.contains(#""state": "finished""#), "\(sent)")
      let again = try await stack.trySalvo(["enqueue", "\(launch.id)", "--key", "launch-\(launch.id)"])
      #expect(again.code == 0 && again.err.contains("already"))
      #expect(
        try await enqueue("\(launch.id)", "--kind", "retry", "--args", #"{"outcome":["unknown"]}"#)
          == #"done|1|{"messages": 0}"#)
      // A platform just inserts a row.
      let row = try await stack.number(
        "insert into salvo.job (kind, launch_id) values ('run_launch', \(other.id)) returning id")
      #expect(try await end(row).hasPrefix("done|1|"))
      #expect(try await stack.ledger("fcm").count == 5)
      #expect(
        try await stack.number("select count(*) from salvo.runner where seen_at > now() - interval '1 minute'") >= 3)

      for worker in workers { worker.signal(SIGTERM) }
      for worker in workers {
        let ended = try await worker.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
    }

    @Test("kill -9 of a worker: another does its job within the lease; SIGTERM gives a job back unfinished")
    func killed() async throws {
      let stack = try await stack()
      _ = try await stack.stack("set", "fcm-delay-ms", "2000")
      let launch = try await TestLaunch.make(stack, [.firebase(400, ["connections": 1, "streams": 20])])
      let words = ["worker", "--poll", "1", "--lease", "30", "--concurrency", "1"]
      let first = try Shell.start(Shell.salvo, words, stack.environment)
      let job = try #require(Int(try await stack.salvo("enqueue", "\(launch.id)").outLines.last ?? ""))
      try await eventually("messages on their way") { try await stack.ledger("fcm").count > 0 }
      first.signal(SIGTERM)
      let ended = try await first.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(
        try await stack.sql("select state, attempts, leased_by from salvo.job where id = \(job)") == ["queued|0|"])
      #expect(try await launch.unfinishedBusiness() == 0)

      let count = try await stack.ledger("fcm").count
      let second = try Shell.start(Shell.salvo, words, stack.environment)
      try await eventually("more messages on their way") { try await stack.ledger("fcm").count > count }
      second.signal(SIGKILL)
      _ = try await second.ended()
      #expect(try await stack.sql("select state, attempts from salvo.job where id = \(job)") == ["leased|1"])
      // What would be the lease's end: the clock is the server's, so the test moves the rows.
      try await stack.sql(
        """
        update salvo.job set lease_until = now() where id = \(job);
        update salvo.chunk set lease_until = now() where launch_id = \(launch.id) and state = 1
        """)
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      let third = try Shell.start(Shell.salvo, words, stack.environment)
      try await eventually("the job's end") {
        try await stack.sql("select state, attempts from salvo.job where id = \(job)") == ["done|2"]
      }
      third.signal(SIGTERM)
      #expect(try await third.ended().code == 0)
      #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["finished"])
      #expect(try await launch.windowSums() == launch.deliverySums())
      let tokens = try await stack.ledger("fcm").map(\.token)
      #expect(Set(tokens).count == tokens.count)
    }
  }
}
