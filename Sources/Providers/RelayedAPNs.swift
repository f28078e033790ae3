internal import Base
internal import Campaign
internal import Rendering

/// Messages for Apple's devices that another provider hands on to APNs: headers and payload lie in the body, under
/// `message.apns`.
enum RelayedAPNs {
  /// Empty headers and texts that show go; Apple takes neither.
  static let dropEmpty: [JSONPath] = ["message.apns.headers.*", "message.apns.payload.aps.alert.*"]

  /// Native members at the payload's root, beside `aps`.
  /// - Parameter reserved: names that the provider itself puts there.
  static func customData(reserved: [String] = []) -> CustomDataPlace {
    CustomDataPlace(
      path: "message.apns.payload", form: .native, reserved: ["aps"] + reserved + ReservedNames.published)
  }

  /// The built-in template for a channel. A bundle id in the settings becomes a header; without one the provider
  /// knows the app's.
  static func template(_ text: [UInt8], topic: String?) -> [UInt8] {
    guard let topic else { return text }
    let expiration = #""apns-expiration": "{{.TTL}}","#
    return TemplateText.replacing(expiration, with: #"\#(expiration) "apns-topic": "\#(topic)","#, in: text)
  }

  /// The content's collapse id as Apple's header takes it, nil without one.
  /// - Throws: `ProviderError` when it isn't visible ASCII and spaces, 64 bytes at most (else 400 BadCollapseId).
  static func collapseID(of content: Content, for channel: Channel) throws(ProviderError) -> String? {
    guard let id = content.collapseID, !id.isEmpty else { return nil }
    guard id.utf8.count <= 64, id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw ProviderError(.content, "collapse_id must be 64 ASCII characters at most for \(channel.label)")
    }
    return id
  }
}
