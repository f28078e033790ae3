internal import Base
internal import Campaign
internal import Signing
internal import Transport

/// A Google service account (RFC 7523): a signed assertion is exchanged for a bearer token.
struct FCMCredential: AccessSource {
  /// The project that the account belongs to.
  let projectID: String?
  private let clientEmail: String
  private let key: SigningKey
  private let keyID: String
  private let tokenURI: String
  private let tokenEndpoint: ServiceAddress
  private let label: String

  static let scope = "https://www.googleapis.com/auth/firebase.messaging"
  /// Seconds that `iat` lies in the past: a host clock a little ahead would make the assertion one of the future.
  static let backdated: Int64 = 10
  /// Google takes an hour at most.
  static let lifetime: Int64 = 3600

  /// - Throws: `ProviderError` naming the member that is missing or unusable.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    let json = try CredentialJSON(credential, of: channel)
    label = json.label
    clientEmail = try json.text("client_email")
    keyID = try json.text("private_key_id")
    key = try json.signingKey("private_key", .rsa)
    projectID = json.optional("project_id")
    tokenURI = try json.text("token_uri")
    guard let address = ServiceAddress(tokenURI) else {
      throw ProviderError(.configuration, "\(json.label): \"token_uri\" must be an https address")
    }
    tokenEndpoint = address
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    let issued = now.seconds - Self.backdated
    let assertion: String
    do {
      assertion = try JWT.make(
        header: JSONObject([
          .init(key: "alg", value: .string("RS256")), .init(key: "typ", value: .string("JWT")),
          .init(key: "kid", value: .string(keyID)),
        ]),
        claims: JSONObject([
          .init(key: "iss", value: .string(clientEmail)), .init(key: "scope", value: .string(Self.scope)),
          .init(key: "aud", value: .string(tokenURI)), .init(key: "iat", value: .number(String(issued))),
          .init(key: "exp", value: .number(String(issued + Self.lifetime))),
        ]), key: key, algorithm: .rs256)
    } catch {
      throw ProviderError(.configuration, "\(label): \(error)")
    }
    return .exchange(
      AccessExchange(
        endpoint: tokenEndpoint.endpoint, path: tokenEndpoint.path,
        form: FormText.encode([
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion,
        ])))
  }

  func access(from answer: Answer, askedAt: EpochMilliseconds) throws(ProviderError) -> Access {
    try OAuthAnswer.access(from: answer, askedAt: askedAt, label: label) { members in
      let error = AnswerText.line(members["error"]?.string ?? "no reason given")
      let description = members["error_description"]?.string.map { ", " + AnswerText.line($0) } ?? ""
      // The same words for a wrong clock, a deleted key and a bad signature: the reader must look at both.
      return error == "invalid_grant"
        ? "invalid_grant\(description): check this machine's clock, then the key" : error + description
    }
  }
}
