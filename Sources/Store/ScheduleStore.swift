public import Base
internal import Campaign
public import Postgres

/// Recurring launches: each planned minute of a schedule makes one launch, whoever comes first.
public struct ScheduleStore: Sendable {
  /// What became of one schedule's turn.
  public enum Made: Sendable, Equatable {
    case launch(Int64, schedule: Int64, planned: EpochMilliseconds, recipients: Int64)
    /// The schedule can't be followed; its row says why, and so does this line.
    case refused(schedule: Int64, String)
  }

  /// With catch_up `none`, a time so long past is left out: cron and workers come by more often.
  static let punctual = 5.0 * 60
  /// Times of one schedule looked at in one pass.
  static let mostTimes = 1_000

  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: What is planned

  /// A zone's clock may be turned back: by three hours at most, as far as is known. What was planned then is sorted out
  /// by moments, so looking further back does no harm.
  private static let enabled = """
    select s.id, s.name, s.cron, s.time_zone, s.catch_up, coalesce(r.last, s.created_at),
      to_char((coalesce(r.last, s.created_at) at time zone s.time_zone) - interval '3 hours', 'YYYY-MM-DD HH24:MI'),
      to_char(salvo.now() at time zone s.time_zone, 'YYYY-MM-DD HH24:MI'),
      extract(epoch from salvo.now())::float8, s.options
    from salvo.schedule s
    join salvo.campaign c on c.id = s.campaign_id
    join salvo.account a on a.id = c.account_id and a.enabled
    left join lateral (select max(planned_at) as last from salvo.schedule_run where schedule_id = s.id) r on true
    where s.enabled
    order by s.id
    """

  /// Which moments local times are. The hour that a zone skips comes an hour later by its clock (02:30 is 03:30 then);
  /// of an hour that comes twice, the second is meant, in standard time. Either way a time is one moment.
  private static let moments = """
    select distinct m.at from (
      select t.local::timestamp at time zone $2 as at from unnest($1::text[]) t(local)
    ) m
    where m.at > $3 and m.at <= salvo.now() order by m.at
    """

  private struct Schedule: Sendable {
    var id: Int64
    var name: String
    var zone: String
    var due: [EpochMilliseconds]
  }

  /// Makes what is due now of every enabled schedule.
  public func makeDue() async throws -> [Made] {
    let (due, refused) = try await database.perform("looking for due schedules") { connection in
      var due: [Schedule] = []
      var refused: [Made] = []
      for row in try connection.execute(Self.enabled) {
        do {
          if let schedule = try Self.schedule(row, connection) { due.append(schedule) }
        } catch let error as CampaignError {
          refused.append(.refused(schedule: row.int(0) ?? 0, "\(error)"))
        }
      }
      return (due, refused)
    }
    var made: [Made] = []
    for case .refused(let id, let words) in refused { made.append(try await refuse(id, words)) }
    for schedule in due {
      for planned in schedule.due {
        if let launch = try await make(schedule, planned) { made.append(launch) }
      }
    }
    return made
  }

  /// - Returns: nil when nothing of it is due.
  private static func schedule(_ row: Row, _ connection: Connection) throws -> Schedule? {
    guard let id = row.int(0), let cron = row.text(2), let zone = row.text(3), let catchUp = row.text(4),
      let last = row.timestamp(5), let from = row.text(6).flatMap(LocalMinute.init),
      let through = row.text(7).flatMap(LocalMinute.init), let now = row.double(8)
    else { throw StoreError(.refused, "a row of salvo.schedule can't be read") }
    let options = try LaunchOptions(json: try parsed(row.text(9)))
    let times = try CronExpression(cron).times(after: from, through: through, limit: mostTimes)
    guard !times.isEmpty else { return nil }
    let moments = try connection.execute(
      Self.moments, [.textArray(times.map { "\($0)" }), .text(zone), .timestamp(last)]
    ).compactMap { $0.timestamp(0) }
    let due = CatchUp(rawValue: catchUp)?.chosen(
      from: moments, now: EpochMilliseconds(Int64(now * 1000)), lateness: Double(options.catchUpMinutes) * 60)
    guard let due, !due.isEmpty else { return nil }
    return Schedule(id: id, name: row.text(1) ?? "", zone: zone, due: due)
  }

  private static func parsed(_ text: String?) throws(CampaignError) -> JSON {
    do { return try JSONScanner.parse(Array((text ?? "{}").utf8)) } catch {
      throw CampaignError(field: "options", message: "\(error)")
    }
  }

  // MARK: Make

  /// A convenience against waiting for another scheduler that is at it; that no second launch is made is the primary
  /// key's doing.
  private static let isFree = "select pg_try_advisory_xact_lock(hashtextextended('salvo.schedule ' || $1, 0))"
  private static let reserve = """
    insert into salvo.schedule_run (schedule_id, planned_at) values ($1, $2)
    on conflict do nothing returning schedule_id
    """
  private static let launch = """
    insert into salvo.launch (campaign_id, state, content, options, not_before)
    select campaign_id, 'scheduled', content, options, $2 from salvo.schedule where id = $1
    returning id
    """
  private static let audience = """
    select salvo.audience_all($1, (select audience from salvo.schedule where id = $2))
    """
  private static let record = """
    update salvo.schedule_run set launch_id = $3 where schedule_id = $1 and planned_at = $2
    """
  private static let clear = "update salvo.schedule set last_error = null where id = $1 and last_error is not null"

  /// - Returns: nil when somebody else has made it, or is making it.
  private func make(_ schedule: Schedule, _ planned: EpochMilliseconds) async throws -> Made? {
    do {
      return try await database.perform("making the launch of schedule \(schedule.id)") { connection in
        do {
          return try connection.transaction { connection -> Made? in
            let place: [Parameter] = [.int8(schedule.id), .timestamp(planned)]
            guard
              try connection.execute(Self.isFree, [.text("\(schedule.id) \(planned.value)")]).first?.bool(0) == true,
              !(try connection.execute(Self.reserve, place).isEmpty),
              let launch = try connection.execute(Self.launch, place).first?.int(0)
            else { return nil }
            let added = try connection.execute(Self.audience, [.int8(launch), .int8(schedule.id)]).first?.int(0)
            try connection.execute(Self.record, place + [.int8(launch)])
            try connection.execute(Self.clear, [.int8(schedule.id)])
            return .launch(launch, schedule: schedule.id, planned: planned, recipients: added ?? 0)
          }
        } catch let error as PostgresError where error.sqlState == "22023" || error.sqlState == "42501" {
          // The audience's filter, in the words of salvo.audience_all.
          throw StoreError(.content, error.message)
        }
      }
    } catch let error as StoreError where error.code == .content {
      return try await refuse(schedule.id, error.description)
    }
  }

  private static let complain = "update salvo.schedule set last_error = $2 where id = $1"

  private func refuse(_ schedule: Int64, _ words: String) async throws -> Made {
    try await database.perform("writing what is wrong with schedule \(schedule)") { connection in
      try connection.execute(Self.complain, [.int8(schedule), .text(PostgresText.tidy(words))])
    }
    return .refused(schedule: schedule, words)
  }
}

/// What a schedule does about times that nobody was there for.
enum CatchUp: String {
  case none, latest, all

  /// - Parameters:
  ///   - times: past and not made yet, ascending.
  ///   - lateness: seconds after which a launch is too late. The newest time beyond it is made all the same, as a
  ///     launch that is missed: people shall see it.
  func chosen(from times: [EpochMilliseconds], now: EpochMilliseconds, lateness: Double) -> [EpochMilliseconds] {
    func isWithin(_ seconds: Double) -> (EpochMilliseconds) -> Bool {
      { Double(now.value - $0.value) / 1000 <= seconds }
    }
    switch self {
    case .none: return times.filter(isWithin(ScheduleStore.punctual)).suffix(1)
    case .latest: return times.suffix(1)
    case .all:
      let fresh = times.filter(isWithin(lateness))
      return fresh.isEmpty ? times.suffix(1) : fresh
    }
  }
}
