internal import Base
internal import Campaign

/// An OAuth token as AppMetrica gives it out: one line, no lifetime known.
struct AppMetricaCredential: AccessSource {
  private let token: String

  /// - Throws: `ProviderError` when the file isn't one line of visible ASCII: a second line would become a header.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    token = String(decoding: credential, as: UTF8.self)
    guard HeaderText.isVisible(token) else {
      throw ProviderError(
        .configuration, "\(CredentialJSON.label(of: channel)) must be one line, the OAuth token and nothing else")
    }
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    .ready(
      Access(
        authorization: "OAuth " + token, renewAt: EpochMilliseconds(.max), validUntil: EpochMilliseconds(.max)))
  }
}
