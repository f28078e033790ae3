internal import Base
internal import Campaign
internal import Signing

/// Apple's provider token: a JWT signed with the team's key, valid for an hour from its `iat`.
struct APNsCredential: AccessSource {
  private let key: SigningKey
  private let teamID: String
  private let keyID: String
  private let label: String

  /// Apple refuses tokens older than an hour, and new ones more often than every twenty minutes. Fifty minutes after
  /// the first use leaves room on both sides.
  static let renewal = 50.0 * 60
  static let lifetime = 60.0 * 60

  /// - Parameter credential: the `.p8` file, PKCS#8 or SEC1.
  /// - Throws: `ProviderError` naming the setting or the credential.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    guard let teamID = channel.settings.teamID, WireText.isHeaderWord(teamID) else {
      throw ProviderError(.configuration, "\(channel.label): the settings need team_id")
    }
    guard let keyID = channel.settings.keyID, WireText.isHeaderWord(keyID) else {
      throw ProviderError(.configuration, "\(channel.label): the settings need key_id")
    }
    label = CredentialJSON.label(of: channel)
    key = try CredentialJSON.signingKey(credential, .p256, label: label)
    self.teamID = teamID
    self.keyID = keyID
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    let token: String
    do {
      token = try JWT.make(
        header: JSONObject([.init(key: "alg", value: .string("ES256")), .init(key: "kid", value: .string(keyID))]),
        claims: JSONObject([
          .init(key: "iss", value: .string(teamID)), .init(key: "iat", value: .number(String(now.seconds))),
        ]), key: key, algorithm: .es256)
    } catch {
      throw ProviderError(.configuration, "\(label): \(error)")
    }
    return .ready(
      Access(
        authorization: "bearer " + token, renewAt: now.adding(seconds: Self.renewal),
        validUntil: now.adding(seconds: Self.lifetime)))
  }
}
