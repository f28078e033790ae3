import Foundation
import Testing

extension Runs {
  /// Launches at servers that misbehave: whatever these do, each message is accounted and none is repeated unwritten.
  @Suite struct WireTests {
    @Test("launches end by themselves, accounted and without an unwritten repeat", arguments: WireScenarios.batches)
    func scenarios(_ batch: WireScenarios.Batch) async throws {
      let stack = try await Stack.shared()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for scenario in batch.scenarios { group.addTask { try await run(scenario, stack) } }
        try await group.waitForAll()
      }
    }

    private func run(_ scenario: WireScenario, _ stack: Stack) async throws {
      let server = try WireServer(stack, ["serve=\(scenario.provider)"] + scenario.options)
      let launch = try await TestLaunch.make(
        stack, [scenario.lane(at: server.endpoint)],
        content: scenario.provider == .hms ? TestLaunch.equalContent : TestLaunch.personalContent,
        options: scenario.provider == .hms ? #"{"tracking": "group"}"# : "{}")
      let ended = try await launch.start().ended()
      #expect(ended.code == scenario.exit, "\(scenario.row): \(ended.err)")
      let sums = try Self.sums(ended)
      for (word, count) in sums where word != "planned" {
        let expected = scenario.ends[word] ?? 0...0
        #expect(expected.contains(count), "\(scenario.row): \(word) \(count), expected \(expected): \(ended.err)")
      }
      try await expectBalance(launch, scenario, sums)
      try await expectWritten(launch, scenario, [server])
      let kinds = try server.kinds()
      // Google ends connections that ping.
      #expect(!kinds.contains("ping"), "\(scenario.row)")
      if scenario.provider == .appmetrica { expectAskedFirst(kinds, scenario) }
      guard scenario.exit != 0 else { return }
      #expect(ended.errLines.count { $0.contains("stopped: ") } == 1, "\(scenario.row): \(ended.err)")

      // The same launch goes on where the server is another one.
      let healthy = try WireServer(stack, ["serve=\(scenario.provider)"])
      try await stack.sql(
        """
        update salvo.channel set settings = settings || '{"endpoint": "\(healthy.endpoint)"}'
        where id = \(launch.channels[0])
        """)
      let rest = try Self.sums(try await launch.run())
      #expect(rest["sent"] == scenario.messages - sums["unknown", default: 0], "\(scenario.row)")
      #expect(rest["remaining"] == 0, "\(scenario.row)")
      try await expectBalance(launch, scenario, rest)
      try await expectWritten(launch, scenario, [server, healthy])
    }

    @Test("a proxy carries messages and authorization alike; one that refuses is named without its password")
    func proxy() async throws {
      let stack = try await Stack.shared()
      try await stack.sql("delete from salvo.provider_token")
      let proxy = try WireServer(stack, [], script: "proxy.py")
      let url = "http://sender:s3cret-word@127.0.0.1:\(proxy.port)"
      let launch = try await TestLaunch.make(
        stack, [.firebase(30, ["proxy": .text(url)]), .appMetrica(30, ["proxy": .text(url)])])
      try await launch.run()
      let used = Set(try proxy.lines(of: "proxied"))
      let basic = "Basic " + Data("sender:s3cret-word".utf8).base64EncodedString()
      let targets = try ["FCM_ENDPOINT", "FCM_TOKEN_URI", "APPMETRICA_ENDPOINT"].map { name in
        let address = try #require(URL(string: stack.environment["SALVO_" + name] ?? ""))
        return "\(address.host ?? ""):\(address.port ?? 443) \(basic)"
      }
      #expect(used == Set(targets))
      #expect(try await stack.ledger().count == 60)

      let refusing = try WireServer(stack, ["403"], script: "proxy.py")
      let stopped = try await TestLaunch.make(
        stack, [.apns(10, ["proxy": .text("http://sender:s3cret-word@127.0.0.1:\(refusing.port)")])])
      let ended = try await stopped.start().ended()
      #expect(ended.code == 69, "\(ended.err)")
      #expect(ended.errLines.count == 1 && ended.err.contains("proxy") && ended.err.contains("403"), "\(ended.err)")
      #expect(!ended.err.contains("s3cret-word"))
      #expect(try await stack.ledger("apns").isEmpty)
    }

    @Test("the README's table has a row for each scenario, and no other")
    func table() throws {
      let readme = try String(
        contentsOf: Shell.root.appending(path: "Docker/providers/README.md"), encoding: .utf8)
      let titles = WireScenario.Provider.allCases.map { "| \($0.title): " }
      let rows = readme.split(separator: "\n").filter { line in titles.contains { line.hasPrefix($0) } }
        .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
      let names = WireScenarios.all.map(\.row)
      #expect(Set(rows) == Set(names))
      #expect(rows.count == names.count)
    }

    /// The figures of the last line: `all lanes: planned 120 sent 114 …`.
    private static func sums(_ ended: Ended) throws -> [String: Int] {
      let words = try #require(ended.outLines.last, "\(ended.err)").split(separator: " ").dropFirst(2).map(String.init)
      return Dictionary(
        uniqueKeysWithValues: stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], Int(words[$0 + 1]) ?? -1) })
    }

    private func expectBalance(
      _ launch: TestLaunch, _ scenario: WireScenario, _ sums: [String: Int]
    ) async throws {
      #expect(sums["planned"] == scenario.messages, "\(scenario.row)")
      #expect(sums.filter { $0.key != "planned" }.values.reduce(0, +) == scenario.messages, "\(scenario.row)")
      // Windows of which nothing was handed over count nothing.
      let windows = try await launch.windowSums().filter { !$0.hasSuffix("|0|0|0|0|0|0|0") }
      #expect(try await launch.deliverySums() == windows, "\(scenario.row)")
      #expect(try await launch.unfinishedBusiness() == 0, "\(scenario.row)")
      #expect(try await launch.attemptGaps() == 0, "\(scenario.row)")
      let state = sums["remaining"] == 0 ? "finished" : "running"
      #expect(try await launch.state() == state, "\(scenario.row)")
    }

    /// No message was read more often than its requests say, and none is called sent that nobody read.
    private func expectWritten(
      _ launch: TestLaunch, _ scenario: WireScenario, _ servers: [WireServer]
    ) async throws {
      var reads: [String: Int] = [:]
      for server in servers { reads.merge(try server.reads()) { $0 + $1 } }
      var requests: [String: Int] = [:]
      var sent: Set<String> = []
      for row in try await launch.stack.sql(
        """
        select \(scenario.provider.isBatching ? "s.token" : "d.message_uid"), sum(requests), bool_or(outcome = 1)
        from salvo.delivery d join salvo.subscription s on (s.profile_id, s.id) = (d.profile_id, d.subscription_id)
        where launch_id = \(launch.id) and message_uid is not null group by 1
        """)
      {
        let columns = row.split(separator: "|").map(String.init)
        requests[columns[0]] = Int(columns[1])
        if columns[2] == "t" { sent.insert(columns[0]) }
      }
      for (id, count) in reads {
        #expect(count <= requests[id, default: 0], "\(scenario.row): \(id) was read \(count) times")
      }
      #expect(sent.subtracting(reads.keys) == [], "\(scenario.row)")
      let written = requests.values.reduce(0, +)
      #expect(
        scenario.repeats.contains(written - requests.count { $0.value > 0 }), "\(scenario.row): \(written) requests")
    }

    /// Between two sendings there is a question, and no transfer begins twice: the messages are buzzed once.
    private func expectAskedFirst(_ kinds: [String], _ scenario: WireScenario) {
      let order = kinds.filter { $0 == "request" || $0 == "question" }
      #expect(!zip(order, order.dropFirst()).contains { $0 == "request" && $1 == "request" }, "\(scenario.row)")
      #expect(order.contains("question"), "\(scenario.row)")
      #expect(kinds.count { $0 == "transfer" } == 1, "\(scenario.row)")
      #expect(!kinds.contains("repeated"), "\(scenario.row)")
    }
  }
}
