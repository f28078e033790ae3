public import Base

/// Compact JWS (RFC 7515 §7.1).
public enum JWT {
  /// base64url(header).base64url(claims).base64url(signature), members in the order given.
  public static func make(
    header: JSONObject, claims: JSONObject, key: SigningKey, algorithm: SigningAlgorithm
  ) throws(SigningError) -> String { "" }
}
