internal import Base
internal import Campaign
internal import Signing

/// An OAuth token as AppMetrica gives it out: one line, no lifetime known.
struct AppMetricaCredential: AccessSource {
  private let token: String

  /// - Throws: `ProviderError` when the file isn't one word of visible ASCII: a second line would become a header.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    do { token = try CredentialText.word(credential) } catch {
      throw ProviderError(.configuration, "\(CredentialJSON.label(of: channel)): \(error)")
    }
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    .ready(
      Access(
        authorization: "OAuth " + token, renewAt: EpochMilliseconds(.max), validUntil: EpochMilliseconds(.max)))
  }
}
