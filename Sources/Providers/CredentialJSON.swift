internal import Base
internal import Campaign
internal import Signing

/// A credential that is a JSON object. Errors name the channel, the reference and the member, never a value.
struct CredentialJSON {
  private let members: JSONObject
  /// `channel 7 (Shop): credential file:shop.json`
  let label: String

  init(_ bytes: [UInt8], of channel: Channel) throws(ProviderError) {
    label = Self.label(of: channel)
    let value: JSON
    do { value = try JSONScanner.parse(bytes) } catch {
      throw ProviderError(
        .configuration, "\(label) is not valid JSON at line \(error.line), column \(error.column)")
    }
    guard let object = value.object else {
      throw ProviderError(.configuration, "\(label) must hold a JSON object, not \(value.kind)")
    }
    members = object
  }

  static func label(of channel: Channel) -> String { "\(channel.label): credential \(channel.credential)" }

  /// A text that may be missing; a number counts as its digits.
  func optional(_ key: String) -> String? {
    switch members[key] {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let digits): digits
    default: nil
    }
  }

  /// A text that must be there.
  func text(_ key: String) throws(ProviderError) -> String {
    guard let text = optional(key) else { throw ProviderError(.configuration, "\(label) has no \"\(key)\"") }
    return text
  }

  /// The private key in a member.
  func signingKey(_ key: String, _ kind: SigningKey.Kind) throws(ProviderError) -> SigningKey {
    try Self.signingKey(Array(text(key).utf8), kind, label: "\(label), \"\(key)\"")
  }

  /// A PEM key of the kind a provider signs with.
  static func signingKey(_ pem: [UInt8], _ kind: SigningKey.Kind, label: String) throws(ProviderError) -> SigningKey {
    let key: SigningKey
    do { key = try SigningKey(pem: pem) } catch {
      throw ProviderError(.configuration, "\(label): \(error)")
    }
    guard key.kind == kind else {
      throw ProviderError(.configuration, "\(label): \(kind == .rsa ? "an RSA" : "a P-256") key is needed")
    }
    return key
  }
}
