internal import Base
internal import Transport

/// The answer of an OAuth 2 token endpoint (RFC 6749 §5).
enum OAuthAnswer {
  /// How long before its end a token is renewed: Google's and Huawei's own clients use up to five minutes. Of a
  /// short-lived token the last half.
  static let early = 300.0

  /// - Parameters:
  ///   - askedAt: the lifetime is counted from the question: the answer may have been long under way.
  ///   - label: names the credential in errors.
  ///   - hint: what to look at when the endpoint refuses, made from its answer's members.
  /// - Throws: `.credential` for 400, 401, 403; `.temporary` for 408, 429, 5xx and a success without a token;
  ///   `.configuration` for anything else: nobody there knows the path.
  static func access(
    from answer: Answer, askedAt: EpochMilliseconds, label: String, hint: (JSONObject) -> String
  ) throws(ProviderError) -> Access {
    let members = (try? JSONScanner.parse(answer.body))?.object ?? JSONObject()
    switch answer.status {
    case 200..<300:
      guard let token = members["access_token"]?.string, !token.isEmpty else {
        throw ProviderError(.temporary, "\(label): the token endpoint answered \(answer.status) without access_token")
      }
      guard WireText.isHeaderWord(token) else {
        throw ProviderError(.credential, "\(label): the access token holds characters that no header can carry")
      }
      let lifetime = min(max(seconds(members["expires_in"]) ?? 3600, 0), 86_400)
      return Access(
        authorization: "Bearer " + token, renewAt: askedAt.adding(seconds: lifetime - min(early, lifetime / 2)),
        validUntil: askedAt.adding(seconds: lifetime))
    case 400, 401, 403:
      throw ProviderError(
        .credential, "\(label) was refused by the token endpoint (HTTP \(answer.status)): \(hint(members))")
    case 408, 429, 500..<600:
      throw ProviderError(.temporary, "\(label): the token endpoint answered HTTP \(answer.status), ask again later")
    default:
      throw ProviderError(
        .configuration, "\(label): the token endpoint answered HTTP \(answer.status), check its address")
    }
  }

  /// A number, or the text of one.
  private static func seconds(_ value: JSON?) -> Double? {
    value?.double ?? value?.string.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
