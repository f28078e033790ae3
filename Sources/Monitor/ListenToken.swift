import Signing

/// What a command must carry as `authorization: Bearer …`.
public struct ListenToken: Sendable {
  /// Shorter ones can be guessed.
  public static let shortest = 16

  private let digest: [UInt8]

  /// - Parameter bytes: the secret, tidied. Nil when it is too short.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.shortest else { return nil }
    digest = Digest.sha256(bytes)
  }

  /// Compares digests in constant time, so that neither length nor beginning of the token shows in how long it takes.
  func matches(authorization: String?) -> Bool {
    let scheme = "Bearer "
    guard let authorization, authorization.hasPrefix(scheme) else { return false }
    let given = Digest.sha256(Array(authorization.utf8.dropFirst(scheme.utf8.count)))
    guard given.count == digest.count else { return false }
    return zip(given, digest).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
