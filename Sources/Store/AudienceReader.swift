public import Campaign
public import Postgres

/// Reads a launch's audience for those who only look at it: nothing is planned, leased or written.
public struct AudienceReader: Sendable {
  /// Why a device of the audience isn't sent to although it could be.
  public enum Skip: String, Sendable, CaseIterable {
    case older = "not_most_recent"
    case duplicate
  }

  let database: Database
  public init(_ database: Database) { self.database = database }

  /// Whether the launch could be planned now, or is.
  /// - Throws: `StoreError` as a run would: `.notFound`, `.state`, `.content`.
  public func verifyPlan(of launch: Int64) async throws {
    try await database.perform("looking at launch \(launch)") { connection in
      try LaunchPlan(launch: launch, sizing: []).verify(connection)
    }
  }

  // MARK: Recipients

  private static let extent = """
    select count(*), min(profile_id), max(profile_id) from salvo.recipient where launch_id = $1 and channel_id = $2
    """

  /// How many recipients a lane has, and between which profiles.
  public func extent(launch: Int64, channel: Int64) async throws -> (count: Int64, profiles: ClosedRange<Int64>) {
    try await database.perform("counting the recipients of launch \(launch)") { connection in
      let row = try connection.execute(Self.extent, [.int8(launch), .int8(channel)]).first
      let lowest = row?.int(1) ?? 0
      return (row?.int(0) ?? 0, lowest...max(lowest, row?.int(2) ?? 0))
    }
  }

  private static let end = """
    select profile_id, subscription_id, count(*) over () from (
      select profile_id, subscription_id from salvo.recipient
      where launch_id = $1 and channel_id = $2 and (profile_id, subscription_id) > ($3, $4)
      order by profile_id, subscription_id limit $5
    ) page
    order by profile_id desc, subscription_id desc limit 1
    """

  /// The next recipients of a lane, read as a chunk of it is.
  /// - Parameter after: exclusive.
  public func page(
    launch: Int64, channel: Int64, after: RecipientKey, limit: Int, columns: PersonalColumns
  ) async throws -> RecipientPage {
    try await database.perform("reading recipients of launch \(launch)") { connection in
      let parameters: [Parameter] = [
        .int8(launch), .int8(channel), .int8(after.profileID), .int8(after.subscriptionID), .int8(Int64(limit)),
      ]
      guard let end = try connection.execute(Self.end, parameters).first, let profile = end.int(0),
        let subscription = end.int(1)
      else { return RecipientPage() }
      let range = Self.range(
        launch, channel, after: after, upTo: RecipientKey(profileID: profile, subscriptionID: subscription),
        count: end.int(2) ?? 0)
      return try RecipientReader(range, columns, isOfEveryZone: true).read(from: connection)
    }
  }

  /// These devices, whether or not they are recipients: then they have no variables.
  /// - Parameter keys: ascending.
  public func page(
    launch: Int64, channel: Int64, of keys: [RecipientKey], columns: PersonalColumns
  ) async throws -> RecipientPage {
    try await database.perform("reading devices for launch \(launch)") { connection in
      var range = Self.range(
        launch, channel, after: RecipientKey(profileID: .min, subscriptionID: .min), upTo: keys.last, count: 0)
      range.ids = keys
      return try RecipientReader(range, columns).read(from: connection)
    }
  }

  /// A chunk that nobody planned.
  private static func range(
    _ launch: Int64, _ channel: Int64, after: RecipientKey, upTo: RecipientKey?, count: Int64
  ) -> ChunkLease {
    ChunkLease(
      launchID: launch, channelID: channel, chunkNo: 0, kind: .first, attempt: 1, token: 0, cursor: after,
      upper: upTo ?? after, planned: Int32(clamping: count), skip: [])
  }

  // MARK: Skipped

  /// Whom the plan would leave out, found as the plan finds them.
  /// - Parameters:
  ///   - channels: all of the launch.
  ///   - after: exclusive; keys come in their order, `limit` at most.
  public func skipped(
    _ skip: Skip, launch: Int64, channel: Int64, among channels: [Int64], after: RecipientKey, limit: Int
  ) async throws -> [RecipientKey] {
    try await database.perform("looking for duplicates in launch \(launch)") { connection in
      try connection.transaction { connection in
        // A fresh launch looks empty to the planner, which would look up a million subscriptions one by one.
        try connection.execute("set local enable_nestloop = off")
        return try SkipPlan(launch: launch, byZone: false).keys(
          skip == .older ? .older : .duplicate, at: channel, among: channels, after: after, limit: limit, connection)
      }
    }
  }

  // MARK: Choice

  private static let active = """
    select r.profile_id, r.subscription_id from salvo.recipient r
    where r.launch_id = $1 and r.channel_id = $2 and ($3::bigint is null or r.profile_id = $3)
      and ($4::bigint is null or r.subscription_id = $4)
      and exists (select from salvo.subscription s where s.profile_id = r.profile_id and s.id = r.subscription_id
        and s.channel_id = $2 and s.state = 'active')
    order by r.profile_id, r.subscription_id limit $5
    """

  /// The first recipients of a lane that would be sent to, of one profile or one subscription where they are named.
  public func active(
    launch: Int64, channel: Int64, profile: Int64?, subscription: Int64?, limit: Int
  ) async throws -> [RecipientKey] {
    try await database.perform("choosing recipients of launch \(launch)") { connection in
      try connection.execute(
        Self.active,
        [
          .int8(launch), .int8(channel), profile.map(Parameter.int8) ?? .null,
          subscription.map(Parameter.int8) ?? .null, .int8(Int64(limit)),
        ]
      ).map { RecipientKey(profileID: $0.int(0) ?? 0, subscriptionID: $0.int(1) ?? 0) }
    }
  }
}
