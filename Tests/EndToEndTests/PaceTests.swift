import Foundation
import Testing

extension Runs {
  /// No faster than allowed. That something isn't slower is nobody's business here: machines are busy.
  @Suite struct PaceTests {
    @Test("FCM's rate counts messages, Huawei's devices, whatever a request carries")
    func channelRates() async throws {
      let stack = try await Stack.shared()
      let messages = try await TestLaunch.make(stack, [.firebase(300, ["rate": 100, "ramp": 0])])
      try await messages.run()
      expect(try await stack.ledger("fcm"), count: 300, rate: 100)
      let devices = try await TestLaunch.make(
        stack, [.hms(3_000, ["rate": 1_000])], content: TestLaunch.equalContent, options: #"{"tracking": "group"}"#)
      try await devices.run()
      let hms = try await stack.ledger("hms")
      #expect(Set(hms.map(\.request)).count == 3)
      // One request may be a thousand devices, and the next one pays for it.
      expect(hms, count: 3_000, rate: 1_000, whole: 1_000)
    }

    @Test("a launch's rate holds for its lanes together")
    func launchRate() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(150), .apns(150)], options: #"{"rate": 100}"#)
      try await launch.run()
      expect(try await stack.ledger(), count: 300, rate: 100)
    }

    @Test("two runners at one launch share its channel's rate")
    func twoRunners() async throws {
      let stack = try await Stack.shared()
      // Four chunks or more of 250, so that both have something to do.
      let launch = try await TestLaunch.make(
        stack, [.firebase(1_500, ["rate": 150, "ramp": 0, "connections": 1, "streams": 50])])
      for run in [try launch.start(), try launch.start()] {
        let ended = try await run.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      let ledger = try await stack.ledger("fcm")
      #expect(Set(ledger.map(\.connection)).count == 2)
      #expect(Set(ledger.map(\.token)).count == 1_500)
      expect(ledger, count: 1_500, rate: 150)
    }

    @Test("a throttled lane slows down, waits as told, and goes on by itself with nothing lost")
    func throttled() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "hms-answer", "503")
      _ = try await stack.stack("set", "hms-retry-after-s", "2")
      let launch = try await TestLaunch.make(
        stack, [.hms(300, ["connections": 1, "streams": 20])], options: #"{"attempts": 10, "request_budget": 5}"#)
      let run = try launch.start()
      try await eventually("refusals") { try await stack.ledger("hms").count { $0.status == 503 } > 0 }
      try await eventually("a lane that cools") {
        try await launch.count("count(*)", from: "lane", where: "cool_until > now()") == 1
      }
      _ = try await stack.stack("set", "hms-answer", "0")
      let ended = try await run.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(
        ended.outLines.last
          == "all lanes: planned 300 sent 300 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      let ledger = try await stack.ledger("hms")
      let accepted = ledger.filter(\.accepted)
      #expect(accepted.count == 300)
      #expect(Set(accepted.map(\.token)).count == 300)
      #expect(try await launch.requestsWritten(launch.channels[0]) == ledger.count)
    }

    @Test("a wait of an hour ends the run with 75 and says when it goes on; other lanes are sent")
    func longWait() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-answer", "429")
      _ = try await stack.stack("set", "fcm-retry-after-s", "3600")
      let launch = try await TestLaunch.make(stack, [.firebase(30), .apns(30)])
      let ended = try await launch.start().ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.errLines.count == 1)
      #expect(
        ended.err.contains(
          "lane lane-1 stopped: the provider answered HTTP 429 QUOTA_EXCEEDED; nothing may be sent until 2"),
        "\(ended.err)")
      #expect(try await launch.count("sent", from: "launch_progress", where: "provider = 'ios-apns'") == 30)
      #expect(try await launch.count("remaining", from: "launch_progress", where: "provider <> 'ios-apns'") == 30)
      #expect(try await launch.unfinishedBusiness() == 0)
      #expect(try await launch.count("count(*)", from: "lane", where: "state = 'stopped'") == 0)
      let asked = try await stack.ledger("fcm").count

      // Before its time nothing is asked; after it the launch ends.
      #expect(try await launch.start().ended().code == 75)
      #expect(try await stack.ledger("fcm").count == asked)
      _ = try await stack.stack("reset")
      try await launch.passTime()
      try await launch.run()
      #expect(try await stack.ledger("fcm").count == 30)
    }

    @Test("FCM's quota of a window: the lane waits as told, goes on by itself, and nothing is lost or asked too soon")
    func quota() async throws {
      let stack = try await Stack.shared()
      for (knob, value) in [
        ("fcm-quota", "100"), ("fcm-quota-window-s", "10"), ("fcm-retry-after-s", "11"), ("retry-after-form", "date"),
      ] { _ = try await stack.stack("set", knob, value) }
      let launch = try await TestLaunch.make(
        stack, [.firebase(150, ["ramp": 0, "connections": 1, "streams": 20])], options: #"{"attempts": 20}"#)
      try await launch.run()
      let ledger = try await stack.ledger("fcm")
      #expect(ledger.contains { $0.status == 429 })
      #expect(Set(ledger.filter(\.accepted).map(\.token)).count == 150)
      #expect(ledger.count { $0.accepted } == 150)
      #expect(try await launch.count("sent", from: "launch_progress") == 150)
      #expect(try await launch.requestsWritten(launch.channels[0]) == ledger.count)
      #expect(try await launch.attemptGaps() == 0)
      // Google: ten seconds at least before any retry. The date counts whole seconds.
      for lines in Dictionary(grouping: ledger, by: \.token).values {
        let times = lines.map(\.time).sorted()
        for (refused, again) in zip(times, times.dropFirst()) { #expect(again - refused >= 10_000) }
      }
    }

    @Test("a 429 of FCM that names no time holds the whole lane for a minute; stopped, the next run goes on")
    func bareQuota() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-answer", "429")
      let launch = try await TestLaunch.make(stack, [.firebase(30)])
      let run = try launch.start()
      try await eventually("a lane that cools") {
        try await launch.count(
          "count(*)", from: "lane", where: "cool_until between now() + interval '20 s' and now() + interval '60 s'")
          == 1
      }
      try await eventually("the window's end") {
        try await launch.count("count(*)", from: "delivery", where: "outcome = 7") == 30
      }
      let asked = try await stack.ledger("fcm").count
      run.signal(SIGTERM)
      #expect(try await run.ended().code == 75)
      #expect(
        try await launch.count(
          "count(*)", from: "delivery", where: "retry_at - at between interval '50 s' and interval '67 s'") == 30)
      #expect(try await stack.ledger("fcm").count == asked)
      _ = try await stack.stack("reset")
      try await launch.passTime()
      try await launch.run()
      #expect(try await stack.ledger("fcm").count { $0.accepted } == 30)
      #expect(try await launch.count("sent", from: "launch_progress") == 30)
    }

    @Test("AppMetrica's requests of a day: the last ones ask about what was sent; then 75 until the next day, GMT")
    func requestsOfADay() async throws {
      let stack = try await Stack.shared()
      try await stack.sql("delete from salvo.rate_day")
      for step in ["pending", "progress"] { _ = try await stack.stack("set", "appmetrica-\(step)-ms", "0") }
      // Three transfers of 5,000; two requests: one sends, one asks what became of it.
      let launch = try await TestLaunch.make(stack, [.appMetrica(12_000, ["requests_per_day": 2])])
      let ended = try await launch.start().ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains("until 2"), "\(ended.err)")
      #expect(try await stack.connections()["appmetrica"]?.requests == 2)
      let sent = try await stack.ledger("appmetrica").count
      #expect(try await launch.count("sum(sent)", from: "launch_progress") == sent)
      #expect(try await launch.count("sum(remaining)", from: "launch_progress") == 12_000 - sent)

      // The next day: the count begins anew.
      try await stack.sql("delete from salvo.rate_day")
      try await stack.sql(
        """
        update salvo.channel set settings = settings || '{"requests_per_day": 5000}' where id = \(launch.channels[0])
        """)
      try await launch.run()
      let lines = try await stack.ledger("appmetrica")
      #expect(lines.count == 12_000)
      #expect(Set(lines.map(\.token)).count == 12_000)
    }

    /// Holds the time from the first arrival to the last against the rate.
    /// - Parameter whole: what may go at once beyond the bucket: a slice, or one large request.
    private func expect(_ lines: [Stack.Received], count: Int, rate: Double, whole: Double? = nil) {
      let times = lines.map(\.time).sorted()
      #expect(times.count == count)
      guard let first = times.first, let last = times.last else { return }
      // A quarter of a second in the bucket, a quarter in the slice that goes into debt; and what may pile up behind a
      // connection that takes a second to be made.
      let burst = rate / 4 + (whole ?? rate / 4) + rate
      let seconds = Double(last - first) / 1000
      #expect(Double(count) <= rate * seconds + burst, "\(count) in \(seconds) s")
    }
  }
}
