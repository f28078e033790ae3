internal import Base
internal import Campaign
internal import Rendering

/// A message of strings alone for an Android app whose SDK draws it itself: Mindbox's or Braze's. With a notification
/// block the system would draw it, and the SDK never see it.
struct DataMessage {
  private let channel: Channel
  private let content: Content

  /// - Throws: `ProviderError` naming the field that the SDK wouldn't read.
  init(of channel: Channel, _ content: Content) throws(ProviderError) {
    self.channel = channel
    self.content = content
    switch channel.profile {
    case .mindbox: try MindboxProfile.check(content, for: channel, platform: .android)
    case .braze: try BrazeProfile.checkForAndroid(content, of: channel)
    case .altcraft, .fcm, .custom: break
    }
  }

  /// The text of the profile's data map.
  var data: [UInt8] { channel.profile == .braze ? BrazeProfile.dataTemplate : MindboxProfile.dataTemplate }

  /// - Parameters:
  ///   - path: where the provider's message has the data map.
  ///   - reserved: names that the provider keeps for itself.
  func shape(at path: String, reserved: [String] = [], template: TemplateSource) -> PayloadShape {
    if channel.profile == .braze {
      return PayloadShape(
        template: template, dropEmpty: BrazeProfile.emptyData(at: path),
        // Braze hands customers' own pairs to the app as one JSON text.
        customData: CustomDataPlace(path: JSONPath("\(path).extra{}"), form: .strings, reserved: []))
    }
    return PayloadShape(
      template: template,
      customData: CustomDataPlace(
        path: JSONPath(path), form: .strings, reserved: reserved + MindboxProfile.reserved + ["title", "message"]),
      overlays: MindboxProfile.overlays(of: content, at: path))
  }
}
