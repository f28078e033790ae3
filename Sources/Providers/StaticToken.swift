internal import Base
internal import Campaign
internal import Signing

/// A token that is sent as it was given out: one line, no lifetime known.
struct StaticToken: AccessSource {
  private let authorization: String

  /// - Parameter scheme: what stands before the token in the header: `OAuth`, `Bearer`.
  /// - Throws: `ProviderError` when the file isn't one word of visible ASCII: a second line would become a header.
  init(_ credential: [UInt8], of channel: Channel, scheme: String) throws(ProviderError) {
    do { authorization = "\(scheme) \(try CredentialText.word(credential))" } catch {
      throw ProviderError(.configuration, "\(CredentialJSON.label(of: channel)): \(error)")
    }
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    .ready(
      Access(authorization: authorization, renewAt: EpochMilliseconds(.max), validUntil: EpochMilliseconds(.max)))
  }
}
