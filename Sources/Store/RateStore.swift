public import Postgres

/// `salvo.rate_slot` and `salvo.rate_day`: what several runners share of one rate.
public struct RateStore: Sendable {
  /// Parts that a rate is cut into.
  static let slots: Int32 = 16
  /// Where wishes begin.
  static let firstWish: Int32 = 1_000
  /// Seconds that a share lasts without being renewed.
  public let lease: Double

  let database: Database
  private let owner: String
  /// This runner's wish.
  private let wish: Int32

  /// - Parameters:
  ///   - owner: this runner's name, which its shares are kept under.
  ///   - lease: seconds that a share lasts without being renewed.
  public init(_ database: Database, owner: String, lease: Double = 10) {
    self.database = database
    self.lease = lease
    self.owner = owner
    wish = Int32.random(in: Self.firstWish ... .max)
  }

  // MARK: Shares

  private static let make = """
    insert into salvo.rate_slot as s (credential, slot_no, rate)
    select $1, n, $2 from generate_series(0, $3 - 1) n
    on conflict (credential, slot_no) do update set rate = excluded.rate where s.rate <> excluded.rate
    """

  /// Renewals of one rate one after another: sixteen rows, a few times in ten seconds.
  private static let lock =
    "select from salvo.rate_slot where credential = $1 and slot_no < $2 order by slot_no for update"

  private static let ask = """
    insert into salvo.rate_slot (credential, slot_no, rate, owner, lease_until)
    values ($1, $2, $3, $4, now() + make_interval(secs => $5))
    on conflict (credential, slot_no) do update set lease_until = excluded.lease_until
    """

  /// How many share, and how many of them come before this one.
  private static let runners = """
    select count(distinct owner), count(distinct owner) filter (where owner < $2)
    from salvo.rate_slot where credential = $1 and lease_until > now()
    """

  /// Those already held first, so that a share moves only when somebody comes or goes.
  private static let hold = """
    update salvo.rate_slot s set owner = $2, lease_until = now() + make_interval(secs => $4)
    from (
      select slot_no from salvo.rate_slot
      where credential = $1 and slot_no < $5 and (owner = $2 or lease_until is null or lease_until <= now())
      order by (owner = $2 and lease_until > now()) is true desc, slot_no limit $3
    ) mine
    where s.credential = $1 and s.slot_no = mine.slot_no
    returning s.slot_no
    """

  private static let leave = """
    update salvo.rate_slot set owner = null, lease_until = null
    where credential = $1 and owner = $2 and slot_no < $4 and not (slot_no = any($3))
    """

  /// Renews this runner's part of a rate: an even one among those that ask, as soon as the others have let go.
  /// - Parameters:
  ///   - name: whose rate: a credential's fingerprint, or a launch.
  ///   - rate: the whole, units a second.
  /// - Returns: units a second for the next `lease` seconds; 0 while everything is held by others.
  public func share(of name: String, rate: Double) async throws -> Double {
    let slotRate = rate / Double(Self.slots)
    return try await database.perform("sharing a rate") { [owner, wish, lease] connection in
      try connection.transaction { connection in
        try connection.execute(Self.make, [.text(name), .double(slotRate), .int4(Self.slots)])
        try connection.execute(Self.lock, [.text(name), .int4(Self.slots)])
        try connection.execute(
          Self.ask, [.text(name), .int4(wish), .double(slotRate), .text(owner), .double(lease)])
        let others = try connection.execute(Self.runners, [.text(name), .text(owner)]).first
        let runners = max(others?.int(0) ?? 1, 1)
        // What doesn't divide goes to the first ones. Were it rounded up for all, four of five would hold everything,
        // and the fifth would never send what it has leased.
        let rest: Int64 = (others?.int(1) ?? 0) < Int64(Self.slots) % runners ? 1 : 0
        let fair = Int64(Self.slots) / runners + rest
        let held = try connection.execute(
          Self.hold, [.text(name), .text(owner), .int8(fair), .double(lease), .int4(Self.slots)])
        try connection.execute(
          Self.leave,
          [.text(name), .text(owner), .int8Array(held.compactMap { $0.int(0) }), .int4(Self.slots)])
        return Double(held.count) * slotRate
      }
    }
  }

  private static let giveBack = """
    update salvo.rate_slot set owner = null, lease_until = null where credential = $1 and owner = $2
    """

  /// Lets go of the part and the wish.
  public func release(_ name: String) async throws {
    try await database.perform("giving a rate back") { [owner] connection in
      try connection.execute(Self.giveBack, [.text(name), .text(owner)])
    }
  }

  // MARK: Days

  private static let begin = """
    insert into salvo.rate_day (credential, day) values ($1, (now() at time zone 'UTC')::date)
    on conflict (credential, day) do nothing
    """

  /// The day is the provider's: GMT. Locked until the new count is written.
  private static let spent = """
    select requests, sendings, extract(epoch from (day + 1)::timestamp - (now() at time zone 'UTC'))::float8
    from salvo.rate_day where credential = $1 and day = (now() at time zone 'UTC')::date for update
    """

  private static let spend = """
    update salvo.rate_day set requests = requests + 1, sendings = sendings + $2
    where credential = $1 and day = (now() at time zone 'UTC')::date
    """

  /// Takes one request of the day's allowance.
  /// - Returns: nil when it may be made; else the seconds until the next day begins.
  public func spend(_ request: DayRequest, of name: String, daily limit: Int64) async throws -> Double? {
    try await database.perform("counting the day's requests") { connection in
      try connection.transaction { connection in
        try connection.execute(Self.begin, [.text(name)])
        let row = try connection.execute(Self.spent, [.text(name)]).first
        let requests = row?.int(0) ?? limit
        guard request.isGranted(limit: limit, requests: requests, sendings: row?.int(1) ?? requests) else {
          return row?.double(2) ?? 60
        }
        try connection.execute(Self.spend, [.text(name), .int8(request == .sending ? 1 : 0)])
        return nil
      }
    }
  }
}
