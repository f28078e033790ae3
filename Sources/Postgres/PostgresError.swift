/// What the server or libpq said.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// Can't connect, or the connection broke: what was running may or may not have been done.
    case connection
    /// The server refused the statement; see `sqlState`.
    case server
    /// An answer of another shape than asked for.
    case protocolViolation
  }

  public let code: Code
  /// Five characters, nil without a server's answer.
  public let sqlState: String?
  public let message: String
  public let detail: String?
  /// The name of the violated constraint, if any.
  public let constraint: String?

  public init(
    _ code: Code, _ message: String, sqlState: String? = nil, detail: String? = nil, constraint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.constraint = constraint
  }

  public var description: String { message }
}
