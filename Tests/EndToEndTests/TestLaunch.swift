import Foundation
import Testing

/// What a test sends over one channel: `count` subscriptions with tokens of its own making.
struct TestLane {
  /// The words of SQL below are expressions over `n`, the subscription's number from 1.
  var provider: String
  var count: Int
  /// JSON of `channel.settings`, beside what the stack and the provider need.
  var settings: [String: JSONValue] = [:]
  var credential: String?
  /// How the token begins: orders the stand-in's answer (Docker/providers/README.md).
  var start = "'ab'"
  /// Whose token it is: that of subscription number `twin`.
  var twin = "n"
  /// `active`, `retired` or `unsubscribed`.
  var state = "'active'"

  enum JSONValue: Encodable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int)

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(value) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  /// The same for Apple's devices: provider, credential, settings.
  func onIOS() -> TestLane {
    var lane = self
    lane.provider = provider.replacing("android-", with: "ios-")
    return lane
  }

  static func firebase(_ count: Int, _ settings: [String: JSONValue] = [:], start: String = "'ab'") -> TestLane {
    TestLane(provider: "android-firebase", count: count, settings: settings, credential: "file:fcm.json", start: start)
  }

  static func apns(_ count: Int, _ settings: [String: JSONValue] = [:], start: String = "'ab'") -> TestLane {
    let own: [String: JSONValue] = ["topic": "com.example.shop", "team_id": "TEAM123456", "key_id": "KEY1234567"]
    return TestLane(
      provider: "ios-apns", count: count, settings: own.merging(settings) { $1 }, credential: "file:apns.p8",
      start: start)
  }

  static func hms(_ count: Int, _ settings: [String: JSONValue] = [:], start: String = "'ab'") -> TestLane {
    TestLane(provider: "android-hms", count: count, settings: settings, credential: "file:hms.json", start: start)
  }

  static func ruStore(_ count: Int, _ settings: [String: JSONValue] = [:], start: String = "'ab'") -> TestLane {
    TestLane(
      provider: "android-rustore", count: count, settings: ["project_id": "salvo-demo"].merging(settings) { $1 },
      credential: "file:rustore.token", start: start)
  }

  static func appMetrica(_ count: Int, _ settings: [String: JSONValue] = [:]) -> TestLane {
    TestLane(
      provider: "android-appmetrica", count: count, settings: ["group_id": 97737].merging(settings) { $1 },
      credential: "file:appmetrica.token")
  }

  /// Where the stack's stand-in listens.
  func endpoints(_ environment: [String: String]) -> [String: JSONValue] {
    let name =
      switch provider {
      case "android-firebase", "ios-firebase": "FCM"
      case "ios-apns": "APNS"
      case "android-hms", "ios-hms": "HMS"
      case "android-rustore": "RUSTORE"
      default: "APPMETRICA"
      }
    var found = ["endpoint": JSONValue.text(environment["SALVO_\(name)_ENDPOINT"] ?? "")]
    if let url = environment["SALVO_\(name)_TOKEN_ENDPOINT"] { found["token_endpoint"] = .text(url) }
    return found
  }
}

/// A launch of an account of its own, made as a platform makes it.
struct TestLaunch {
  let stack: Stack
  let id: Int
  let account: Int
  /// In the order of the lanes.
  let channels: [Int]

  static let personalContent = #"{"title": "Hi {{.Profile.name}}", "body": "Your code: {{.Vars.code}}", "ttl": 86400}"#
  static let equalContent = #"{"title": "Hi", "body": "Sale 🎉", "ttl": 86400}"#

  static func make(
    _ stack: Stack, _ lanes: [TestLane], content: String = personalContent, options: String = "{}"
  ) async throws -> TestLaunch {
    let account = try await stack.number("insert into salvo.account (name) values ('E2E') returning id")
    let most = lanes.map(\.count).max() ?? 0
    try await stack.sql(
      """
      insert into salvo.profile (account_id, external_id, attributes)
      select \(account), 'p' || n, jsonb_build_object('name', 'Zoë "' || n || '"') from generate_series(1, \(most)) n
      """)
    var channels: [Int] = []
    for (index, lane) in lanes.enumerated() {
      let settings = lane.endpoints(stack.environment).merging(lane.settings) { $1 }
      let json = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
      let channel = try await stack.number(
        """
        insert into salvo.channel (account_id, resource_id, provider, name, settings, credential) values
          (\(account), \(index + 1), '\(lane.provider)', 'lane-\(index + 1)', '\(json)', '\(lane.credential ?? "")')
        returning id
        """)
      channels.append(channel)
      try await stack.sql(
        """
        insert into salvo.subscription (profile_id, channel_id, token, registered_at, state)
        select p.id, \(channel), (\(lane.start)) || repeat(md5('\(channel)-' || (\(lane.twin))), 2),
          now() - interval '90 days', \(lane.state)
        from generate_series(1, \(lane.count)) n
        join salvo.profile p on p.account_id = \(account) and p.external_id = 'p' || n
        """)
    }
    try await stack.sql("analyze salvo.profile, salvo.subscription")
    let campaign = try await stack.number(
      "insert into salvo.campaign (account_id, name) values (\(account), 'E2E') returning id")
    let id = try await stack.createLaunch(campaign: campaign, content: content, options: options)
    let all = lanes.reduce(0) { $0 + $1.count }
    let added = try await stack.number(
      """
      select salvo.add_recipients(\(id), array_agg(s.profile_id), array_agg(s.id),
        array_agg(jsonb_build_object('code', 'C-' || s.id)))
      from salvo.subscription s join salvo.channel h on h.id = s.channel_id where h.account_id = \(account)
      """)
    try #require(added == all)
    return TestLaunch(stack: stack, id: id, account: account, channels: channels)
  }

  // MARK: Run

  /// Runs it and demands exit 0.
  @discardableResult
  func run() async throws -> Ended { try await stack.salvo("run", "\(id)") }

  func start() throws -> Running { try Shell.start(Shell.salvo, ["run", "\(id)"], stack.environment) }

  /// As if whatever its lanes and chunks wait for were over.
  func passTime() async throws {
    try await stack.sql("update salvo.lane set cool_until = now() where launch_id = \(id)")
    try await stack.sql(
      "update salvo.chunk set not_before = now() where launch_id = \(id) and not_before is not null")
  }

  // MARK: The books

  func count(_ what: String, from table: String, where condition: String = "true") async throws -> Int {
    try await stack.number("select \(what) from salvo.\(table) where launch_id = \(id) and (\(condition))")
  }

  /// Lane by lane what the windows counted, and the same from the rows of `delivery`.
  func windowSums() async throws -> [String] {
    try await stack.sql(
      """
      select channel_id, sum(sent), sum(token_retired), sum(rejected), sum(expired), sum(skipped), sum(unknown),
        sum(deferred) from salvo.send_window where launch_id = \(id) group by 1 order by 1
      """)
  }

  func deliverySums() async throws -> [String] {
    let counts = (1...7).map { "count(*) filter (where outcome = \($0))" }.joined(separator: ", ")
    return try await stack.sql(
      "select channel_id, \(counts) from salvo.delivery where launch_id = \(id) group by 1 order by 1")
  }

  /// How often the lane's messages were handed to the network, as written.
  func requestsWritten(_ channel: Int) async throws -> Int {
    try await count("coalesce(sum(requests), 0)", from: "delivery", where: "channel_id = \(channel)")
  }

  /// Messages whose attempts are not 1, 2, … n.
  func attemptGaps() async throws -> Int {
    try await stack.number(
      """
      select count(*) from (
        select from salvo.delivery where launch_id = \(id)
        group by profile_id, subscription_id having max(attempt) <> count(*) or min(attempt) <> 1) gaps
      """)
  }

  /// Messages in open windows that their provider received. A window that is just being closed is locked, and left
  /// out.
  func handedOverInOpenWindows() async throws -> [String: Int] {
    let tokens = Set(
      try await stack.sql(
        """
        with open as (
          select channel_id, ids from salvo.send_window where launch_id = \(id) and state = 0 for update skip locked
        )
        select s.token from open join salvo.subscription s on s.channel_id = open.channel_id
          and position(int8send(s.profile_id) || int8send(s.id) in open.ids) > 0
        """))
    return try await stack.ledger().filter { tokens.contains($0.token) }.reduce(into: [:]) {
      $0[$1.provider, default: 0] += 1
    }
  }

  /// Windows that are open and leases that somebody holds.
  func unfinishedBusiness() async throws -> Int {
    let open = try await count("count(*)", from: "send_window", where: "state = 0")
    return try await count("count(*)", from: "chunk", where: "state = 1 or owner is not null") + open
  }
}

extension Stack {
  /// `salvo launch create`, with texts instead of files.
  func createLaunch(campaign: Int, content: String, options: String = "{}") async throws -> Int {
    let files = URL(fileURLWithPath: folder).appending(path: "launch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try content.write(to: files.appending(path: "content.json"), atomically: true, encoding: .utf8)
    try options.write(to: files.appending(path: "options.json"), atomically: true, encoding: .utf8)
    let created = try await salvo(
      "launch", "create", "--campaign", "\(campaign)", "--content", files.appending(path: "content.json").path,
      "--options", files.appending(path: "options.json").path)
    return try #require(Int(created.outLines.last ?? ""))
  }
}
