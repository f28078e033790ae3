import Base
import Store

/// From a request to its answer.
struct Router: Sendable {
  private let access: RequestGuard
  private let metrics: Metrics
  private let launches: Lookup<[LaunchStatus]>
  private let database: Lookup<Void>
  private let source: Monitor.Source
  private let isStopping: @Sendable () -> Bool
  private let log: Log

  /// - Parameter patience: seconds that a request waits for the database.
  init(
    _ settings: Monitor.Settings, metrics: Metrics, source: Monitor.Source,
    isStopping: @escaping @Sendable () -> Bool, patience: Double = 4, log: Log
  ) {
    access = RequestGuard(hosts: Set(settings.hosts.map { $0.lowercased() }), token: settings.token)
    self.metrics = metrics
    self.source = source
    launches = Lookup(patience: patience, source.launches)
    database = Lookup(patience: patience, source.ping)
    self.isStopping = isStopping
    self.log = log
  }

  /// What a path leads to.
  enum Route: Equatable {
    case page, numbers, metrics, health, readiness
    case command(LaunchCommands.Word, launch: Int64, channel: Int64?)

    /// Nil when it leads nowhere.
    init?(_ path: String) {
      switch path {
      case "/": self = .page
      case "/launches.json": self = .numbers
      case "/metrics": self = .metrics
      case "/healthz": self = .health
      case "/readyz": self = .readiness
      default:
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 || parts.count == 6, parts[0].isEmpty, parts[1] == "launches",
          let launch = Self.id(parts[2]), let word = LaunchCommands.Word(rawValue: parts[parts.count - 1])
        else { return nil }
        if parts.count == 4 {
          self = .command(word, launch: launch, channel: nil)
        } else {
          guard parts[3] == "lanes", let channel = Self.id(parts[4]) else { return nil }
          self = .command(word, launch: launch, channel: channel)
        }
      }
    }

    private static func id(_ text: String) -> Int64? {
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(text), id > 0 else { return nil }
      return id
    }

    /// For metrics: few words, whatever is asked for.
    var word: String {
      switch self {
      case .page: "page"
      case .numbers: "launches"
      case .metrics: "metrics"
      case .health: "healthz"
      case .readiness: "readyz"
      case .command: "command"
      }
    }
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let route = Route(request.path)
    var response = await answer(request, route)
    for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
    metrics.counter(
      "salvo_listener_requests_total", "Requests to --listen, by what was asked for and the answer's status.",
      [("path", route?.word ?? "other"), ("code", "\(response.status)")]
    ).add()
    return response
  }

  /// On every answer: nothing is kept, nothing is loaded from elsewhere, nobody frames it.
  private static let headers = [
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  ]

  private func answer(_ request: HTTPRequest, _ route: Route?) async -> HTTPResponse {
    if let refusal = access.refusal(ofHost: request.host) { return refusal }
    guard let route else { return HTTPResponse(404, "there is no such page; / lists launches") }
    if case .command(let word, let launch, let channel) = route {
      guard request.method == "POST" else { return Self.notAllowed("POST") }
      if let refusal = access.refusal(ofCommand: request) { return refusal }
      return await say(word, launch, channel)
    }
    guard ["GET", "HEAD"].contains(request.method) else { return Self.notAllowed("GET, HEAD") }
    switch route {
    case .metrics:
      return HTTPResponse(200, type: "text/plain; version=0.0.4; charset=utf-8", body: metrics.text())
    case .health: return HTTPResponse(200, "ok")
    case .readiness:
      if isStopping() { return HTTPResponse(503, "stopping") }
      let problem = await database.current().problem
      return problem.map { HTTPResponse(503, $0) } ?? HTTPResponse(200, "ok")
    case .numbers:
      let found = await launches.current()
      return HTTPResponse(
        found.value == nil ? 503 : 200, json: LaunchNumbers.json(found.value ?? [], problem: found.problem))
    case .page, .command:
      let found = await launches.current()
      return LaunchPage(launches: found.value ?? [], problem: found.problem, takesCommands: access.token != nil)
        .response
    }
  }

  private func say(_ word: LaunchCommands.Word, _ launch: Int64, _ channel: Int64?) async -> HTTPResponse {
    let name = channel.map { "channel \($0) of launch \(launch)" } ?? "launch \(launch)"
    do {
      let done = try await source.say(word, launch, channel)
      log.with("launch", launch).info("the page: \(word.rawValue) \(name): \(done.from) -> \(done.to)")
      var object = JSONObject()
      object.set("from", .string(done.from))
      object.set("to", .string(done.to))
      object.set("messages_in_flight", .number("\(done.messagesInFlight)"))
      return HTTPResponse(200, json: .object(object))
    } catch let error as StoreError {
      switch error.code {
      case .notFound: return HTTPResponse(404, "\(error)")
      case .state: return HTTPResponse(409, "\(error)")
      default: return HTTPResponse(503, "\(error)")
      }
    } catch {
      return HTTPResponse(503, "\(error)")
    }
  }

  private static func notAllowed(_ methods: String) -> HTTPResponse {
    HTTPResponse(405, "the method isn't for this page", headers: ["Allow": methods])
  }
}
