import Foundation
import Testing

extension Runs {
  /// What is looked at, and tried, before a launch is sent.
  @Suite struct PreflightTests {
    struct Report: Decodable {
      struct Bytes: Decodable {
        struct Body: Decodable {
          let bytes: Int
          let subscriptionId: Int
        }
        let smallest: Body
        let largest: Body
        let limit: Int
      }
      struct Cases: Decodable {
        let what: String
        let messages: Int
        let detail: String?
        let subscriptionId: Int
      }
      struct Lane: Decodable {
        let provider: String
        let recipients: Int
        let examined: Int
        let wouldBeSent: Int
        let skipped: [String: Int]
        let rejected: [Cases]
        let missing: [Cases]
        let bytes: Bytes?
        let online: [String]
        let refusals: [String]
      }
      let exitCode: Int
      let wouldBeSent: Int
      let seconds: Double?
      let refusals: [String]
      let warnings: [String]
      let lanes: [Lane]
    }

    private static func check(_ launch: TestLaunch, _ words: String...) async throws -> (ended: Ended, report: Report) {
      let ended = try await launch.stack.trySalvo(["check", "\(launch.id)", "--json"] + words)
      return (ended, try JSONDecoder.snakeCase.decode(Report.self, from: Data(ended.out.utf8)))
    }

    /// A body that a stand-in received, by what stands in it.
    private static func received(_ stack: Stack, containing text: String) throws -> Data {
      let files = try #require(FileManager.default.enumerator(atPath: stack.folder))
      for case let file as String in files where file.contains("/bodies/") || file.hasPrefix("bodies/") {
        let data = try Data(contentsOf: URL(fileURLWithPath: stack.folder).appending(path: file))
        if String(decoding: data, as: UTF8.self).contains(text) { return data }
      }
      throw CocoaError(.fileNoSuchFile)
    }

    @Test("a good launch: 0, nothing is written, and the run then does what the numbers say")
    func good() async throws {
      let stack = try await Stack.shared()
      var android = TestLane.firebase(120)
      // The second of each ten has the first one's token.
      android.twin = "case when n % 10 = 2 then n - 1 else n end"
      android.state = "case when n % 20 = 5 then 'retired' else 'active' end"
      let launch = try await TestLaunch.make(stack, [android, .apns(40), .hms(40), .appMetrica(30)])
      // Tests before this one may have left some.
      let tokens = "select credential, token, issued_at from salvo.provider_token order by 1"
      let known = try await stack.sql(tokens)
      // 12 twins, 6 retired.
      let (ended, report) = try await Self.check(launch, "--online")
      #expect(ended.code == 0 && report.exitCode == 0, "\(ended.everything)")
      #expect(report.lanes.map(\.recipients) == [120, 40, 40, 30])
      #expect(report.lanes.map(\.wouldBeSent) == [102, 40, 40, 30])
      #expect(report.lanes[0].skipped == ["duplicate": 12, "retired": 6])
      #expect(report.lanes.allSatisfy { $0.online.first == "authorization can be had" })
      #expect(report.lanes[0].online.last == "Firebase takes the message (validate_only)")
      #expect(report.lanes[0].bytes?.limit == 4096)
      try await launch.expectUntouched()
      #expect(try await stack.ledger().isEmpty)
      #expect(try await stack.sql(tokens) == known)

      try await launch.run()
      for (index, lane) in report.lanes.enumerated() {
        let channel = launch.channels[index]
        let sent = try await launch.count(
          "count(*)", from: "delivery", where: "channel_id = \(channel) and outcome = 1")
        let skipped = try await launch.count(
          "count(*)", from: "delivery", where: "channel_id = \(channel) and outcome = 5")
        #expect(sent == lane.wouldBeSent && skipped == lane.skipped.values.reduce(0, +), "\(lane.provider)")
      }
      try await stack.expectNoSecret(in: [ended, try await stack.trySalvo(["check", "\(launch.id)"])])
    }

    @Test("each mistake is one line that names it, and the exit code is 65")
    func mistakes() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(20), .apns(20), .apns(3)],
        content: #"""
          {"title":"Hi {{.Profile.name}}","body":"{{.Vars.text}}","image":"http://shop.example/a.png"}
          """#)
      try await stack.sql(
        """
        update salvo.recipient set variables = jsonb_build_object('text',
          case when profile_id = (select max(profile_id) from salvo.recipient where launch_id = \(launch.id))
            then repeat('x', 5000) else 'Sale' end) where launch_id = \(launch.id)
        """)
      try await stack.sql(
        """
        update salvo.profile set attributes = '{}' where account_id = \(launch.account) and external_id in ('p1', 'p2')
        """)
      try await stack.sql(
        """
        update salvo.subscription set token = 'not hex' where channel_id = \(launch.channels[1])
          and profile_id = (select id from salvo.profile where account_id = \(launch.account) and external_id = 'p3')
        """)
      try await launch.setChannel(2, "settings = settings - 'topic'")
      let (ended, report) = try await Self.check(launch)
      #expect(ended.code == 65 && report.exitCode == 65)
      #expect(report.lanes[0].wouldBeSent == 17)
      #expect(report.lanes[0].rejected.map(\.what) == ["missing_value", "too_large"])
      #expect(report.lanes[0].rejected.map(\.messages) == [2, 1])
      #expect(report.lanes[0].missing.map(\.what).first?.hasPrefix("content.title names .Profile.name") == true)
      let largest = try await stack.number(
        "select max(id) from salvo.subscription where channel_id = \(launch.channels[0])")
      #expect(report.lanes[0].rejected.last?.subscriptionId == largest)
      #expect(report.lanes[0].rejected.last?.detail?.hasSuffix("4096 are allowed") == true)
      #expect(report.lanes[1].rejected.map(\.what) == ["malformed_token", "missing_value", "too_large"])
      #expect(report.lanes[2].refusals.count == 1 && report.lanes[2].refusals[0].contains("topic"))
      #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("content.image: "))
      try await launch.expectUntouched()

      let text = try await stack.trySalvo(["check", "\(launch.id)"])
      let refused = text.outLines.filter { $0.hasPrefix("REFUSED ") }
      // Missing and too large at both, the token, the topic.
      #expect(text.code == 65 && refused.count == 6, "\(text.out)")
      #expect(refused.contains { $0.contains("1 messages, too_large") && $0.contains("subscription \(largest) ") })
      try await stack.expectNoSecret(in: [ended, text])
    }

    @Test("a launch that can't be planned, or whose credential is refused, is refused; a sample looks at so many")
    func launches() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(50)], content: TestLaunch.equalContent, options: #"{"max_recipients":2,"rate":5}"#)
      let (ended, report) = try await Self.check(launch, "--sample", "20")
      #expect(ended.code == 65)
      #expect(report.refusals.count == 1 && report.refusals[0].contains("max_recipients"))
      #expect(report.lanes[0].examined == 20 && report.lanes[0].wouldBeSent == 20)
      // 50 messages at 5 a second.
      #expect(report.seconds == 10)
      try await stack.trySalvo(["check", "999999"]).expectOneLine(66, ["there is no launch 999999"])
    }

    @Test("a preview shows the body that the provider then receives, without token and secret")
    func preview() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(1), .apns(1), .hms(1)])
      try await launch.run()
      var previews: [Ended] = []
      for (index, provider) in ["android-firebase", "ios-apns", "android-hms"].enumerated() {
        let preview = try await stack.salvo("preview", "\(launch.id)", "--provider", provider)
        previews.append(preview)
        let token = try #require(
          try await stack.sql("select token from salvo.subscription where channel_id = \(launch.channels[index])").first
        )
        let uid = try #require(
          try await stack.sql(
            "select message_uid from salvo.delivery where channel_id = \(launch.channels[index])"
          ).first)
        let body = try Self.received(stack, containing: uid)
        let shown = try #require(preview.out.split(separator: "\n\n").dropFirst().first)
        let masked = String(decoding: body, as: UTF8.self).replacing(token, with: "<token>")
        let expected = try JSONSerialization.jsonObject(with: Data(masked.utf8)) as? NSDictionary
        let found = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? NSDictionary
        #expect(expected != nil && expected == found, "\(provider): \(preview.out)")
        #expect(preview.outLines.contains("\(body.count) bytes"))
        // The name as it reads on the phone.
        #expect(preview.outLines.contains { $0.hasPrefix(#"| Hi Zoë "1" "#) })
      }
      #expect(previews[1].outLines.contains { $0.hasPrefix("POST ") && $0.hasSuffix("/3/device/<token>") })
      #expect(previews[1].outLines.contains("authorization: bearer <secret>"))
      try await stack.expectNoSecret(in: previews)
      #expect(try await stack.trySalvo(["preview", "\(launch.id)", "--profile", "999999"]).code == 66)
    }

    @Test("a test send reaches the devices named and nobody else, is logged, and leaves the launch as it was")
    func testSend() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(5), .apns(5), .appMetrica(5)], content: TestLaunch.equalContent)
      var devices: [String] = []
      for channel in launch.channels {
        devices += try await stack.sql(
          "select profile_id || ':' || id from salvo.subscription where channel_id = \(channel) order by id limit 1")
      }
      let ended = try await stack.salvo(
        "send-test", "\(launch.id)", "--to", devices[0], "--to", devices[1], "--to", devices[2])
      #expect(
        ended.outLines.count == 3 && ended.outLines.allSatisfy { $0.contains(": sent; HTTP 200") }, "\(ended.out)")
      #expect(
        try await launch.count("count(*)", from: "test_send", where: "outcome = 1 and message_uid is not null") == 3)
      #expect(try await stack.ledger().count == 3)
      try await launch.expectUntouched()
      try await stack.expectNoSecret(in: [ended])

      // The run doesn't care: everybody gets it.
      try await launch.run()
      #expect(try await launch.count("count(*)", from: "delivery", where: "outcome = 1") == 15)

      try await stack.sql("update salvo.subscription set token = 'a b' where channel_id = \(launch.channels[0])")
      let wrong = try await stack.trySalvo(["send-test", "\(launch.id)", "--to", devices[0]])
      #expect(wrong.code == 65 && wrong.out.contains(": rejected; malformed_token"))
      #expect(try await launch.count("count(*)", from: "test_send", where: "outcome = 3") == 1)
      try await stack.trySalvo(["send-test", "\(launch.id)", "--to", "999999999"]).expectOneLine(
        66, ["no subscription 999999999"])
      try await stack.trySalvo(["send-test", "\(launch.id)"]).expectOneLine(64, ["--to SUBSCRIPTION is needed"])
    }

    @Test("launch create warns of what is sent as it is and may not do what was meant")
    func warnings() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(1)])
      let campaign = try await stack.number("select campaign_id from salvo.launch where id = \(launch.id)")
      let content = URL(fileURLWithPath: stack.folder).appending(path: "linked.json")
      try #"{"title":"T","click_url":"shop.example"}"#.write(to: content, atomically: true, encoding: .utf8)
      let ended = try await stack.salvo("launch", "create", "--campaign", "\(campaign)", "--content", content.path)
      #expect(ended.errLines.count == 1 && ended.err.contains("content.click_url: \"shop.example\""), "\(ended.err)")
    }
  }
}
