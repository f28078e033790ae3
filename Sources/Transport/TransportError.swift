/// Why a pool can't be made.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable { case unsupported, trust, configuration }
  public let code: Code
  /// What happened, where, what to do.
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
