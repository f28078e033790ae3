public import Postgres

/// What a page of launches shows: those under way, and the newest of the others.
public struct LaunchBoard: Sendable {
  let database: Database
  /// Reads by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  /// Whatever is under way is shown, as long as it is no more than the limit.
  private static let ids = """
    select id from (
      (select id, true as is_under_way from salvo.launch
        where state in ('scheduled', 'planning', 'running', 'paused', 'needs_decision') order by id desc limit $1)
      union all
      (select id, false from salvo.launch
        where state not in ('scheduled', 'planning', 'running', 'paused', 'needs_decision') order by id desc limit $1)
    ) l
    order by is_under_way desc, id desc limit $1
    """

  /// Those under way first, the newest of each first; a few statements over control rows for each launch.
  public func read(limit: Int64) async throws -> [LaunchStatus] {
    try await database.perform("reading the newest launches") { connection in
      try connection.transaction { connection in
        try connection.execute("set transaction isolation level repeatable read, read only")
        return try connection.execute(Self.ids, [.int8(limit)]).compactMap { $0.int(0) }
          .map { try StatusReader.read($0, connection) }
      }
    }
  }

  /// Throws unless the database answers.
  public func ping() async throws {
    try await database.perform("asking whether the database is there") { connection in
      try connection.execute("select 1")
    }
  }
}
