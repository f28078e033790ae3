public import Base
public import Postgres

/// What is to be done now, by the planning clock (`salvo.now()`): launches that begin, go on, or come too late.
public struct DueStore: Sendable {
  /// A launch that nobody began in time.
  public struct Missed: Sendable, Equatable {
    /// Its id.
    public var launch: Int64
    /// When it was to begin.
    public var due: EpochMilliseconds?

    /// - Parameter due: when it was to begin; nil = its row names no time.
    public init(launch: Int64, due: EpochMilliseconds?) {
      self.launch = launch
      self.due = due
    }

    /// For people.
    public var words: String {
      "launch \(launch) is missed: it was due\(due.map { " at \($0.localText)" } ?? "") and nobody began it in time;"
        + " salvo resume \(launch) sends it all the same"
    }
  }

  /// Whether a program may begin a launch.
  public enum Judgement: Sendable, Equatable {
    case due
    /// Not before so many seconds from now.
    case later(seconds: Double)
    case missed(Missed)
  }

  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: Late

  /// By compare-and-swap, each with a line for people.
  private static func miss(_ which: String, planned: String) -> String {
    """
    with late as (
      select l.id, l.state, t.due_from
      from salvo.launch l
      join salvo.campaign c on c.id = l.campaign_id
      join salvo.account a on a.id = c.account_id
      cross join lateral salvo.launch_due(\(planned), l.not_after, l.options, a.settings) t
      where \(which) and t.late_from <= salvo.now()
    ), missed as (
      update salvo.launch l set state = 'missed' from late
      where l.id = late.id and l.state = late.state
      returning l.id, late.state as from_state, late.due_from
    ), told as (
      insert into salvo.control_log (launch_id, command, from_state, to_state, note)
      select id, 'begin', from_state, 'missed', 'nobody began it in time' from missed
    )
    select id, due_from from missed order by id
    """
  }

  private static let missScheduled = miss("l.state = 'scheduled'", planned: "l.not_before")

  /// Scheduled launches that nobody began in time become missed: a human must say what becomes of them.
  public func missLate() async throws -> [Missed] {
    try await database.perform("looking for late launches") { connection in
      try connection.execute(Self.missScheduled).map(Self.missed)
    }
  }

  private static func missed(_ row: Row) -> Missed { Missed(launch: row.int(0) ?? 0, due: row.timestamp(1)) }

  private static let missOne = miss(
    "l.id = $1 and l.state in ('draft', 'scheduled')", planned: "coalesce(l.not_before, $2)")

  private static let dueFrom = """
    select t.due_from, l.state in ('draft', 'scheduled') and t.due_from > salvo.now(), l.state = 'missed',
      extract(epoch from t.due_from - salvo.now())::float8
    from salvo.launch l
    join salvo.campaign c on c.id = l.campaign_id
    join salvo.account a on a.id = c.account_id
    cross join lateral salvo.launch_due(l.not_before, l.not_after, l.options, a.settings) t
    where l.id = $1
    """

  /// - Parameter planned: when somebody wanted it begun; counts where the launch itself doesn't say.
  /// - Throws: `StoreError` `.notFound`.
  public func judge(_ launch: Int64, planned: EpochMilliseconds?) async throws -> Judgement {
    try await database.perform("looking whether launch \(launch) is due") { connection in
      let late = try connection.execute(Self.missOne, [.int8(launch), planned.map(Parameter.timestamp) ?? .null])
      if let row = late.first { return .missed(Self.missed(row)) }
      guard let row = try connection.execute(Self.dueFrom, [.int8(launch)]).first else {
        throw StoreError(.notFound, "there is no launch \(launch)")
      }
      if row.bool(2) == true { return .missed(Missed(launch: launch, due: row.timestamp(0))) }
      if row.bool(1) == true, let seconds = row.double(3) { return .later(seconds: seconds) }
      return .due
    }
  }

  // MARK: Due

  /// A running launch is due when it has a chunk that nobody holds, a transfer to ask about, or nothing left but to be
  /// called finished. Lanes that are stopped wait for people, disabled accounts and channels for whoever disabled them.
  /// Few launches are under way at a time, and each is looked at by keys.
  private static let dueLaunches = """
    select id from (
      select l.id, l.not_before, (
        select count(distinct k.owner) from salvo.chunk k
        where k.launch_id = l.id and k.state = 1 and k.lease_until >= now()) as runners
      from salvo.launch l
      join salvo.campaign c on c.id = l.campaign_id
      join salvo.account a on a.id = c.account_id
      cross join lateral salvo.launch_due(l.not_before, l.not_after, l.options, a.settings) t
      where a.enabled and case l.state
        when 'scheduled' then coalesce(t.due_from <= salvo.now(), true)
        when 'planning' then true
        when 'running' then exists (
            select from salvo.lane n join salvo.channel h on h.id = n.channel_id
            where n.launch_id = l.id and n.state = 'running' and h.enabled
              and (n.cool_until is null or n.cool_until <= now())
              and (exists (
                  select from salvo.chunk k
                  where k.launch_id = n.launch_id and k.channel_id = n.channel_id and k.state in (0, 1)
                    and (k.lease_until is null or k.lease_until < now())
                    and (k.not_before is null or k.not_before <= salvo.now()))
                or exists (
                  select from salvo.send_window w
                  where w.launch_id = n.launch_id and w.channel_id = n.channel_id and w.state = 4
                    and (w.next_poll_at is null or w.next_poll_at <= now()))))
          or not exists (select from salvo.chunk k where k.launch_id = l.id and k.state in (0, 1))
            and not exists (select from salvo.send_window w where w.launch_id = l.id and w.state in (0, 4))
        else false end
        and l.state in ('scheduled', 'planning', 'running')
    ) due
    where runners < $1
    order by runners, not_before nulls first, id
    """

  /// Launches with something to do, those with the fewest runners first.
  /// - Parameter runners: fewer than so many others must be at it.
  public func launches(with runners: Int64 = .max) async throws -> [Int64] {
    try await database.perform("looking for due launches") { connection in
      try connection.execute(Self.dueLaunches, [.int8(runners)]).compactMap { $0.int(0) }
    }
  }
}
