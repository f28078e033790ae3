/// Why a lane can't send.
public struct ProviderError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Whose matter it is, and with it the process's exit code.
  public enum Code: Sendable {
    /// Settings, a missing or unreadable credential: exit 78.
    case configuration
    /// The provider refused the credential: exit 77.
    case credential
    /// The content can't be sent by this provider: exit 65.
    case content
    /// Ask again later: exit 75 if it lasts.
    case temporary
  }
  /// Whose matter it is.
  public let code: Code
  /// One line: what, where, what to do. Never a secret.
  public let description: String

  /// - Parameter description: one line: what, where, what to do. Never a secret.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
