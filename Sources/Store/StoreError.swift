/// Why the store can't do what was asked.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, and so the exit code.
  public enum Code: Sendable {
    /// The database is away or broke off: exit 75.
    case away
    /// The schema is older or newer than this binary: exit 78.
    case version
    /// No such launch, channel, campaign: exit 66.
    case notFound
    /// A row's content, settings or options are refused: exit 65.
    case content
    /// A channel's settings or credential reference are refused: exit 78.
    case configuration
    /// The launch is not in a state for this: exit 65.
    case state
    /// What was committed is gone: whoever goes on may send it again. Exit 70.
    case historyLost
    /// The database refused a statement: exit 70.
    case refused
    /// Another runner holds what this one held: exit 75.
    case fenced
  }
  /// What went wrong.
  public let code: Code
  /// One line: what, where, what to do.
  public let description: String

  /// - Parameter description: one line: what, where, what to do.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
