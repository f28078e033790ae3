internal import Postgres

extension Database {
  /// Runs `body` on a connection and says what went wrong as the store says it.
  /// - Parameter doing: what is being done, as a noun: "opening a window".
  @discardableResult
  func perform<Result: Sendable>(
    _ doing: String, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    do {
      return try await run(body)
    } catch let error as PostgresError {
      throw StoreError(error, doing: doing, at: place)
    }
  }

  /// As `perform`, but what `body` did not surely do is done once more by `again`, which must first find out.
  ///
  /// The connection may have broken while COMMIT was under way, and a node that was killed may roll a transaction back
  /// for no fault of ours. What the server refuses because of the data stays refused (SQLSTATE classes 22 and 23).
  func performTwice<Result: Sendable>(
    _ doing: String, _ body: @escaping @Sendable (Connection) throws -> Result,
    again: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    do {
      return try await run(body)
    } catch let error as PostgresError {
      guard error.isWorthAnotherTry else { throw StoreError(error, doing: doing, at: place) }
    }
    return try await perform(doing, again)
  }

  /// Runs to its end even when the calling task is cancelled: cancelling would cancel the statement at the server,
  /// and what was sent must be written.
  func uncancelled<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try await Task { try await body() }.value
  }
}

extension PostgresError {
  fileprivate var isWorthAnotherTry: Bool {
    switch code {
    case .connection: true
    case .settings, .protocolViolation: false
    case .server:
      // 42: our own SQL or missing rights. 0A: not supported there.
      !["22", "23", "42", "0A"].contains(sqlState.map { String($0.prefix(2)) } ?? "")
    }
  }
}
