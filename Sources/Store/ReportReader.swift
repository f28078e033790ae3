internal import Base
internal import Campaign
public import Postgres

/// Reads a launch's report: control rows, and each message three times by whole-launch aggregates, a few seconds for a
/// million. All statements are grouped scans, so they run the same where the tables are distributed.
public struct ReportReader: Sendable {
  /// Columns of the throughput's chart at most.
  static let slots = 60.0
  /// Lengths of an interval, in seconds: those that people read times by.
  static let steps = [1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]

  let database: Database
  /// Reads by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  /// - Throws: `StoreError` `.notFound`.
  public func read(_ launch: Int64) async throws -> LaunchReport {
    try await database.perform("reading the report of launch \(launch)") { connection in
      try connection.transaction { connection in
        try connection.execute("set transaction isolation level repeatable read, read only")
        var status = try StatusReader.read(launch, connection)
        status.set(try StatusReader.reasons(of: launch, connection))
        let parameters: [Parameter] = [.int8(launch)]
        let head = try connection.execute(Self.launchRow, parameters).first
        return LaunchReport(
          status: status, accountID: head?.int(0) ?? 0, accountName: head?.text(1) ?? "", campaignID: head?.int(2) ?? 0,
          createdAt: head?.timestamp(3), notAfter: head?.timestamp(4), content: try Self.json(head?.text(5), launch),
          options: try Self.json(head?.text(6), launch),
          channels: try connection.execute(Self.channelRows, parameters).map { try Self.channel($0, launch) },
          handovers: try connection.execute(Self.handoverRows, parameters).map { row in
            .init(
              channelID: row.int(0) ?? 0, messages: row.int(1) ?? 0, handedOver: row.int(2) ?? 0,
              requests: row.int(3) ?? 0, repeated: row.int(4) ?? 0)
          },
          windows: try connection.execute(Self.windowRows, parameters).map { row in
            .init(
              channelID: row.int(0) ?? 0, windows: row.int(1) ?? 0, median: row.double(2) ?? 0,
              slow: row.double(3) ?? 0, longest: row.double(4) ?? 0)
          },
          throughput: try Self.throughput(status, connection),
          answers: try connection.execute(Self.answerRows, parameters).map { row in
            .init(
              channelID: row.int(0) ?? 0, outcome: try Self.outcome(row, 1), httpStatus: row.int(2),
              providerCode: row.text(3), messages: row.int(4) ?? 0)
          },
          variants: try connection.execute(Self.variantRows, parameters).map { row in
            .init(variant: row.text(0) ?? "", outcome: try Self.outcome(row, 1), messages: row.int(2) ?? 0)
          },
          settlements: try connection.execute(Self.settlementRows, parameters).map { row in
            .init(source: row.text(0) ?? "", outcome: try Self.outcome(row, 1), messages: row.int(2) ?? 0)
          },
          commands: try connection.execute(Self.commandRows, parameters).map { row in
            .init(
              at: row.timestamp(0), who: row.text(1) ?? "", command: row.text(2) ?? "", channelID: row.int(3),
              from: row.text(4), to: row.text(5))
          })
      }
    }
  }

  // MARK: Statements

  private static let launchRow = """
    select a.id, a.name, c.id, l.created_at, l.not_after, l.content, l.options
    from salvo.launch l
    join salvo.campaign c on c.id = l.campaign_id
    join salvo.account a on a.id = c.account_id
    where l.id = $1
    """

  private static let channelRows = """
    select h.id, h.name, h.provider, h.payload_profile, h.template is not null, h.credential, h.settings
    from salvo.lane n join salvo.channel h on h.id = n.channel_id where n.launch_id = $1 order by h.id
    """

  private static let handoverRows = """
    select channel_id, count(*), count(*) filter (where requests > 0), coalesce(sum(requests), 0)::bigint,
      count(*) filter (where attempts > 1)
    from (
      select channel_id, profile_id, subscription_id, sum(requests) as requests, count(*) as attempts
      from salvo.delivery where launch_id = $1 group by channel_id, profile_id, subscription_id
    ) message
    group by channel_id order by channel_id
    """

  /// Windows that a vanished runner left are closed by whoever finds them: how long that took says nothing.
  private static let windowRows = """
    select channel_id, count(*), percentile_cont(0.5) within group (order by seconds),
      percentile_cont(0.95) within group (order by seconds), max(seconds)
    from (
      select channel_id, extract(epoch from closed_at - opened_at)::float8 as seconds
      from salvo.send_window where launch_id = $1 and state in (1, 3) and closed_at is not null
    ) closed
    group by channel_id order by channel_id
    """

  private static let throughputRows = """
    select floor(extract(epoch from closed_at - $2) / $3)::int, sum(sent)::bigint,
      sum(token_retired + rejected + expired)::bigint, sum(skipped)::bigint, sum(unknown)::bigint
    from salvo.send_window where launch_id = $1 and closed_at >= $2 group by 1 order by 1
    """

  private static let answerRows = """
    select channel_id, outcome, http_status, provider_code, count(*) from salvo.final_outcome
    where launch_id = $1 and outcome <> 1 and (http_status is not null or provider_code is not null)
    group by 1, 2, 3, 4 order by 5 desc, 1, 2, 3, 4 limit 50
    """

  private static let variantRows = """
    select variant, outcome, count(*) from salvo.final_outcome
    where launch_id = $1 and variant is not null group by 1, 2 order by 1, 2 limit 1000
    """

  private static let settlementRows = """
    select source, outcome, count(*)
    from (
      select distinct on (profile_id, subscription_id, attempt) source, outcome from salvo.settlement
      where launch_id = $1 order by profile_id, subscription_id, attempt, id desc
    ) last
    group by 1, 2 order by 1, 2
    """

  private static let commandRows = """
    select at, who, command, channel_id, from_state, to_state from salvo.control_log
    where launch_id = $1 order by id limit 200
    """

  // MARK: Values

  private static func throughput(_ status: LaunchStatus, _ connection: Connection) throws -> LaunchReport.Throughput {
    guard let begin = status.lanes.compactMap(\.firstOpenedAt).min(), let seconds = status.sendingSeconds else {
      return LaunchReport.Throughput(begin: status.at, step: 1, slots: [])
    }
    let step = steps.first { seconds / $0 < slots } ?? (seconds / slots).rounded(.up)
    let rows = try connection.execute(throughputRows, [.int8(status.id), .timestamp(begin), .double(step)])
    return LaunchReport.Throughput(
      begin: begin, step: step,
      slots: rows.map { row in
        .init(
          index: Int(row.int(0) ?? 0), sent: row.int(1) ?? 0, failed: row.int(2) ?? 0, skipped: row.int(3) ?? 0,
          unknown: row.int(4) ?? 0)
      })
  }

  private static func outcome(_ row: Row, _ column: Int) throws(StoreError) -> Outcome {
    guard let outcome = row.int(column).flatMap({ Outcome(rawValue: Int16(clamping: $0)) }) else {
      throw StoreError(.version, "a message has an outcome that this version of Salvo doesn't know")
    }
    return outcome
  }

  private static func json(_ text: String?, _ launch: Int64) throws(StoreError) -> JSON {
    do {
      return try JSONScanner.parse(Array((text ?? "{}").utf8))
    } catch {
      throw StoreError(.content, "launch \(launch): \(error)")
    }
  }

  private static func channel(_ row: Row, _ launch: Int64) throws(StoreError) -> LaunchReport.ChannelSetup {
    LaunchReport.ChannelSetup(
      id: row.int(0) ?? 0, name: row.text(1) ?? "", provider: row.text(2) ?? "", payloadProfile: row.text(3) ?? "",
      hasOwnTemplate: row.bool(4) ?? false, credential: row.text(5) ?? "",
      settings: masked(try json(row.text(6), launch)))
  }

  /// A proxy's URL may carry a name and a password; nothing else of the settings is a secret.
  static func masked(_ settings: JSON) -> JSON {
    guard case .object(var members) = settings, let proxy = members["proxy"]?.string else { return settings }
    guard let at = proxy.lastIndex(of: "@") else { return settings }
    let scheme = proxy.firstRange(of: "://").map { String(proxy[..<$0.upperBound]) } ?? ""
    members.set("proxy", .string("\(scheme)***\(proxy[at...])"))
    return .object(members)
  }
}
