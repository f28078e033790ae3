/// A private key in memory: RSA or P-256.
public final class SigningKey: Sendable {
  public enum Kind: Sendable { case rsa, p256 }

  public let kind: Kind

  /// Reads PEM: PKCS#8, PKCS#1 (RSA) or SEC1 (P-256), unencrypted.
  /// - Throws: `SigningError` with the reason and the openssl line that helps, never the key's text.
  public init(pem: [UInt8]) throws(SigningError) { throw SigningError("no key") }

  /// Signs `message`. ES256 gives the 64 bytes r‖s of RFC 7518 §3.4, never DER.
  public func sign(_ message: [UInt8], _ algorithm: SigningAlgorithm) throws(SigningError) -> [UInt8] { [] }
}

/// JWS algorithms (RFC 7518 §3.1): RSASSA-PKCS1-v1_5, ECDSA P-256, RSASSA-PSS with a salt of 32 bytes, all SHA-256.
public enum SigningAlgorithm: String, Sendable { case rs256 = "RS256", es256 = "ES256", ps256 = "PS256" }

/// Why a key can't be read or used. One line, no secret.
public struct SigningError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
