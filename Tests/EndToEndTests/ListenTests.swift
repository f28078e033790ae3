import Foundation
import Glibc
import Testing

extension Runs {
  /// `--listen` and `--metrics-file` of a process that sends.
  @Suite struct ListenTests {
    private static let token = "operator-0123456789"
    private static let tokenWords = ["--listen-token", "env:OPERATOR_TOKEN"]

    private func stack() async throws -> Stack {
      let stack = try await Stack.shared()
      return Stack(
        folder: stack.folder,
        environment: stack.environment.merging(["OPERATOR_TOKEN": Self.token]) { $1 })
    }

    @Test("metrics during a run are those of its lanes, and at its end they agree with launch_progress")
    func metrics() async throws {
      let stack = try await stack()
      _ = try await stack.stack("set", "fcm-delay-ms", "300")
      let launch = try await TestLaunch.make(
        stack,
        [
          .firebase(
            1_000, ["connections": 1, "streams": 50], start: "case when n % 100 = 7 then 'dead' else 'ab' end"),
          .apns(300, start: "case when n % 50 = 0 then 'e444' else 'ab' end"),
        ])
      // Else what an earlier test's run left there is used.
      try await stack.sql("delete from salvo.provider_token")
      let file = stack.folder + "/salvo.prom"
      let listener = try await Listener.start(launch, "--metrics-file", file)
      let lane = "channel=\"\(launch.channels[0])\""
      try await eventually("requests in flight and open windows") {
        let answer = try await listener.ask("GET", "/metrics")
        try #require(answer.status == 200)
        let samples = Samples(answer.body)
        return samples.sum("salvo_requests_in_flight", lane) > 0 && samples.sum("salvo_open_windows", lane) > 0
      }
      let during = Samples(try await listener.ask("GET", "/metrics").body)
      #expect(during.sum("salvo_build_info") == 1)
      #expect(during.sum("salvo_lane_planned_messages") == 1_300)
      #expect(try await listener.ask("GET", "/healthz").status == 200)
      #expect(try await listener.ask("GET", "/readyz").status == 200)
      #expect(try await listener.ask("GET", "/").body.contains("data-n=\"\(launch.id).planned\">1,300<"))
      let ended = try await listener.runner.ended()
      #expect(ended.code == 0, "\(ended.err)")

      let text = try String(contentsOfFile: file, encoding: .utf8)
      let end = Samples(text)
      let outcomes = ["sent", "token_retired", "rejected", "expired", "skipped", "unknown"]
      for channel in launch.channels {
        let counted = outcomes.map {
          end.sum("salvo_messages_total", "channel=\"\(channel)\"", "outcome=\"\($0)\"")
        }
        let row = try await stack.sql(
          """
          select \(outcomes.joined(separator: ", ")) from salvo.launch_progress
          where launch_id = \(launch.id) and channel_id = \(channel)
          """)
        #expect(row == [counted.map(String.init).joined(separator: "|")])
      }
      #expect(end.sum("salvo_messages_total", "outcome=\"unknown\"") == 6)
      #expect(end.sum("salvo_requests_total", "code=\"unanswered\"") == 6)
      #expect(end.sum("salvo_request_duration_seconds_count") == 1_294)
      for name in ["salvo_requests_in_flight", "salvo_open_windows", "salvo_oldest_open_window_age_seconds"] {
        #expect(end.sum(name) == 0)
      }
      #expect(end.sum("salvo_window_close_duration_seconds_count") > 0)
      #expect(end.sum("salvo_token_refreshes_total", "result=\"ok\"") == 2)
      // Its collector runs as another user, and takes no half of a file.
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o644)
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
      let checked = try await Shell.run("/bin/sh", ["-c", "promtool check metrics < '\(file)' 2>&1"])
      #expect(checked.code == 0 && checked.out.isEmpty, "\(checked.out)")
      let secrets = ["abab", "dead", Self.token, "BEGIN"]
      for secret in secrets { #expect(!text.contains(secret)) }
    }

    @Test("hostile requests neither stop sending nor change anything")
    func hostile() async throws {
      let stack = try await stack()
      // A minute's work, until the delay is taken away.
      _ = try await stack.stack("set", "fcm-delay-ms", "2000")
      let launch = try await TestLaunch.make(stack, [.firebase(1_500, ["connections": 1, "streams": 50])])
      let listener = try await Listener.start(launch, Self.tokenWords[0], Self.tokenWords[1])
      let pause = "/launches/\(launch.id)/pause"
      let bearer = ["Authorization": "Bearer " + Self.token]
      func command(_ headers: [String: String]) async throws -> Int {
        try await listener.ask("POST", pause, headers).status
      }
      #expect(try await command([:]) == 401)
      #expect(try await command(["Authorization": "Bearer operator-0123456788"]) == 401)
      #expect(try await command(bearer.merging(["Origin": "http://evil.example"]) { $1 }) == 403)
      #expect(try await command(bearer.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }) == 403)
      #expect(try await command(bearer.merging(["Host": "evil.example:\(listener.port)"]) { $1 }) == 421)
      #expect(try await listener.ask("GET", pause, bearer).status == 405)
      #expect(try await listener.ask("GET", "/metrics", ["Host": "evil.example"]).status == 421)
      #expect(try await listener.ask("GET", "/../../etc/passwd").status == 404)

      // Too large, and no HTTP at all: refused or closed, whatever libmicrohttpd likes better.
      let host = "Host: 127.0.0.1\r\n"
      let huge = String(repeating: "a", count: 1 << 20)
      let nonsense = [
        "GET /\(huge) HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\(host)X: \(huge)\r\n\r\n",
        "POST \(pause) HTTP/1.1\r\n\(host)Authorization: Bearer \(Self.token)\r\nContent-Length: \(huge.utf8.count)\r\n\r\n\(huge)",
        "POST \(pause) HTTP/1.1\r\n\(host)Authorization: Bearer \(Self.token)\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST \(pause) HTTP/1.1\r\nAuthorization: Bearer \(Self.token)\r\nContent-Length: 0\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n", "GET / HTTP/9.9\r\n\(host)\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      ]
      for words in nonsense {
        let answer = try await listener.send(Array(words.utf8))
        #expect(answer.status != 200, "\(words.prefix(60))")
      }
      // More connections than are served, none of which ever says all it has to say.
      var sockets: [Int32] = []
      for _ in 0..<60 { sockets.append(try await listener.open(saying: Array("GET / HTTP/1.1\r\nHo".utf8))) }
      #expect(listener.runner.isRunning)
      _ = try await stack.stack("set", "fcm-delay-ms", "0")
      let ended = try await listener.runner.ended()
      for socket in sockets { close(socket) }
      #expect(ended.code == 0, "\(ended.err)")
      #expect(try await launch.count("count(*)", from: "control_log") == 0)
      #expect(try await stack.ledger("fcm").count == 1_500)
      #expect(!ended.err.contains(Self.token))
    }

    @Test("connections that trickle are ended, so that others are served again")
    func slow() async throws {
      let stack = try await stack()
      _ = try await stack.stack("set", "fcm-delay-ms", "2000")
      let launch = try await TestLaunch.make(stack, [.firebase(400, ["connections": 1, "streams": 4])])
      let listener = try await Listener.start(launch)
      var sockets: [Int32] = []
      for _ in 0..<40 { sockets.append(try await listener.open(saying: Array("G".utf8))) }
      // Waits in the backlog until the first of them are closed.
      #expect(try await listener.ask("GET", "/healthz").status == 200)
      for socket in sockets { close(socket) }
      listener.runner.signal(SIGTERM)
      #expect(try await listener.runner.ended().code == 75)
    }

    @Test("with the token the page's commands do what the command line's do")
    func commands() async throws {
      let stack = try await stack()
      _ = try await stack.stack("set", "fcm-delay-ms", "300")
      let launch = try await TestLaunch.make(stack, [.firebase(2_000, ["connections": 1, "streams": 50])])
      let listener = try await Listener.start(launch, Self.tokenWords[0], Self.tokenWords[1])
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 100 }
      let headers = [
        "Authorization": "Bearer " + Self.token, "Origin": "http://127.0.0.1:\(listener.port)",
        "Sec-Fetch-Site": "same-origin",
      ]
      #expect(try await listener.ask("POST", "/launches/\(launch.id)/resume", headers).status == 409)
      #expect(try await listener.ask("POST", "/launches/999999999/pause", headers).status == 404)
      let answer = try await listener.ask("POST", "/launches/\(launch.id)/pause", headers)
      #expect(answer.status == 200)
      #expect(answer.body.hasPrefix(#"{"from":"running","to":"paused","messages_in_flight":"#))
      let ended = try await listener.runner.ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(
        try await stack.sql(
          "select command, from_state, to_state from salvo.control_log where launch_id = \(launch.id)")
          == ["pause|running|paused"])
      #expect(!ended.err.contains(Self.token))
    }

    @Test(
      "wrong words about listening are refused before anything is sent, without repeating a secret",
      arguments: [
        (["--listen", "example.com:80"], 64, "numeric address"), (["--listen", "127.0.0.1"], 64, "numeric address"),
        (["--listen-token", "env:OPERATOR_TOKEN"], 64, "goes with --listen"),
        (["--listen", "127.0.0.1:0", "--listen-token", "operator-0123456789"], 64, "file:NAME"),
        (["--listen", "127.0.0.1:0", "--listen-token", "env:NOT_SET"], 78, "NOT_SET"),
        (["--listen", "127.0.0.1:0", "--listen-token", "file:no.token"], 78, "no.token"),
        (["--listen", "127.0.0.1:0", "--listen-token", "env:SHORT_TOKEN"], 78, "16 are needed"),
        (["--listen", "192.0.2.1:9464"], 78, "192.0.2.1:9464"), (["--metrics-file", "metrics.txt"], 64, ".prom"),
        (["--metrics-file", "/nonexistent/salvo.prom"], 73, "/nonexistent/salvo.prom"),
      ])
    func refused(words: [String], code: Int32, says: String) async throws {
      let stack = try await Stack.shared()
      let ended = try await stack.trySalvo(
        ["run", "1"] + words, ["OPERATOR_TOKEN": Self.token, "SHORT_TOKEN": "short-secret-15"])
      #expect(ended.code == code, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains(says), "\(ended.err)")
      for secret in [Self.token, "short-secret-15"] { #expect(!ended.err.contains(secret), "\(ended.err)") }
    }
  }
}
