internal import Base
internal import Campaign
internal import Signing
internal import Transport

/// Huawei's two kinds of credential: an OAuth client whose secret is exchanged for a token, or a service account whose
/// JWT is itself the bearer.
struct HMSCredential: AccessSource {
  private enum Kind {
    case client(secret: String)
    case serviceAccount(key: SigningKey, keyID: String, subAccount: String)
  }

  /// The path's value under api v1; a service account may lack it.
  let clientID: String?
  /// The path's value under api v2, unless the settings name it.
  let projectID: String?
  private let kind: Kind
  private let tokenURI: String
  private let tokenEndpoint: ServiceAddress
  private let label: String

  static let tokenURI = "https://oauth-login.cloud.huawei.com/oauth2/v3/token"
  /// Seconds; above a day Huawei answers 80300036.
  static let lifetime: Int64 = 3600

  /// Told apart by `sub_account`, which only a service account has.
  /// - Throws: `ProviderError` naming the member that is missing or unusable.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    let json = try CredentialJSON(credential, of: channel)
    label = json.label
    tokenURI = channel.settings.tokenEndpoint ?? Self.tokenURI
    guard let address = ServiceAddress(tokenURI) else {
      throw ProviderError(.configuration, "\(channel.label): token_endpoint must be an https address")
    }
    tokenEndpoint = address
    projectID = json.optional("project_id")
    if let subAccount = json.optional("sub_account") {
      clientID = json.optional("client_id")
      kind = .serviceAccount(
        key: try json.signingKey("private_key", .rsa), keyID: try json.text("key_id"), subAccount: subAccount)
    } else {
      clientID = try json.text("client_id")
      kind = .client(secret: try json.text("client_secret"))
    }
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    switch kind {
    case .client(let secret):
      return .exchange(
        AccessExchange(
          endpoint: tokenEndpoint.endpoint, path: tokenEndpoint.path,
          form: FormText.encode([
            "grant_type": "client_credentials", "client_id": clientID ?? "", "client_secret": secret,
          ])))
    case .serviceAccount(let key, let keyID, let subAccount):
      let token: String
      do {
        token = try JWT.make(
          header: JSONObject([
            .init(key: "kid", value: .string(keyID)), .init(key: "typ", value: .string("JWT")),
            .init(key: "alg", value: .string("PS256")),
          ]),
          claims: JSONObject([
            .init(key: "iss", value: .string(subAccount)), .init(key: "aud", value: .string(tokenURI)),
            .init(key: "iat", value: .number(String(now.seconds))),
            .init(key: "exp", value: .number(String(now.seconds + Self.lifetime))),
          ]), key: key, algorithm: .ps256)
      } catch {
        throw ProviderError(.configuration, "\(label): \(error)")
      }
      let lifetime = Double(Self.lifetime)
      return .ready(
        Access(
          authorization: "Bearer " + token, renewAt: now.adding(seconds: lifetime - OAuthAnswer.early),
          validUntil: now.adding(seconds: lifetime)))
    }
  }

  func access(from answer: Answer, askedAt: EpochMilliseconds) throws(ProviderError) -> Access {
    try OAuthAnswer.access(from: answer, askedAt: askedAt, label: label) { members in
      let error = members["error"]?.int.map(String.init) ?? members["error"]?.string ?? "no reason given"
      let sub = members["sub_error"]?.int.map(String.init) ?? members["sub_error"]?.string
      let advice =
        switch sub {
        case "12304", "20171": ": check client_secret"
        case "20002", "20003": ": check client_id"
        default: members["error_description"]?.string.map { ", " + $0 } ?? ""
        }
      return AnswerText.line("error \(error)" + (sub.map { "/\($0)" } ?? "") + advice)
    }
  }
}
