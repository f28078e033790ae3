import Foundation
import Testing

extension Runs {
  /// What operators read of a launch: every surface tells the numbers of `launch_progress`.
  @Suite struct SurfaceTests {
    /// Of 200 a lane: 4 dead (7, 57 …), 2 retired long ago (3, 103), 1 with the token of the one before it (20); 2
    /// that no token looks like (11, 111), 2 that FCM leaves without an answer (31, 131).
    private static func launch(_ stack: Stack, options: String = "{}") async throws -> TestLaunch {
      let lanes = [TestLane.firebase(200), .appMetrica(200)].map { lane in
        var lane = lane
        lane.start = """
          case when n % 50 = 7 then 'deadab' when n % 100 = 11 then 'a b' when n % 100 = 31 then 'e444ab' else 'ab' end
          """
        lane.state = "case when n % 100 = 3 then 'retired' else 'active' end"
        lane.twin = "case when n = 20 then n - 1 else n end"
        return lane
      }
      return try await TestLaunch.make(stack, lanes, options: options)
    }

    struct Status: Decodable {
      struct Lane: Decodable {
        struct Reason: Decodable, Equatable {
          let outcome: String
          let reason: String?
          let messages: Int
        }
        let name: String
        let state: String
        let planned: Int
        let sent: Int
        let tokenRetired: Int
        let rejected: Int
        let expired: Int
        let skipped: Int
        let unknown: Int
        let remaining: Int
        let reasons: [Reason]
        var counts: [Int] { [planned, sent, tokenRetired, rejected, expired, skipped, unknown, remaining] }
      }
      let state: String
      let planned: Int
      let sent: Int
      let remaining: Int
      let secondsLeft: Double?
      let lanes: [Lane]
    }

    @Test("run, status and report in all their forms tell the numbers of launch_progress")
    func numbersAgree() async throws {
      let stack = try await Stack.shared()
      let launch = try await Self.launch(stack)
      let ended = try await launch.run()
      let view = try await stack.sql(
        """
        select planned, sent, token_retired, rejected, expired, skipped, unknown, remaining from salvo.launch_progress
        where launch_id = \(launch.id) order by channel_id
        """
      ).map { $0.split(separator: "|").compactMap { Int($0) } }
      // AppMetrica tells nothing about single devices; what no token looks like isn't sent there either.
      try #require(view == [[200, 189, 4, 2, 0, 3, 2, 0], [200, 195, 0, 2, 0, 3, 0, 0]])
      #expect(
        ended.outLines.last
          == "all lanes: planned 400 sent 384 token_retired 4 rejected 4 expired 0 skipped 6 unknown 2 remaining 0")

      let id = "\(launch.id)"
      let decoder = JSONDecoder.snakeCase
      for words in [["status", id, "--json"], ["report", id, "--format", "json"]] {
        let status = try decoder.decode(Status.self, from: Data(try await stack.trySalvo(words).out.utf8))
        #expect(status.lanes.map(\.counts) == view, "\(words)")
        #expect(status.planned == 400 && status.sent == 384 && status.remaining == 0)
        #expect(status.state == "finished" && status.secondsLeft == nil)
        // All that isn't sent.
        #expect(status.lanes[0].reasons.reduce(0) { $0 + $1.messages } == 11)
        #expect(
          status.lanes[1].reasons == [
            .init(outcome: "rejected", reason: "malformed_token", messages: 2),
            .init(outcome: "skipped", reason: "retired", messages: 2),
            .init(outcome: "skipped", reason: "duplicate", messages: 1),
          ])
      }

      let text = try await stack.salvo("status", id)
      for (line, numbers) in zip(text.outLines.filter { $0.hasPrefix("lane-") }, view) {
        #expect(line.split(separator: " ").dropFirst(3).prefix(8).compactMap { Int($0) } == numbers)
      }
      #expect(text.outLines.contains { $0.hasPrefix("all lanes") && $0.contains(" 400 ") && $0.contains(" 384 ") })

      let html = try await stack.salvo("report", id).out
      #expect(html.contains("<dt>Planned</dt><dd>400<") && html.contains("<dt>Sent</dt><dd>384<"))
      #expect(html.contains("<b>189</b> of 200") && html.contains("<b>195</b> of 200"))

      let csv = try await stack.salvo("report", id, "--format", "csv").out.split(separator: "\r\n").dropFirst()
      let sums = csv.map { $0.split(separator: ",", omittingEmptySubsequences: false) }.reduce(into: [:]) {
        $0[String($1[2]), default: 0] += Int($1[6]) ?? 0
      }
      #expect(sums == ["lane-1": 200, "lane-2": 200])
    }

    @Test("rows name who and why, without tokens: all in CSV, chosen outcomes in JSON lines")
    func rows() async throws {
      let stack = try await Stack.shared()
      let launch = try await Self.launch(stack)
      try await launch.run()
      let all = try await stack.salvo("report", "\(launch.id)", "--rows").out.split(separator: "\r\n")
      #expect(all.count == 401)
      #expect(all[0].hasPrefix("profile_id,subscription_id,external_id,channel_id,attempt,outcome,reason,"))
      let tokens = try await stack.sql(
        """
        select s.token from salvo.subscription s join salvo.channel h on h.id = s.channel_id
        where h.account_id = \(launch.account) and s.token ~ '^dead' limit 8
        """)
      try #require(tokens.count == 8)
      struct Row: Decodable {
        let externalId: String
        let outcome: String
        let httpStatus: Int?
        let requests: Int
      }
      let dead = try await stack.salvo(
        "report", "\(launch.id)", "--rows", "--format", "json", "--outcome", "unknown", "--outcome", "token_retired",
        "--outcome", "rejected")
      let rows = try dead.outLines.map { try JSONDecoder.snakeCase.decode(Row.self, from: Data($0.utf8)) }
      #expect(
        Set(rows.map { "\($0.externalId) \($0.outcome) \($0.requests)" }) == [
          "p7 token_retired 1", "p57 token_retired 1", "p107 token_retired 1", "p157 token_retired 1",
          "p11 rejected 0", "p111 rejected 0", "p31 unknown 1", "p131 unknown 1",
        ])
      let everything = all.joined() + dead.out
      for token in tokens { #expect(!everything.contains(token)) }
    }

    @Test("a report is written whole under its name, or not at all; hostile names stay texts")
    func file() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      try await stack.sql(
        "update salvo.campaign set name = '<script>alert(1)</script> & \"x\"' where account_id = \(launch.account)")
      try await launch.run()
      let path = "\(stack.folder)/report.html"
      let ended = try await stack.salvo("report", "\(launch.id)", "--out", path)
      #expect(ended.out == "" && ended.err == "")
      let page = try String(contentsOfFile: path, encoding: .utf8)
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
      #expect(page.contains("<h1><bdi>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;</bdi></h1>"))
      #expect(!page.contains("<script"))
      #expect(!FileManager.default.fileExists(atPath: path + ".part"))

      try await stack.trySalvo(["report", "\(launch.id)", "--out", "/nonexistent/r.html"]).expectOneLine(
        73, ["/nonexistent/r.html", "No such file or directory"])
      for words in [["report", "999999"], ["report", "999999", "--rows"], ["status", "999999"]] {
        try await stack.trySalvo(words).expectOneLine(66, ["there is no launch 999999"])
      }
      try await stack.trySalvo(["report", "1", "--rows", "--format", "html"]).expectOneLine(64, ["json or csv"])
      try await stack.trySalvo(["report", "1", "--outcome", "sent"]).expectOneLine(64, ["--rows"])
      try await stack.trySalvo(["status", "--watch"]).expectOneLine(64, ["--watch", "LAUNCH"])
    }

    @Test("a launch that isn't planned has a status and a report too; watching ends with the launch")
    func beforeAndAfter() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      let draft = try await stack.salvo("status", "\(launch.id)")
      #expect(draft.outLines[0].hasSuffix(": draft"))
      #expect(draft.outLines[1].contains("salvo run \(launch.id)"))
      #expect(try await stack.salvo("report", "\(launch.id)").out.contains("Not planned yet"))
      let watching = try Shell.start(Shell.salvo, ["status", "\(launch.id)", "--watch", "--json"], stack.environment)
      try await launch.run()
      let watched = try await watching.ended()
      #expect(watched.code == 0)
      #expect(watched.outLines.last?.contains(#""state":"finished""#) == true)
    }

    @Test("a terminal gets live lines, coloured unless NO_COLOR says no; a pipe gets what it always got")
    func terminal() async throws {
      let stack = try await Stack.shared()
      let lanes = [TestLane.firebase(50)]
      let summary = "all lanes: planned 50 sent 50 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0"
      func onTerminal(_ more: [String: String]) async throws -> String {
        let launch = try await TestLaunch.make(stack, lanes)
        let environment = stack.environment.merging(["TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "", "NO_COLOR": ""])
        { $1 }
        let ended = try await Shell.run(
          "/usr/bin/script", ["-qec", "stty cols 100 rows 24; '\(Shell.salvo)' run \(launch.id)", "/dev/null"],
          environment.merging(more) { $1 })
        #expect(ended.code == 0 && ended.out.contains(summary))
        return ended.out
      }
      // Long enough for lines to be drawn before the only window closes.
      _ = try await stack.stack("set", "fcm-delay-ms", "1000")
      let coloured = try await onTerminal([:])
      #expect(coloured.contains("lane-1  \u{1B}["))
      #expect(coloured.contains("\u{1B}[0m  "))
      let plain = try await onTerminal(["NO_COLOR": "1"])
      #expect(plain.contains("lane-1  ──") || plain.contains("lane-1  ━"))
      #expect(!plain.contains(/\u{1B}\[[0-9;]*m/))
      // What was drawn is taken away again before the result is printed.
      #expect(plain.contains("\u{1B}[1F\u{1B}[J"))
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      #expect(!(try await onTerminal(["TERM": "dumb"])).contains("\u{1B}"))

      let launch = try await TestLaunch.make(stack, lanes)
      let piped = try await launch.run()
      #expect(piped.err == "")
      #expect(
        piped.out == "lane-1 (android-firebase): " + summary.dropFirst("all lanes: ".count) + "\n" + summary + "\n")
    }
  }
}
