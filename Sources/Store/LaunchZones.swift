internal import Campaign
internal import Postgres

/// Whose clock a launch's recipients live by, where its options ask: written into their rows once, so that the plan and
/// every later read agree, whatever becomes of the profiles.
struct LaunchZones {
  let launch: Int64

  /// - Throws: `StoreError` `.content` when the options name no zone, or a local time without a day.
  func check(_ options: LaunchOptions, hasDate: Bool, _ connection: Connection) throws {
    if options.localTime != nil, !hasDate {
      throw StoreError(
        .content, "launch \(launch): options.local_time needs a day: give the launch a not_before, whose date counts")
    }
    if case .named(let zone)? = options.quietHours?.zone, try !isKnown(zone, connection) {
      throw StoreError(
        .content,
        "launch \(launch): options.quiet_hours.zone: there is no time zone \"\(zone)\"; recipient or a name as"
          + " Europe/Berlin")
    }
  }

  private func isKnown(_ zone: String, _ connection: Connection) throws -> Bool {
    try connection.execute("select salvo.known_zone($1) is not null", [.text(zone)]).first?.bool(0) == true
  }

  private static let needed = """
    select (l.options ->> 'local_time' is not null
        or l.options ->> 'quiet_hours' is not null
          and coalesce(l.options -> 'quiet_hours' ->> 'zone', 'recipient') = 'recipient'),
      coalesce(salvo.known_zone(a.settings ->> 'time_zone'), 'UTC')
    from salvo.launch l
    join salvo.campaign c on c.id = l.campaign_id
    join salvo.account a on a.id = c.account_id
    where l.id = $1
    """

  /// Whether chunks are cut by zone.
  func areFrozen(_ connection: Connection) throws -> Bool {
    try connection.execute(Self.needed, [.int8(launch)]).first?.bool(0) == true
  }

  private static let given = """
    select distinct p.time_zone from salvo.recipient r join salvo.profile p on p.id = r.profile_id
    where r.launch_id = $1 and length(p.time_zone) between 1 and 64
    """
  private static let known = "select z from unnest($1::text[]) z where salvo.known_zone(z) is not null"

  /// Rows that have a zone keep it: another runner may be planning, or have planned, from it.
  private static let freeze = """
    update salvo.recipient r set zone = coalesce(z.name, $2)
    from salvo.profile p left join unnest($3::text[]) z(name) on z.name = p.time_zone
    where r.launch_id = $1 and p.id = r.profile_id and r.zone is null
    """
  private static let rest = "update salvo.recipient set zone = $2 where launch_id = $1 and zone is null"

  /// Each recipient's zone is that of the profile; the account's where that says none or one that PostgreSQL doesn't
  /// know. Does nothing for launches that need none.
  func freeze(_ connection: Connection) throws {
    guard let row = try connection.execute(Self.needed, [.int8(launch)]).first, row.bool(0) == true,
      let fallback = row.text(1)
    else { return }
    let given = try connection.execute(Self.given, [.int8(launch)]).compactMap { $0.text(0) }
    let known = try connection.execute(Self.known, [.textArray(given)]).compactMap { $0.text(0) }
    try connection.execute(Self.freeze, [.int8(launch), .text(fallback), .textArray(known)])
    try connection.execute(Self.rest, [.int8(launch), .text(fallback)])
  }
}
