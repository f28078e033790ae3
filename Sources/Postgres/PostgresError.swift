/// What the server or libpq said.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
  /// Who found it.
  public enum Code: Sendable {
    /// libpq can't read the connection's settings: nobody was asked.
    case settings
    /// Can't connect, or the connection broke: what was running may or may not have been done.
    case connection
    /// The server refused the statement; see `sqlState`. 57014 also when the task was cancelled.
    case server
    /// An answer of another shape than asked for, or a call that makes no sense here.
    case protocolViolation
  }

  /// Who found it.
  public let code: Code
  /// Five characters, nil without a server's answer.
  public let sqlState: String?
  /// One line.
  public let message: String
  /// The server's DETAIL and CONTEXT, one line. May quote values of a row: not for the log.
  public let detail: String?
  /// The name of the violated constraint, if any.
  public let constraint: String?
  /// The connection broke while COMMIT was under way: the transaction is committed or it is not, and only reading what
  /// it would have written tells which. Always with `Code.connection`.
  public let isCommitUnknown: Bool

  /// What the server or libpq said; without `sqlState` the server said nothing.
  public init(
    _ code: Code, _ message: String, sqlState: String? = nil, detail: String? = nil, constraint: String? = nil,
    isCommitUnknown: Bool = false
  ) {
    self.code = code
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.constraint = constraint
    self.isCommitUnknown = isCommitUnknown
  }

  public var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }

  /// The same error, met while waiting for the answer to COMMIT.
  var duringCommit: PostgresError {
    PostgresError(
      code, message, sqlState: sqlState, detail: detail, constraint: constraint, isCommitUnknown: code == .connection)
  }
}
