import Base
import Campaign
import Testing

@testable import Monitor
@testable import Store

@Suite struct RouterTests {
  private static let secret = "0123456789abcdef"

  /// A router over a launch of two lanes, and the commands that reached it.
  private final class Bench: Sendable {
    let said = Guarded<[String]>([])
    let metrics = Metrics()

    func router(
      token: Bool = true, isStopping: Bool = false, campaign: String = "Sale", problem: StoreError? = nil
    ) throws -> Router {
      let source = Monitor.Source(
        launches: {
          if let problem { throw problem }
          return [Self.launch(campaign: campaign)]
        },
        ping: { if let problem { throw problem } },
        say: { [said] word, launch, channel in
          if let problem { throw problem }
          said.withLock { $0.append("\(word) \(launch) \(channel.map { "\($0)" } ?? "-")") }
          return LaunchCommands.Done(from: "running", to: "paused", messagesInFlight: 250, windowsInFlight: 1)
        })
      return Router(
        Monitor.Settings(
          address: try #require(ListenAddress("127.0.0.1:9464")),
          token: token ? ListenToken(Array(RouterTests.secret.utf8)) : nil),
        metrics: metrics, source: source, isStopping: { isStopping },
        // However busy the machine is.
        patience: 600, log: Log(least: .error))
    }

    static func launch(campaign: String) -> LaunchStatus {
      func lane(_ channel: Int64, _ name: String, sent: Int64, remaining: Int64) -> LaunchStatus.Lane {
        LaunchStatus.Lane(
          progress: LaneProgress(
            channelID: channel, provider: "ios-apns", channelName: name, planned: 2_000, sent: sent, tokenRetired: 3,
            rejected: 2, expired: 1, skipped: 4, unknown: 5, remaining: remaining),
          record: LaneRecord(
            channelID: channel, state: channel == 1 ? .running : .stopped,
            stopReason: channel == 1 ? nil : "<i>refused</i>", coolUntil: nil, planned: 2_000, verdicts: 0, dead: 0),
          recent: 600, recentSeconds: 60, openWindows: 1, openMessages: 250, awaited: 0)
      }
      return LaunchStatus(
        id: 7, state: .running, campaignName: campaign, at: EpochMilliseconds(0),
        lanes: [lane(1, "Shop", sent: 1_000, remaining: 985), lane(2, "Second", sent: 985, remaining: 1_000)],
        runners: [])
    }
  }

  private func request(
    _ method: String, _ path: String, host: String = "127.0.0.1:9464", origin: String? = nil,
    authorization: String? = nil
  ) -> HTTPRequest {
    HTTPRequest(method: method, path: path, host: host, origin: origin, authorization: authorization)
  }

  private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test("the numbers are those of launch_progress, lane by lane and summed")
  func numbers() async throws {
    let response = await (try Bench().router()).answer(request("GET", "/launches.json"))
    #expect(response.status == 200)
    let json = try JSONScanner.parse(response.body)
    let launch = try #require(json.object?["launches"]?.array?.first?.object)
    #expect(launch["planned"]?.int == 4_000)
    #expect(launch["sent"]?.int == 1_985)
    #expect(launch["remaining"]?.int == 1_985)
    #expect(launch["unknown"]?.int == 10)
    #expect(launch["rate"]?.double == 20)
    let lane = try #require(launch["lanes"]?.array?.last?.object)
    #expect(lane["sent"]?.int == 985)
    #expect(lane["token_retired"]?.int == 3)
    #expect(lane["seconds_left"]?.double == 100)
    #expect(lane["stop_reason"]?.string == "<i>refused</i>")
  }

  @Test("customers' texts are escaped, and the page may run and load nothing but its own")
  func page() async throws {
    let router = try Bench().router(campaign: #"<script>alert("1")</script> & 'Zoë'"#)
    let response = await router.answer(request("GET", "/"))
    #expect(response.status == 200)
    let page = text(response)
    #expect(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Zoë&#39;"))
    #expect(!page.contains("<script>"))
    #expect(page.contains("&lt;i&gt;refused&lt;/i&gt;"))
    #expect(!page.contains("<i>"))
    let policy = try #require(response.headers["Content-Security-Policy"])
    let nonce = try #require(policy.split(separator: "'nonce-").dropFirst().first?.prefix { $0 != "'" })
    #expect(nonce.count == 32)
    #expect(page.contains("<script nonce=\"\(nonce)\">"))
    #expect(page.contains("<style nonce=\"\(nonce)\">"))
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(!policy.contains("unsafe"))
    // Neither attributes that the policy would refuse nor addresses of others.
    for words in [" style=", " onclick=", "http://", "https://", " src=", "@import", "url("] {
      #expect(!page.contains(words), "\(words)")
    }
    #expect(page.contains("data-n=\"7.sent\">1,985<"))
    #expect(page.contains("data-n=\"7.2.remaining\">1,000<"))
    let again = await router.answer(request("GET", "/"))
    #expect(again.headers["Content-Security-Policy"] != policy)
  }

  @Test("commands reach the database with the token alone, and from this page alone")
  func commands() async throws {
    let bench = Bench()
    let router = try bench.router()
    let bearer = "Bearer " + Self.secret
    let refused: [(HTTPRequest, Int)] = [
      (request("POST", "/launches/7/pause"), 401),
      (request("POST", "/launches/7/pause", authorization: "Bearer fedcba9876543210"), 401),
      (request("POST", "/launches/7/pause", origin: "http://evil.example", authorization: bearer), 403),
      (request("POST", "/launches/7/pause", host: "evil.example", authorization: bearer), 421),
      (request("GET", "/launches/7/pause", authorization: bearer), 405),
      (request("PUT", "/launches/7/pause", authorization: bearer), 405),
      (request("OPTIONS", "/launches/7/pause", origin: "http://evil.example"), 405),
      (request("POST", "/launches/7/explode", authorization: bearer), 404),
      (request("POST", "/launches/0/pause", authorization: bearer), 404),
      (request("POST", "/launches/-7/pause", authorization: bearer), 404),
      (request("POST", "/launches/+7/pause", authorization: bearer), 404),
      (request("POST", "/launches/99999999999999999999/pause", authorization: bearer), 404),
      (request("POST", "/launches/7/lanes/pause", authorization: bearer), 404),
      (request("POST", "/launches/7/lanes/x/pause", authorization: bearer), 404),
      (request("POST", "//launches/7/pause", authorization: bearer), 404),
      (request("POST", "/", authorization: bearer), 405),
      (request("DELETE", "/metrics", authorization: bearer), 405),
    ]
    for (request, status) in refused {
      let response = await router.answer(request)
      #expect(response.status == status, "\(request)")
      #expect(response.headers["Access-Control-Allow-Origin"] == nil)
    }
    #expect(bench.said.withLock { $0 } == [])
    let taken = await router.answer(request("POST", "/launches/7/pause", authorization: bearer))
    #expect(taken.status == 200)
    #expect(text(taken) == #"{"from":"running","to":"paused","messages_in_flight":250}"# + "\n")
    _ = await router.answer(request("POST", "/launches/7/lanes/2/cancel", authorization: bearer))
    #expect(bench.said.withLock { $0 } == ["pause 7 -", "cancel 7 2"])
  }

  @Test("without a token the page shows no buttons and takes no command")
  func readOnly() async throws {
    let bench = Bench()
    let router = try bench.router(token: false)
    let page = text(await router.answer(request("GET", "/")))
    #expect(page.contains("read-only"))
    #expect(!page.contains("data-path="))
    #expect(text(await (try bench.router()).answer(request("GET", "/"))).contains("data-path=\"/launches/7/pause\""))
    let refused = await router.answer(request("POST", "/launches/7/pause", authorization: "Bearer " + Self.secret))
    #expect(refused.status == 403)
    #expect(bench.said.withLock { $0 } == [])
  }

  @Test("health needs nothing, readiness the database and a process that goes on")
  func health() async throws {
    let away = StoreError(.away, "the database is away")
    for (router, ready) in [
      (try Bench().router(), 200), (try Bench().router(isStopping: true), 503),
      (try Bench().router(problem: away), 503),
    ] {
      let health = await router.answer(request("GET", "/healthz"))
      #expect(health.status == 200)
      let readiness = await router.answer(request("GET", "/readyz"))
      #expect(readiness.status == ready)
    }
  }

  @Test("what the database refuses is told with its status")
  func refusedByDatabase() async throws {
    for (code, status) in [(StoreError.Code.notFound, 404), (.state, 409), (.away, 503)] {
      let router = try Bench().router(problem: StoreError(code, "words"))
      let response = await router.answer(
        request("POST", "/launches/7/pause", authorization: "Bearer " + Self.secret))
      #expect(response.status == status)
      #expect(text(response).contains("words"))
    }
  }

  @Test("every request is counted under few words, whatever it asks for")
  func counted() async throws {
    let bench = Bench()
    let router = try bench.router()
    for path in ["/a", "/b", "/metrics", "/launches/1/pause", "/launches/2/pause"] {
      _ = await router.answer(request("GET", path))
    }
    let metrics = await router.answer(request("GET", "/metrics"))
    #expect(metrics.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = text(metrics).split(separator: "\n").filter { $0.hasPrefix("salvo_listener_requests_total{") }
    #expect(
      lines == [
        #"salvo_listener_requests_total{path="command",code="405"} 2"#,
        #"salvo_listener_requests_total{path="metrics",code="200"} 1"#,
        #"salvo_listener_requests_total{path="other",code="404"} 2"#,
      ])
  }

  @Test("many who ask at once read the database once")
  func singleReader() async throws {
    let reads = Counter()
    let lookup = Lookup(freshness: 600, patience: 600) {
      reads.add()
      return reads.value
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { #expect(await lookup.current().value == 1) } }
    }
    #expect(reads.value == 1)
  }
}
