/// JWS algorithms (RFC 7518 §3.1), all over SHA-256.
public enum SigningAlgorithm: String, Sendable {
  /// RSASSA-PKCS1-v1_5
  case rs256 = "RS256"
  /// ECDSA on P-256
  case es256 = "ES256"
  /// RSASSA-PSS with MGF1 and a salt of 32 bytes
  case ps256 = "PS256"
}
