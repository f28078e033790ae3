internal import Postgres

/// A result that the database refuses to take although the others of its window are fine: kept as late evidence.
public struct RefusedRow: Sendable, Equatable {
  /// The result as it was to be written.
  public var row: DeliveryRow
  /// The database's words.
  public var reason: String

  /// - Parameter reason: the database's words.
  public init(row: DeliveryRow, reason: String) {
    self.row = row
    self.reason = reason
  }
}

extension PostgresError {
  /// The statement was refused for the data it brings, and would be again: data exceptions, violated constraints,
  /// limits of a row.
  var isAboutData: Bool {
    code == .server && ["22", "23", "54"].contains(sqlState.map { String($0.prefix(2)) } ?? "")
  }
}

extension Connection {
  /// A transaction with all rows together; refused for one of them, another with each by itself.
  func orApart<Result>(
    _ together: (Connection) throws -> Result, _ apart: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try together(self)
    } catch let error as PostgresError where error.isAboutData {
      return try apart(self)
    }
  }

  /// Inside a transaction: writes as many of the rows as the database takes, halving what it refuses, so that one bad
  /// row costs some 2 log₂ n statements and takes none of its neighbours with it.
  /// - Returns: the rows that are refused each by itself.
  /// - Throws: the database's refusal when no row at all is taken: the fault is not a row's then.
  func writeApart(_ rows: [DeliveryRow], _ copy: ([DeliveryRow]) throws -> Void) throws -> [RefusedRow] {
    var refused: [RefusedRow] = []
    var lastError: PostgresError?
    func write(_ part: ArraySlice<DeliveryRow>) throws {
      try execute("savepoint part")
      do {
        try copy(Array(part))
        try execute("release savepoint part")
      } catch let error as PostgresError where error.isAboutData {
        try execute("rollback to savepoint part")
        lastError = error
        guard part.count == 1, let row = part.first else {
          let middle = part.startIndex + part.count / 2
          try write(part[..<middle])
          return try write(part[middle...])
        }
        refused.append(RefusedRow(row: row, reason: error.description))
      }
    }
    try write(rows[...])
    // A row that is there already (23505) is that row's matter, however few there are.
    if refused.count == rows.count, let lastError, lastError.sqlState != "23505" { throw lastError }
    return refused
  }
}
