public import Base

/// Compact JWS (RFC 7515 §7.1).
public enum JWT {
  /// base64url(header).base64url(claims).base64url(signature), members in the order given.
  /// - Throws: `SigningError` when the algorithm is not one of the key's kind.
  public static func make(
    header: JSONObject, claims: JSONObject, key: SigningKey, algorithm: SigningAlgorithm
  ) throws(SigningError) -> String {
    var token: [UInt8] = []
    Base64URL.append(Array(JSON.object(header).text.utf8), to: &token)
    token.append(UInt8(ascii: "."))
    Base64URL.append(Array(JSON.object(claims).text.utf8), to: &token)
    let signature = try key.sign(token, algorithm)
    token.append(UInt8(ascii: "."))
    Base64URL.append(signature, to: &token)
    return String(decoding: token, as: UTF8.self)
  }
}
