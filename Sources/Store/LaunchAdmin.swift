public import Base
public import Campaign
public import Postgres

/// A launch as a list shows it.
public struct LaunchListing: Sendable {
  /// Its id.
  public var id: Int64
  /// As the row says.
  public var state: LaunchState
  /// The campaign's name.
  public var campaignName: String
  /// Recipients of all lanes.
  public var planned: Int64
  /// Not accounted yet.
  public var remaining: Int64
  /// When it was made.
  public var createdAt: EpochMilliseconds
}

/// What the command line and platforms do with launches before they run.
public struct LaunchAdmin: Sendable {
  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: Create

  private static let insert = """
    insert into salvo.launch (campaign_id, content, options, not_before, not_after)
    values ($1, $2, $3, $4::text::timestamptz, $5::text::timestamptz)
    returning id
    """

  /// A draft without recipients.
  /// - Parameters:
  ///   - notBefore: a time as PostgreSQL reads it; without a zone it is in the session's.
  ///   - notAfter: the same.
  /// - Returns: the launch's id.
  /// - Throws: `StoreError` `.content` naming the field, `.notFound` when there is no such campaign.
  public func create(
    campaign: Int64, content: JSON, options: JSON, notBefore: String?, notAfter: String?
  ) async throws -> Int64 {
    do {
      _ = try Content(json: content)
      _ = try LaunchOptions(json: options)
    } catch {
      throw StoreError(.content, "\(error)")
    }
    return try await database.perform("creating a launch") { connection in
      do {
        let row = try connection.execute(
          Self.insert,
          [
            .int8(campaign), .json(content.text), .json(options.text), notBefore.map(Parameter.text) ?? .null,
            notAfter.map(Parameter.text) ?? .null,
          ]
        ).first
        guard let id = row?.int(0) else { throw StoreError(.refused, "the new launch has no id") }
        return id
      } catch let error as PostgresError {
        switch error.sqlState {
        case "23503": throw StoreError(.notFound, "there is no campaign \(campaign)")
        case "23514": throw StoreError(.content, "not_after: a time after not_before")
        case "22007", "22008", "22009":
          throw StoreError(
            .content, "not_before and not_after: times such as 2026-12-24 18:00+01 are needed; \(error.message)")
        // U+0000 in a text.
        case let state? where state.hasPrefix("22"): throw StoreError(.content, "the launch: \(error.message)")
        default: throw error
        }
      }
    }
  }

  /// A draft with another launch's campaign, content and options.
  /// - Parameter withAudience: and with its recipients, whose subscriptions are still there.
  /// - Returns: the new launch's id.
  /// - Throws: `StoreError` `.notFound`.
  public func clone(_ launch: Int64, withAudience: Bool) async throws -> Int64 {
    try await database.perform("copying launch \(launch)") { connection in
      do {
        let row = try connection.execute("select salvo.clone_launch($1, $2)", [.int8(launch), .bool(withAudience)])
          .first
        guard let id = row?.int(0) else { throw StoreError(.refused, "the new launch has no id") }
        return id
      } catch let error as PostgresError where error.sqlState == "P0002" {
        throw StoreError(.notFound, error.message)
      }
    }
  }

  // MARK: List

  private static let newest = """
    select l.id, l.state, c.name, coalesce(p.planned, 0)::bigint, coalesce(p.remaining, 0)::bigint,
      l.created_at
    from (select id, state, campaign_id, created_at from salvo.launch order by id desc limit $1) l
    join salvo.campaign c on c.id = l.campaign_id
    left join lateral (
      select sum(planned) as planned, sum(remaining) as remaining from salvo.launch_progress where launch_id = l.id
    ) p on true
    order by l.id desc
    """

  /// The newest launches, newest first.
  public func list(limit: Int64) async throws -> [LaunchListing] {
    try await database.perform("listing launches") { connection in
      try connection.execute(Self.newest, [.int8(max(limit, 0))]).map { row in
        guard let id = row.int(0), let state = row.text(1).flatMap(LaunchState.init(rawValue:)) else {
          throw StoreError(.version, "a launch has a state that this version of Salvo doesn't know")
        }
        return LaunchListing(
          id: id, state: state, campaignName: row.text(2) ?? "", planned: row.int(3) ?? 0, remaining: row.int(4) ?? 0,
          createdAt: row.timestamp(5) ?? EpochMilliseconds(0))
      }
    }
  }

  // MARK: Audience

  /// Adds every active subscription of these channels, of all the account's enabled channels when none is named.
  /// - Returns: how many were added; those already there are not.
  /// - Throws: `StoreError` `.notFound`; `.state` once planning began; `.content` for a channel of another account.
  public func audienceAll(launch: Int64, channels: [Int64]) async throws -> Int64 {
    var filter = JSONObject()
    if !channels.isEmpty { filter.set("channels", .array(channels.map { .number("\($0)") })) }
    return try await audience(launch: launch, filter: .object(filter))
  }

  /// Adds whom the filter of `salvo.audience_all` lets through. Doing so again adds nobody twice.
  /// - Returns: how many were added.
  /// - Throws: `StoreError` `.notFound`; `.state` once planning began; `.content` for what is wrong with the filter.
  public func audience(launch: Int64, filter: JSON) async throws -> Int64 {
    let text = filter.text
    return try await database.perform("choosing the audience of launch \(launch)") { connection in
      do {
        return try connection.execute("select salvo.audience_all($1, $2)", [.int8(launch), .json(text)]).first?.int(0)
          ?? 0
      } catch let error as PostgresError {
        switch error.sqlState {
        case "P0002": throw StoreError(.notFound, error.message)
        case "55000": throw StoreError(.state, error.message)
        case "42501" where error.message.hasPrefix("launch "): throw StoreError(.content, error.message)
        // 22: what the filter says.
        case let state? where state.hasPrefix("22"): throw StoreError(.content, error.message)
        default: throw error
        }
      }
    }
  }
}
