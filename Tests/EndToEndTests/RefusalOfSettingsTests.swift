import Foundation
import Testing

extension Runs {
  /// What is wrong with files, settings and templates is found before anything is planned.
  @Suite struct RefusalOfSettingsTests {
    /// A launch that is refused again and again, and runs when all is right.
    private struct Case {
      var what: String
      /// Assignments of salvo.channel, and whose lane they are for.
      var lane = 0
      var channel: String?
      var environment: [String: String] = [:]
      let code: Int32
      let words: [String]
    }

    private func check(_ cases: [Case], _ launch: TestLaunch) async throws {
      var ended: [Ended] = []
      for one in cases {
        if let channel = one.channel { try await launch.setChannel(one.lane, channel) }
        let refused = try await launch.tryRun(one.environment)
        ended.append(refused)
        refused.expectOneLine(one.code, one.words)
        try await launch.expectUntouched()
        guard one.channel != nil else { continue }
        try await launch.setChannel(
          one.lane,
          """
          template = null, payload_profile = 'altcraft', credential = '\(Self.credentials[one.lane])',
          settings = settings - 'ca_file' - 'topik'
          """)
      }
      #expect(try await launch.stack.ledger().isEmpty)
      try await launch.stack.expectNoSecret(in: ended)
      try await launch.run()
      #expect(try await launch.stack.ledger().count == 10)
    }

    private static let credentials = ["file:fcm.json", "file:apns.p8"]

    private func twoLanes(_ stack: Stack) async throws -> TestLaunch {
      try await TestLaunch.make(stack, [.firebase(5), .apns(5)], content: TestLaunch.equalContent)
    }

    @Test("a credential that is missing or of the wrong form: 78, naming file and channel, and nothing is planned")
    func credentials() async throws {
      let stack = try await Stack.shared()
      let launch = try await twoLanes(stack)
      let fcm = "channel \(launch.channels[0]) (lane-1)"
      let apns = "channel \(launch.channels[1]) (lane-2)"
      let rsa = try await Shell.run("/usr/bin/openssl", ["genrsa", "2048"])
      try stack.writeCredential("rsa.p8", rsa.out)
      try stack.writeCredential("empty.json", "")
      try stack.writeCredential("cut.json", String(try stack.credential("fcm.json").prefix(200)))
      var account = try #require(
        try JSONSerialization.jsonObject(with: Data(try stack.credential("fcm.json").utf8)) as? [String: Any])
      account["client_email"] = nil
      let nobody = String(decoding: try JSONSerialization.data(withJSONObject: account), as: UTF8.self)
      try stack.writeCredential("nobody.json", nobody)
      try await check(
        [
          Case(
            what: "no such file", channel: "credential = 'file:nope.json'", code: 78,
            words: [fcm, "nope.json in \(stack.folder)/credentials", "No such file or directory"]),
          Case(
            what: "no such variable", channel: "credential = 'env:SALVO_NOPE'", code: 78, words: [fcm, "SALVO_NOPE"]),
          Case(
            what: "no folder", environment: ["SALVO_CREDENTIALS": ""], code: 78,
            words: [fcm, "fcm.json", "--credentials DIR", "SALVO_CREDENTIALS"]),
          Case(
            what: "another folder", environment: ["SALVO_CREDENTIALS": "/nonexistent"], code: 78,
            words: [fcm, "fcm.json in /nonexistent"]),
          Case(
            what: "an empty file", channel: "credential = 'file:empty.json'", code: 78,
            words: [fcm, "empty.json is empty"]),
          Case(
            what: "half a file", channel: "credential = 'file:cut.json'", code: 78,
            words: [fcm, "file:cut.json", "line "]),
          Case(
            what: "no account", channel: "credential = 'file:nobody.json'", code: 78,
            words: [fcm, "file:nobody.json", "client_email"]),
          Case(
            what: "an RSA key for Apple", lane: 1, channel: "credential = 'file:rsa.p8'", code: 78,
            words: [apns, "file:rsa.p8", "P-256"]),
        ], launch)
    }

    @Test("certificates to trust that are missing or damaged: 78 before anything is planned")
    func certificates() async throws {
      let stack = try await Stack.shared()
      let launch = try await twoLanes(stack)
      let damaged = "\(stack.folder)/damaged-ca.pem"
      try "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----\n".write(
        toFile: damaged, atomically: true, encoding: .utf8)
      try await check(
        [
          Case(
            what: "no such file", environment: ["SALVO_CA_FILE": "/nonexistent.pem"], code: 78,
            words: ["SALVO_CA_FILE", "/nonexistent.pem", "No such file or directory"]),
          Case(
            what: "no certificate in it", environment: ["SALVO_CA_FILE": "/etc/passwd"], code: 78,
            words: ["SALVO_CA_FILE", "/etc/passwd", "-----BEGIN CERTIFICATE-----"]),
          Case(
            what: "a damaged one", environment: ["SALVO_CA_FILE": damaged], code: 78,
            words: ["SALVO_CA_FILE", damaged, "certificate 1 of 1"]),
          Case(
            what: "the channel's own", lane: 1,
            channel: "settings = settings || jsonb_build_object('ca_file', '\(damaged)')", code: 78,
            words: ["channel \(launch.channels[1]) (lane-2)", "ca_file", damaged]),
        ], launch)
    }

    @Test("a template that can't be JSON: 65 with line and column; an unknown setting: 78 with its name")
    func templates() async throws {
      let stack = try await Stack.shared()
      let launch = try await twoLanes(stack)
      let fcm = "channel \(launch.channels[0]) (lane-1)"
      // The comma is missing at the end of line 3; "data" begins in column 5 of line 4.
      let noComma = """
        {
          "message": {
            "token": "{{.SubscriptionID}}"
            "data": {}
          }
        }
        """
      let noName = "{\"message\":\n {\"token\": \"{{.Tokenn}}\"}}"
      let noEnd = "{\"message\": {{if .Title}}{}"
      try await check(
        [
          Case(
            what: "no comma", channel: "payload_profile = 'custom', template = '\(noComma)'", code: 65,
            words: [fcm, "line 4, column 5", "comma"]),
          Case(
            what: "no such name", channel: "payload_profile = 'custom', template = '\(noName)'", code: 65,
            words: [fcm, "line 2, column ", ".Tokenn"]),
          Case(
            what: "no end", channel: "payload_profile = 'custom', template = '\(noEnd)'", code: 65,
            words: [fcm, "line 1, column 13", "'end'"]),
          Case(
            what: "a misspelt setting", lane: 1, channel: "settings = settings || '{\"topik\": \"com.example.shop\"}'",
            code: 78, words: ["channel \(launch.channels[1]) (lane-2)", "topik", "topic"]),
        ], launch)
    }
  }
}
