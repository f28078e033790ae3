import Foundation
import Testing

extension Runs {
  /// Credentials, certificates and tokens that only the other side can call wrong.
  @Suite struct RefusalByProviderTests {
    @Test("the wrong CA: not one request, one line for all lanes, 69; with the right one the launch runs to its end")
    func wrongCA() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(300), .apns(300), .hms(300), .appMetrica(300)], content: TestLaunch.equalContent)
      let wrong = "\(stack.folder)/wrong-ca.pem"
      let ended = try await launch.tryRun(["SALVO_CA_FILE": wrong])
      #expect(ended.code == 69)
      #expect(ended.errLines.count == 1, "\(ended.err)")
      for word in [
        "lane-1", "lane-2", "lane-3", "lane-4", "certificate", "SALVO_CA_FILE", wrong, "launch \(launch.id)",
      ] {
        #expect(ended.err.contains(word), "\(word) is missing: \(ended.err)")
      }
      #expect(
        ended.outLines.last
          == "all lanes: planned 1200 sent 0 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 1200")
      #expect(try await stack.ledger().isEmpty)
      let lanes = try await stack.sql(
        "select state, stop_reason like '%certificate%' from salvo.lane where launch_id = \(launch.id)")
      #expect(lanes == Array(repeating: "stopped|t", count: 4))

      try await launch.run()
      let ledger = try await stack.ledger()
      #expect(ledger.count == 1_200)
      #expect(ledger.allSatisfy { $0.accepted })
      #expect(try await launch.state() == "finished")
    }

    /// A lane, the credential that its provider refuses, and the most requests that may be spent to find out.
    private struct Wrong {
      let lane: TestLane
      let provider: String
      let credential: String
      let mostRequests: Int
      let word: String
    }

    @Test("a credential the provider refuses: 77, nobody retired, nothing lost, and after mending all are sent once")
    func wrongCredentials() async throws {
      let stack = try await Stack.shared()
      try await stack.sql("delete from salvo.provider_token")
      // Of each a second one, so that each lane has a line of its own.
      for (name, text) in [
        ("fcm-wrong", try stack.credential("fcm-wrong.json")),
        ("hms-wrong", #"{"client_id": "100000001", "client_secret": "not-the-secret-of-this-application"}"#),
        ("appmetrica-wrong", "y0_not_the_token_of_this_application"),
        ("rustore-wrong", "not_the_token_of_this_project"),
      ] {
        try stack.writeCredential(name + ".json", text)
        try stack.writeCredential(name + "-ios.json", text + "\n")
      }
      let cases =
        [
          // Google and Huawei refuse at their token endpoints, before any message.
          Wrong(lane: .firebase(250), provider: "fcm", credential: "fcm-wrong", mostRequests: 0, word: "invalid_grant"),
          Wrong(lane: .hms(250), provider: "hms", credential: "hms-wrong", mostRequests: 0, word: "client_secret"),
          // The others refuse messages. At most two at once go to a connection that has proved nothing yet.
          Wrong(
            lane: .appMetrica(250), provider: "appmetrica", credential: "appmetrica-wrong", mostRequests: 1,
            word: "HTTP 401"),
        ].flatMap { wrong in
          [
            wrong,
            Wrong(
              lane: wrong.lane.onIOS(), provider: wrong.provider, credential: wrong.credential + "-ios",
              mostRequests: wrong.mostRequests, word: wrong.word),
          ]
        } + [
          Wrong(
            lane: .apns(250), provider: "apns", credential: "apns-wrong", mostRequests: 4, word: "InvalidProviderToken"),
          Wrong(
            lane: .ruStore(250), provider: "rustore", credential: "rustore-wrong", mostRequests: 4, word: "HTTP 401"),
        ]
      let launch = try await TestLaunch.make(stack, cases.map(\.lane), content: TestLaunch.equalContent)
      func file(_ wrong: Wrong) -> String { wrong.credential + (wrong.provider == "apns" ? ".p8" : ".json") }
      for (index, wrong) in cases.enumerated() {
        try await launch.setChannel(index, "credential = 'file:\(file(wrong))'")
      }
      let ended = try await launch.tryRun()
      #expect(ended.code == 77, "\(ended.err)")
      // One line a cause, and here are eight.
      #expect(ended.errLines.count == 8, "\(ended.err)")
      for (index, wrong) in cases.enumerated() {
        let line = ended.errLines.first { $0.contains("lane lane-\(index + 1) stopped: ") } ?? "no line: \(ended.err)"
        #expect(line.contains("file:\(file(wrong))"), "\(line)")
        #expect(line.contains(wrong.word), "\(line)")
      }
      for (provider, wrongs) in Dictionary(grouping: cases, by: \.provider) {
        let lines = try await stack.ledger(provider)
        #expect(Set(lines.map(\.request)).count <= wrongs.reduce(0) { $0 + $1.mostRequests }, "\(provider)")
        #expect(!lines.contains { $0.accepted })
      }
      #expect(
        ended.outLines.last
          == "all lanes: planned 2000 sent 0 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 2000")
      #expect(try await launch.retired() == 0)
      #expect(try await launch.unfinishedBusiness() == 0)
      try await stack.expectNoSecret(in: [ended])

      for (index, wrong) in cases.enumerated() {
        try await launch.setChannel(index, "credential = '\(wrong.lane.credential ?? "")'")
      }
      let mended = try await launch.run()
      #expect(
        mended.outLines.last
          == "all lanes: planned 2000 sent 2000 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      for (provider, wrongs) in Dictionary(grouping: cases, by: \.provider) {
        let accepted = try await stack.ledger(provider).filter(\.accepted)
        #expect(accepted.count == 250 * wrongs.count, "\(provider)")
        #expect(Set(accepted.map(\.token)).count == 250 * wrongs.count, "\(provider)")
      }
      #expect(try await launch.windowSums() == launch.deliverySums())
      #expect(try await launch.state() == "finished")
    }

    @Test("a base whose every token is called dead stops its lanes with 69 and retires nobody")
    func allDead() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(500, start: "'dead'"), .apns(500, start: "'dead'"), .hms(500, start: "'dead'")])
      let ended = try await launch.tryRun()
      #expect(ended.code == 69, "\(ended.err)")
      for word in ["tokens were called dead", "environment", "project", "bundle", "key", "none of them is retired"] {
        #expect(ended.errLines.allSatisfy { $0.contains(word) }, "\(word) is missing: \(ended.err)")
      }
      for lane in 1...3 { #expect(ended.err.contains("lane-\(lane)"), "\(ended.err)") }
      #expect(try await launch.retired() == 0)
      #expect(try await launch.count("count(*)", from: "delivery", where: "outcome = 2") == 0)
      // The breaker's sample is 200; what was in flight beside it is rejected as suspect, the rest remains.
      let suspects = try await stack.sql(
        """
        select channel_id, count(*) >= 200 from salvo.delivery
        where launch_id = \(launch.id) and outcome = 3 and reason = 'suspect' group by 1 order by 1
        """)
      #expect(suspects == launch.channels.map { "\($0)|t" })
      let sums = try await launch.count("sum(rejected + remaining)", from: "launch_progress")
      #expect(sums == 1_500)
      #expect(try await stack.ledger().count == launch.count("sum(requests)", from: "delivery"))
    }

    @Test("a small lane that is all dead ends with 0, its tokens spared as suspect")
    func smallAndDead() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(7, start: "'dead'"), .apns(7, start: "'dead'"), .hms(7, start: "'dead'")])
      let ended = try await launch.run()
      #expect(ended.err == "")
      #expect(
        ended.outLines.last
          == "all lanes: planned 21 sent 0 token_retired 0 rejected 21 expired 0 skipped 0 unknown 0 remaining 0")
      #expect(try await launch.retired() == 0)
      #expect(try await launch.count("count(*)", from: "delivery", where: "reason = 'suspect'") == 21)
    }
  }
}
