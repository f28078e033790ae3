public import Base
public import Postgres

/// Keeps the house: partitions are made ahead, and what ended long ago goes, in short transactions of a few thousand
/// rows, so that whoever sends never waits for it. Any number of them may be under way, and one that is cut off is
/// gone on with by the next.
///
/// Of a launch stay its row, its lanes and their sums: `launch_progress` says the same before and after. Its
/// recipients, results, windows and chunks go, and with them `message_log`, `retry` and `verify`.
public struct Maintenance: Sendable {
  /// What was done, or, when only looking, what there is to do.
  public struct Summary: Sendable, Equatable {
    /// Of `recipient` and `delivery`: names such as `delivery_p3`.
    public var partitionsMade: [String] = []
    /// Of the same tables.
    public var partitionsDropped: [String] = []
    /// Their space on disk.
    public var bytesDropped: Int64 = 0
    /// In use for as long as they were tried: the next run drops them.
    public var partitionsBusy: [String] = []
    /// Launches of which nothing but their sums is left. When only looking: of which something would go.
    public var launches: Int64 = 0
    /// Rows that went, by table. When only looking, of tables that belong to no launch alone.
    public var rows: [String: Int64] = [:]

    /// Nothing done yet.
    public init() {}

    /// One object: `partitions_made`, `partitions_dropped`, `bytes_dropped`, `partitions_busy`, `launches`, and `rows`
    /// with a member a table.
    public var json: JSON {
      func names(_ list: [String]) -> JSON { .array(list.map(JSON.string)) }
      func number(_ value: Int64) -> JSON { .number(String(value)) }
      let counts = rows.sorted { $0.key < $1.key }
      return .object(
        JSONObject([
          .init(key: "partitions_made", value: names(partitionsMade)),
          .init(key: "partitions_dropped", value: names(partitionsDropped)),
          .init(key: "bytes_dropped", value: number(bytesDropped)),
          .init(key: "partitions_busy", value: names(partitionsBusy)),
          .init(key: "launches", value: number(launches)),
          .init(key: "rows", value: .object(JSONObject(counts.map { .init(key: $0.key, value: number($0.value)) }))),
        ]))
    }
  }

  let database: Database
  /// Works by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  /// Does all of it.
  /// - Parameter keepDays: launches that ended so long ago, and other records that are so old, go; 1 to 36,500.
  /// - Throws: `StoreError` `.away`; `.refused` for other days, or without the runner's role. What was done by then
  ///   stays done.
  public func run(keepDays: Int) async throws -> Summary {
    var summary = Summary()
    let days = Self.days(keepDays)
    summary.partitionsMade = try await makePartitions()
    for (name, bytes) in try await droppable(days) {
      if try await drop(name, days) {
        summary.partitionsDropped.append(name)
        summary.bytesDropped += bytes
      } else {
        summary.partitionsBusy.append(name)
      }
    }
    for launch in try await trimmable(days) {
      while let (table, gone) = try await bite(Self.trimLaunch, [.int8(launch), days]).first {
        if table == "launch" { summary.launches += gone } else { summary.rows[table, default: 0] += gone }
      }
    }
    while case let bites = try await bite(Self.trimRecords, [days, .bool(false)]), !bites.isEmpty {
      for (table, gone) in bites { summary.rows[table, default: 0] += gone }
    }
    return summary
  }

  /// What `run` would drop and trim at this moment; nothing is changed. Partitions to be made are not among it.
  public func look(keepDays: Int) async throws -> Summary {
    var summary = Summary()
    let days = Self.days(keepDays)
    for (name, bytes) in try await droppable(days) {
      summary.partitionsDropped.append(name)
      summary.bytesDropped += bytes
    }
    summary.launches = Int64(try await trimmable(days).count)
    for (table, count) in try await bite(Self.trimRecords, [days, .bool(true)]) { summary.rows[table] = count }
    return summary
  }

  private static func days(_ keepDays: Int) -> Parameter { .int4(Int32(clamping: keepDays)) }

  // MARK: Partitions

  private static let partitions = """
    select c.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('salvo.recipient'::regclass, 'salvo.delivery'::regclass) order by 1
    """
  private static let makeAhead = "select salvo.make_partitions(coalesce(max(id), 1)) from salvo.launch"

  private func makePartitions() async throws -> [String] {
    try await database.perform("making partitions ahead") { connection in
      let before = Set(try connection.execute(Self.partitions).compactMap { $0.text(0) })
      try connection.execute(Self.makeAhead)
      return try connection.execute(Self.partitions).compactMap { $0.text(0) }.filter { !before.contains($0) }
    }
  }

  private static let droppable = "select partition, bytes from salvo.droppable_partitions($1)"

  private func droppable(_ days: Parameter) async throws -> [(name: String, bytes: Int64)] {
    try await database.perform("looking for partitions to drop") { connection in
      try connection.execute(Self.droppable, [days]).compactMap { row in
        row.text(0).map { ($0, row.int(1) ?? 0) }
      }
    }
  }

  private static let drop = "select salvo.drop_partition($1, $2)"

  /// Reports hold a partition for as long as they read. Each try waits a fifth of a second at most.
  private static let tries = 10

  private func drop(_ name: String, _ days: Parameter) async throws -> Bool {
    for attempt in 1...Self.tries {
      let isDropped = try await database.perform("dropping partition \(name)") { connection in
        try connection.execute(Self.drop, [.text(name), days]).first?.bool(0)
      }
      if isDropped == true { return true }
      // Those who waited behind it go first.
      if attempt < Self.tries { try await Task.sleep(for: .milliseconds(500)) }
    }
    return false
  }

  // MARK: Rows

  private static let trimmable = "select salvo.trimmable_launches($1)"

  private func trimmable(_ days: Parameter) async throws -> [Int64] {
    try await database.perform("looking for launches to trim") { connection in
      try connection.execute(Self.trimmable, [days]).compactMap { $0.int(0) }
    }
  }

  private static let trimLaunch = "select what, gone from salvo.trim_launch($1, $2)"
  private static let trimRecords = "select what, gone from salvo.trim_records($1, $2)"

  /// One transaction.
  /// - Returns: how many rows went from which table; none when none are left.
  private func bite(_ sql: String, _ parameters: [Parameter]) async throws -> [(table: String, gone: Int64)] {
    try await database.perform("trimming what ended long ago") { connection in
      try connection.execute(sql, parameters).compactMap { row in
        row.text(0).map { ($0, row.int(1) ?? 0) }
      }
    }
  }
}
