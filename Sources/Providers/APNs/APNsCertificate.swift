internal import Base
internal import Campaign
internal import Signing

/// Apple's other way: the connection's client certificate authorises, so no request carries a token.
struct APNsCertificate: AccessSource {
  /// The certificate, its chain and its key.
  let pem: [UInt8]

  /// - Parameter credential: PEM with the certificate and its unencrypted key.
  /// - Throws: `ProviderError` naming the credential.
  init(_ credential: [UInt8], of channel: Channel) throws(ProviderError) {
    do { pem = try ClientCertificate(pem: credential).pem } catch {
      throw ProviderError(.configuration, "\(CredentialJSON.label(of: channel)): \(error)")
    }
  }

  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
    .ready(Access(authorization: nil, renewAt: EpochMilliseconds(.max), validUntil: EpochMilliseconds(.max)))
  }
}
