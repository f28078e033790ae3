import Foundation
import Testing

extension Runs {
  /// What authorises requests: made once, shared, renewed once, and what is wrong with it said in one line.
  @Suite struct AccessTests {
    @Test("five processes started together with one APNs key show Apple one token")
    func oneTokenForAll() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      var launches: [TestLaunch] = []
      for _ in 1...5 { launches.append(try await TestLaunch.make(stack, [.apns(20)])) }
      let runs = try launches.map { try $0.start() }
      for run in runs {
        let ended = try await run.ended()
        #expect(ended.code == 0, "\(ended.err)")
      }
      let apns = try #require(try await stack.connections()["apns"])
      #expect(apns.tokens == 1)
      #expect(apns.opened >= 5)
      #expect(try await stack.ledger("apns").count { $0.accepted } == 100)
    }

    @Test("150 of 200 requests answered 401 ask the token endpoint once more, and all end sent")
    func oneRefresh() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      let launch = try await TestLaunch.make(
        stack, [.firebase(200, start: "case when n % 4 <> 0 then 'f401' else 'ab' end")])
      let ended = try await launch.run()
      #expect(
        ended.outLines.last
          == "all lanes: planned 200 sent 200 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      #expect(try await stack.connections()["fcm-token"]?.requests == 2)
      let ledger = try await stack.ledger("fcm")
      #expect(ledger.count { $0.status == 401 } == 150)
      #expect(ledger.count { $0.accepted } == 200)
      #expect(try await launch.requestsWritten(launch.channels[0]) == 350)
    }

    @Test("bearers that Google forgot in the middle of a launch are renewed once, whoever was under way")
    func revoked() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      _ = try await stack.stack("set", "fcm-delay-ms", "300")
      let launch = try await TestLaunch.make(stack, [.firebase(200, ["connections": 1, "streams": 10])])
      let run = try launch.start()
      try await eventually("the first messages") { try await stack.ledger("fcm").count > 20 }
      _ = try await stack.stack("set", "bearers", "revoke")
      let ended = try await run.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(try await stack.connections()["fcm-token"]?.requests == 2)
      #expect(try await stack.ledger("fcm").count { $0.accepted } == 200)
      #expect(try await launch.count("count(*)", from: "delivery", where: "outcome = 1") == 200)
    }

    @Test("a token endpoint that is away ends the run with 75, nothing is stopped, and the next run does it all")
    func tokenEndpointAway() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      _ = try await stack.stack("set", "fcm-token-answer", "503")
      let launch = try await TestLaunch.make(stack, [.firebase(10), .apns(10)])
      let ended = try await launch.start().ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.errLines.count == 1)
      #expect(ended.err.contains("the token endpoint answered HTTP 503") && ended.err.contains("run the launch again"))
      #expect(try await stack.sql("select state from salvo.launch where id = \(launch.id)") == ["running"])
      #expect(try await launch.count("count(*)", from: "lane", where: "state = 'stopped'") == 0)
      #expect(try await stack.ledger("fcm").isEmpty)
      #expect(try await stack.ledger("apns").count == 10)

      _ = try await stack.stack("set", "fcm-token-answer", "ok")
      #expect(
        try await launch.run().outLines.last
          == "all lanes: planned 20 sent 20 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      #expect(try await stack.ledger("apns").count == 10)
    }

    @Test("one that answers again within a moment is waited for")
    func tokenEndpointBack() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      _ = try await stack.stack("set", "fcm-token-answer", "503")
      let run = try await TestLaunch.make(stack, [.firebase(10)]).start()
      try await eventually("the first question") { (try await stack.connections()["fcm-token"]?.requests ?? 0) >= 1 }
      _ = try await stack.stack("set", "fcm-token-answer", "ok")
      let ended = try await run.ended()
      #expect(ended.code == 0, "\(ended.err)")
    }

    @Test("invalid_grant is 77, and says to look at the clock and the key")
    func invalidGrant() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      _ = try await stack.stack("set", "fcm-token-answer", "invalid_grant")
      let launch = try await TestLaunch.make(stack, [.firebase(10)])
      let ended = try await launch.start().ended()
      #expect(ended.code == 77, "\(ended.err)")
      #expect(ended.errLines.count == 1)
      #expect(ended.err.contains("file:fcm.json") && ended.err.contains("clock") && ended.err.contains("key"))
      #expect(try await stack.ledger().isEmpty)
    }

    @Test("a key whose tokens are made too often: 75, the line says it, and twenty minutes later all are sent")
    func tooManyTokens() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      _ = try await stack.stack("set", "apns-updates", "key")
      try await TestLaunch.make(stack, [.apns(5)]).run()
      // As another server of the same key would, which shares no database.
      try await eventually("another second") {
        try await stack.number(
          "select count(*) from salvo.provider_token where issued_at < now() - interval '1.5 s'") == 1
      }
      try await forgetTokens(stack)
      let launch = try await TestLaunch.make(stack, [.apns(30)])
      let ended = try await launch.start().ended()
      #expect(ended.code == 75, "\(ended.err)")
      #expect(ended.errLines.count == 1)
      #expect(ended.err.contains("HTTP 429 TooManyProviderTokenUpdates; nothing may be sent until 2"), "\(ended.err)")
      #expect(try await launch.count("remaining", from: "launch_progress") == 30)
      #expect(try await stack.connections()["apns"]?.tokens == 2)

      _ = try await stack.stack("reset")
      try await launch.passTime()
      try await launch.run()
      #expect(try await launch.count("sent", from: "launch_progress") == 30)
      // It still has the token that was refused for its youth alone.
      #expect(try await stack.connections()["apns"]?.tokens == 1)
    }

    @Test("a base that looks dead as a whole, as sandbox tokens do at production: the lane stops, nothing is retired")
    func deadBase() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.apns(600, start: "'deadab'")])
      let ended = try await launch.start().ended()
      #expect(ended.code == 69, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains("environment"), "\(ended.err)")
      #expect(
        try await stack.number(
          "select count(*) from salvo.subscription where state = 'retired' and channel_id = \(launch.channels[0])") == 0
      )
      #expect(try await launch.count("token_retired", from: "launch_progress") == 0)
    }

    @Test("a token made a moment ago and called expired is the clock's fault, and the line says so")
    func slowClock() async throws {
      let stack = try await Stack.shared()
      try await forgetTokens(stack)
      // As this machine would look to Apple with its clock two hours behind.
      _ = try await stack.stack("set", "apns-clock-ahead-s", "7200")
      let launch = try await TestLaunch.make(stack, [.apns(30)])
      let ended = try await launch.start().ended()
      #expect(ended.code == 77, "\(ended.err)")
      #expect(ended.errLines.count == 1)
      #expect(ended.err.contains("file:apns.p8") && ended.err.contains("this machine's clock"))
      #expect(try await stack.connections()["apns"]?.tokens == 2)
      try await forgetTokens(stack)
    }

    @Test("a client certificate instead of tokens, from a file and from the environment", arguments: [false, true])
    func certificate(isFromEnvironment: Bool) async throws {
      let stack = try await Stack.shared()
      let file = stack.folder + "/credentials/apns.pem"
      // As one line of an env file has it.
      let text = try String(contentsOfFile: file, encoding: .utf8).replacingOccurrences(of: "\n", with: "\\n")
      let launch = try await TestLaunch.make(
        stack, [Self.certified(isFromEnvironment ? "env:PUSH_CERTIFICATE" : "file:apns.pem")])
      let ended = try await stack.trySalvo(["run", "\(launch.id)"], ["PUSH_CERTIFICATE": text])
      #expect(ended.code == 0, "\(ended.err)")
      #expect(
        ended.outLines.last
          == "all lanes: planned 50 sent 50 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      let apns = try #require(try await stack.connections()["apns"])
      #expect(apns.tokens == nil)
      #expect(try await stack.ledger("apns").allSatisfy { $0.accepted && $0.key == "certificate" })
    }

    @Test("a certificate that Apple refuses: 77, with its name, nothing sent or unknown")
    func wrongCertificate() async throws {
      let stack = try await Stack.shared()
      let byAnswer = try await TestLaunch.make(stack, [Self.certified("file:apns-wrong.pem")])
      // And as Apple does it with a revoked one: in the TLS handshake.
      let server = try WireServer(stack, ["serve=apns", "clients=1"])
      let inHandshake = try await TestLaunch.make(
        stack, [Self.certified("file:apns-wrong.pem", ["endpoint": .text(server.endpoint)])])
      for launch in [byAnswer, inHandshake] {
        let ended = try await launch.start().ended()
        #expect(ended.code == 77, "\(ended.err)")
        #expect(ended.errLines.count == 1)
        #expect(ended.err.contains("file:apns-wrong.pem"))
        #expect(
          ended.outLines.last
            == "all lanes: planned 50 sent 0 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 50")
      }
      #expect(try server.reads().isEmpty)
      let right = try await TestLaunch.make(
        stack, [Self.certified("file:apns.pem", ["endpoint": .text(server.endpoint)])])
      try await right.run()
      #expect(try server.reads().count == 50)
    }

    @Test("a file without a certificate is found before anything is planned: 78")
    func noCertificate() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [Self.certified("file:apns.p8")])
      let ended = try await launch.start().ended()
      #expect(ended.code == 78, "\(ended.err)")
      #expect(ended.err.contains("file:apns.p8: no certificate in it"))
      #expect(try await launch.count("count(*)", from: "lane") == 0)
    }

    private static func certified(_ credential: String, _ more: [String: TestLane.JSONValue] = [:]) -> TestLane {
      let settings: [String: TestLane.JSONValue] = ["topic": "com.example.shop", "auth": "certificate"]
      return TestLane(
        provider: "ios-apns", count: 50, settings: settings.merging(more) { $1 }, credential: credential)
    }

    /// What earlier tests left for all processes to share.
    private func forgetTokens(_ stack: Stack) async throws { try await stack.sql("delete from salvo.provider_token") }
  }
}
