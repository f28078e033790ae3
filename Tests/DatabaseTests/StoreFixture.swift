import Base
import Campaign
import Postgres
import Store
import Testing

/// A migrated database with account 1, campaign 1 and the channels 1 (android-firebase), 2 (ios-apns) and 3
/// (android-appmetrica); account 2 owns campaign 2 and channel 4.
struct StoreFixture {
  let test: TestDatabase
  var database: Database { test.database }
  var launches: LaunchStore { LaunchStore(database) }
  var windows: WindowStore { WindowStore(database) }
  var chunks: ChunkStore { ChunkStore(database, owner: "runner-1") }

  /// - Parameter zone: the sessions' own, which nothing may depend on.
  static func with(
    connections: Int = 4, zone: String = "UTC", _ body: (StoreFixture) async throws -> Void
  ) async throws {
    try await TestDatabase.with(connections: connections, options: "options='-c timezone=\(zone)'") { test in
      _ = try await Migrator(test.database).migrate()
      let fixture = StoreFixture(test: test)
      try await fixture.script(
        """
        insert into salvo.account (id, name) values (1, 'Shop'), (2, 'Other');
        insert into salvo.campaign (id, account_id, name) values (1, 1, 'Autumn'), (2, 2, 'Foreign');
        insert into salvo.channel (id, account_id, resource_id, provider, name, settings, credential) values
          (1, 1, 11, 'android-firebase', 'android', '{}', 'file:fcm.json'),
          (2, 1, 12, 'ios-apns', 'ios', '{"topic": "com.example.shop"}', 'file:apns.p8'),
          (3, 1, 13, 'android-appmetrica', 'metrica', '{"group_id": 7}', 'env:METRICA'),
          (4, 2, 14, 'android-firebase', 'foreign', '{}', 'file:fcm.json');
        """)
      try await body(fixture)
    }
  }

  func script(_ sql: String) async throws {
    try await database.run { try $0.script(Array(sql.utf8)) }
  }

  /// The rows of a query as text, columns joined by a space, `-` for null.
  func rows(_ query: String) async throws -> [String] {
    try await database.run { connection in
      try connection.execute("select replace(trim(both '()' from row(q.*)::text), ',', ' ') from (\(query)) q").map {
        $0.text(0) ?? "-"
      }
    }
  }

  /// Moves the planning clock to this moment.
  func clock(_ moment: String) async throws {
    try await script("update salvo.clock set seconds = extract(epoch from '\(moment)'::timestamptz - now())")
  }

  /// Subscriptions 1…count, each of the profile of the same number, with tokens `token-1`…
  func subscribe(_ numbers: ClosedRange<Int>, channel: Int, token: String = "'token-' || n") async throws {
    try await script(
      """
      insert into salvo.profile (id, account_id, external_id, locale, time_zone, attributes)
        select n, (select account_id from salvo.channel where id = \(channel)), 'customer-' || n,
          case when n % 2 = 0 then 'en' else 'ru' end, 'Europe/Moscow', jsonb_build_object('n', n)
        from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n on conflict do nothing;
      insert into salvo.subscription (profile_id, id, channel_id, token, registered_at)
        select n, n, \(channel), \(token), '2026-01-02T03:04:05.678Z'
        from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n;
      """)
  }

  /// A draft for everybody who is subscribed.
  func launch(campaign: Int = 1, content: String = "{}", options: String = "{}") async throws -> Int64 {
    let rows = try await database.run { connection in
      let id =
        try connection.execute(
          "insert into salvo.launch (campaign_id, content, options) values ($1, $2, $3) returning id",
          [.int8(Int64(campaign)), .json(content), .json(options)])[0].int(0)
      try connection.execute("select salvo.audience_all($1)", [.int8(try #require(id))])
      return id
    }
    return try #require(rows)
  }

  /// Plans with this window for every lane.
  func plan(_ launch: Int64, window: Int, depth: Int = 3) async throws {
    try await launches.plan(
      launch, sizing: [1, 2, 3].map { LaneSizing(channelID: $0, window: window, depth: depth) })
  }

  /// A planned launch over subscriptions 1…count of one channel, cut into chunks of `window`.
  func planned(_ count: Int, channel: Int = 1, window: Int) async throws -> Int64 {
    try await subscribe(1...count, channel: channel)
    let launch = try await launch()
    try await plan(launch, window: window)
    return launch
  }

  func lease(_ launch: Int64, channel: Int64 = 1, by chunks: ChunkStore? = nil) async throws -> ChunkLease {
    let claim = try await (chunks ?? self.chunks).claim(launch: launch, channel: channel)
    guard case .leased(let lease) = claim else { throw Unexpected(what: "\(claim)") }
    return lease
  }

  func open(_ lease: ChunkLease, _ keys: [RecipientKey]) async throws -> OpenWindow {
    let result = try await windows.open(lease, keys: keys)
    guard case .opened(let window) = result else { throw Unexpected(what: "\(result)") }
    return window
  }

  struct Unexpected: Error { let what: String }
}

/// Profile n, subscription n, as the fixture numbers them.
func key(_ number: Int64) -> RecipientKey { RecipientKey(profileID: number, subscriptionID: number) }
func keys(_ numbers: ClosedRange<Int64>) -> [RecipientKey] { numbers.map(key) }

extension WindowResult {
  /// Everybody in `keys` got it.
  static func sent(_ keys: [RecipientKey]) -> WindowResult {
    WindowResult(
      rows: keys.map { DeliveryRow(key: $0, outcome: .sent, requests: 1, httpStatus: 200) },
      cursor: keys.last ?? RecipientKey(profileID: 0, subscriptionID: 0))
  }
}
