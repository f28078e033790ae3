/// Why a key or a credential's text can't be read or used. One line, no secret.
public struct SigningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong and what to do, never the secret.
  public let description: String
  /// - Parameter description: one line, never the secret.
  public init(_ description: String) { self.description = description }
}
