import Base
import Providers
import Store

/// One credential's authorization as the processes of the minute share it.
struct SharedAccess: Sendable {
  /// What lasts longer than a day is no token that was made from a credential, but the credential itself.
  static let longestLife: Int64 = 86_400_000

  private let tokens: TokenStore
  private let name: String

  /// - Parameter name: the credential's fingerprint.
  init(_ tokens: TokenStore, name: String) {
    self.tokens = tokens
    self.name = name
  }

  func read() async throws -> Access? {
    try await tokens.token(for: name).map(Self.access)
  }

  /// - Returns: the access to use: this one, or that of a process which was faster.
  func offer(_ access: Access, insteadOf refused: String?) async throws -> Access {
    let now = EpochMilliseconds.now
    guard let authorization = access.authorization, access.validUntil.value - now.value <= Self.longestLife else {
      return access
    }
    let fresh = StoredToken(
      token: authorization, renewAfter: Double(access.renewAt.value - now.value) / 1000,
      expiresAfter: Double(access.validUntil.value - now.value) / 1000)
    return Self.access(try await tokens.offer(fresh, for: name, insteadOf: refused))
  }

  private static func access(_ stored: StoredToken) -> Access {
    let now = EpochMilliseconds.now
    return Access(
      authorization: stored.token, renewAt: now.adding(seconds: stored.renewAfter),
      validUntil: now.adding(seconds: stored.expiresAfter))
  }
}
