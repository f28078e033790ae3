public import Campaign
public import Postgres

/// A device that a message is tried on.
public struct TestDevice: Sendable {
  /// Nil: whoever has the subscription.
  public var profileID: Int64?
  public var subscriptionID: Int64

  public init(profileID: Int64?, subscriptionID: Int64) {
    self.profileID = profileID
    self.subscriptionID = subscriptionID
  }
}

/// What became of one test send.
public struct TestSendRow: Sendable {
  public var key: RecipientKey
  public var channelID: Int64
  public var outcome: Outcome
  public var uid: String?
  public var reason: String?
  public var httpStatus: Int?
  public var providerCode: String?
  public var providerMessageID: String?

  public init(key: RecipientKey, channelID: Int64, outcome: Outcome) {
    self.key = key
    self.channelID = channelID
    self.outcome = outcome
  }
}

/// Test sends: beside the results of the launch whose message they try.
public struct TestSendStore: Sendable {
  let database: Database
  public init(_ database: Database) { self.database = database }

  private static let device = """
    select s.profile_id, s.channel_id from salvo.subscription s
    where s.id = $2 and ($3::bigint is null or s.profile_id = $3)
      and s.channel_id in (select h.id from salvo.channel h
        join salvo.campaign c on c.account_id = h.account_id join salvo.launch l on l.campaign_id = c.id where l.id = $1)
    order by s.profile_id limit 2
    """
  private static let channel = "select \(Channel.columns) from salvo.channel h where h.id = $1"

  /// The devices, channel by channel; whether they are in the launch's audience doesn't matter.
  /// - Throws: `StoreError` `.notFound` for a device that the launch's account hasn't got, `.content` for an id that
  ///   two profiles have.
  public func find(
    _ devices: [TestDevice], launch: Int64
  ) async throws -> [(channel: Channel, keys: [RecipientKey])] {
    try await database.perform("looking for devices") { connection in
      var keys: [Int64: Set<RecipientKey>] = [:]
      for device in devices {
        let (id, place) = (device.subscriptionID, "subscription \(device.subscriptionID)")
        let found = try connection.execute(
          Self.device, [.int8(launch), .int8(id), device.profileID.map(Parameter.int8) ?? .null])
        guard let row = found.first, let profile = row.int(0), let channel = row.int(1) else {
          throw StoreError(.notFound, "the account of launch \(launch) has no \(place)")
        }
        guard found.count == 1 else {
          throw StoreError(.content, "several profiles have a \(place): say PROFILE:\(id)")
        }
        keys[channel, default: []].insert(RecipientKey(profileID: profile, subscriptionID: id))
      }
      return try keys.sorted { $0.key < $1.key }.compactMap { channel, keys in
        try connection.execute(Self.channel, [.int8(channel)]).first.map { (try Channel(row: $0), keys.sorted()) }
      }
    }
  }

  /// A number that no window has or will have: AppMetrica wants one for each transfer.
  public func nextTransfer() async throws -> Int64 {
    try await database.perform("numbering a test send") { connection in
      try connection.execute("select nextval('salvo.send_window_serial')").first?.int(0) ?? 0
    }
  }

  private static let insert = """
    insert into salvo.test_send (launch_id, channel_id, profile_id, subscription_id, message_uid, outcome, reason,
      http_status, provider_code, provider_message_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    """

  public func write(_ rows: [TestSendRow], launch: Int64) async throws {
    try await database.perform("writing test sends of launch \(launch)") { connection in
      try connection.transaction { connection in
        for row in rows {
          try connection.execute(
            Self.insert,
            [
              .int8(launch), .int8(row.channelID), .int8(row.key.profileID), .int8(row.key.subscriptionID),
              text(row.uid), .int2(row.outcome.rawValue), text(row.reason),
              row.httpStatus.map { .int2(Int16(clamping: $0)) } ?? .null, text(row.providerCode),
              text(row.providerMessageID),
            ])
        }
      }
    }
  }

  private func text(_ text: String?) -> Parameter { text.map { .text(PostgresText.tidy($0)) } ?? .null }
}
