internal import Base
public import Campaign
public import Postgres

/// What a database says of itself, before anything of Salvo's is in it.
public struct DatabaseHealth: Sendable {
  /// `15.13 (Debian …)`
  public var serverVersion: String
  /// `host:port/name`, as messages name it.
  public var place: String
  /// Who is connected.
  public var user: String
  /// Whether no right is denied to it.
  public var isSuperuser: Bool
  /// A standby that follows another server: nothing can be written.
  public var isStandby: Bool
  /// Whether committed rows outlive a crash of the server: `fsync` and `full_page_writes`.
  public var keepsCommitted: Bool
  /// `on`, `off`, `local` …
  public var synchronousCommit: String
  /// The server's clock minus this machine's, in seconds, as far as the way there lets it be known.
  public var clockSkew: Double
  /// Half of that way.
  public var clockUncertainty: Double
}

/// Which rights the connected user has to what a runner needs.
public struct RunnerRights: Sendable {
  /// Roles of the schema that don't exist.
  public var missingRoles: [String]
  /// `insert on delivery` …
  public var missing: [String]
  /// Whether it may delete results or change them: nobody who sends should.
  public var mayChangeResults: Bool
}

/// Looks at a database for `salvo doctor`.
public struct HealthReader: Sendable {
  let database: Database
  /// Looks by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  // MARK: Server

  private static let server = """
    select current_setting('server_version'), current_user::text, rolsuper, pg_is_in_recovery(),
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on',
      current_setting('synchronous_commit')
    from pg_roles where rolname = current_user
    """

  /// - Throws: `StoreError` `.away`, `.configuration`.
  public func server() async throws -> DatabaseHealth {
    let place = database.place
    return try await database.perform("looking at the server") { connection in
      let row = try connection.execute(Self.server).first
      // The connection is open by now: what is measured is one way there and back.
      let before = EpochMilliseconds.now.value
      let there = try connection.execute("select clock_timestamp()").first?.timestamp(0)?.value ?? before
      let after = EpochMilliseconds.now.value
      return DatabaseHealth(
        serverVersion: row?.text(0) ?? "", place: place, user: row?.text(1) ?? "", isSuperuser: row?.bool(2) ?? false,
        isStandby: row?.bool(3) ?? false, keepsCommitted: row?.bool(4) ?? true,
        synchronousCommit: row?.text(5) ?? "", clockSkew: Double(2 * there - before - after) / 2000,
        clockUncertainty: Double(after - before) / 2000)
    }
  }

  // MARK: Rights

  private static let roles = ["salvo_owner", "salvo_platform", "salvo_runner", "salvo_settler", "salvo_reader"]

  /// One right of each kind a run uses, on each table it writes. Some are granted on columns alone.
  private static let needed: [(right: String, table: String)] = [
    ("select", "launch"), ("update", "launch"), ("select", "channel"), ("select", "recipient"),
    ("select", "subscription"), ("update", "subscription"), ("insert", "lane"), ("update", "lane"),
    ("insert", "chunk"), ("update", "chunk"), ("insert", "send_window"), ("update", "send_window"),
    ("insert", "delivery"), ("insert", "late_evidence"), ("insert", "settlement"), ("insert", "control_log"),
    ("select", "provider_token"), ("insert", "provider_token"), ("update", "rate_slot"), ("update", "rate_day"),
  ]

  private static let missingRoles = """
    select name from unnest($1::text[]) name where not exists (select from pg_roles where rolname = name) order by name
    """

  private static let missingRights = """
    select need.right_name || ' on ' || need.table_name
    from unnest($1::text[], $2::text[]) with ordinality need(right_name, table_name, place)
    where not has_any_column_privilege('salvo.' || need.table_name, need.right_name) order by need.place
    """

  private static let mayChange = """
    select has_table_privilege('salvo.delivery', 'delete') or has_any_column_privilege('salvo.delivery', 'update')
    """

  /// Needs this version's schema.
  public func rights() async throws -> RunnerRights {
    try await database.perform("looking at the rights") { connection in
      RunnerRights(
        missingRoles: try connection.execute(Self.missingRoles, [.textArray(Self.roles)]).compactMap { $0.text(0) },
        missing: try connection.execute(
          Self.missingRights, [.textArray(Self.needed.map(\.right)), .textArray(Self.needed.map(\.table))]
        ).compactMap { $0.text(0) },
        mayChangeResults: try connection.execute(Self.mayChange).first?.bool(0) ?? false)
    }
  }

  // MARK: Channels

  private static let channelRows = """
    select \(Channel.columns), a.id, a.name, a.settings
    from salvo.channel h join salvo.account a on a.id = h.account_id where h.enabled order by h.id
    """

  /// Every enabled channel with its account, or what is wrong with the rows.
  public func channels() async throws -> [Result<(Channel, Account), StoreError>] {
    try await database.perform("loading the channels") { connection in
      try connection.execute(Self.channelRows).map { row in
        do throws(StoreError) {
          let channel = try Channel(row: row)
          let settings = try StoredJSON.read(
            row.text(12), .configuration, "account \(channel.accountID)", AccountSettings.init(json:))
          return .success(
            (channel, Account(id: channel.accountID, name: row.text(11) ?? "", settings: settings)))
        } catch {
          return .failure(error)
        }
      }
    }
  }
}
