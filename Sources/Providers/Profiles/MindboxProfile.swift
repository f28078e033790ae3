internal import Base
internal import Campaign
internal import Rendering

/// Payloads that Mindbox's app SDKs read (iOS 2.15, Android 2.15): the message's own key, link, picture, text for the
/// app and buttons, beside `aps` for Apple's devices, as a map of strings for Android's. A value of another type isn't
/// refused there: the SDK takes the whole message for somebody else's.
enum MindboxProfile {
  static let reserved = ["uniqueKey", "clickUrl", "imageUrl", "payload", "buttons"]

  /// The payload's root for Apple's devices.
  static func appleTemplate(of channel: Channel) -> [UInt8] {
    let text = PackageResources.mindbox_apple_json
    guard channel.settings.contentAvailable == 0 else { return text }
    return TemplateText.replacing(#""content-available": 1"#, with: #""content-available": 0"#, in: text)
  }

  /// The data map for Android's.
  static var dataTemplate: [UInt8] { PackageResources.mindbox_data_json }

  /// What the content says instead of the default text for the app.
  /// - Parameter path: the object that `payload` is a member of.
  static func overlays(of content: Content, at path: String) -> [PayloadOverlay] {
    guard let payload = content.payload else { return [] }
    let place = JSONPath(path.isEmpty ? "payload" : "\(path).payload")
    return [PayloadOverlay(path: place, json: payload, field: "content.payload", isText: payload.object != nil)]
  }

  /// - Throws: `ProviderError` naming the field that the SDK wouldn't read.
  static func check(_ content: Content, for channel: Channel, platform: Platform) throws(ProviderError) {
    func refuse(_ text: String) -> ProviderError { ProviderError(.content, "\(channel.label): \(text)") }
    if content.silent {
      throw refuse("content.silent: Mindbox's SDK shows every message, it knows no silent one")
    }
    guard content.body?.isEmpty == false else {
      throw refuse("content.body: is needed, Mindbox's SDK takes a message without it for another's")
    }
    if platform == .ios, content.sound?.object != nil {
      throw refuse("content.sound: a name, not an object: Mindbox's SDK takes the message for another's otherwise")
    }
  }
}
