/// Why a pool can't be made.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// Whose matter it is: libcurl's, a certificate's, the settings'.
  public enum Code: Sendable { case unsupported, trust, configuration }
  /// Whose matter it is.
  public let code: Code
  /// What happened, where, what to do.
  public let description: String

  /// - Parameter description: what happened, where, what to do.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
