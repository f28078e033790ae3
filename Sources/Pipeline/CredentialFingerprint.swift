import Base
import Campaign
import Signing

/// Names a credential without giving it away: what two channels, or two processes, share when this is equal.
enum CredentialFingerprint {
  /// SHA-256 of the secret and of the settings that a token is made from.
  static func make(_ channel: Channel, secret: [UInt8]) -> String {
    let settings = channel.settings
    let parts = [settings.teamID, settings.keyID, settings.tokenEndpoint].map { $0 ?? "" }.joined(separator: "\n")
    return Hex.encode(Digest.sha256(secret + [0] + Array(parts.utf8)))
  }
}
