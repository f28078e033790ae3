internal import Base
internal import Campaign
internal import Rendering

/// A payload for Apple's devices whose app has Mindbox's or Braze's SDK, as Apple takes it or within another provider's
/// message.
struct ApplePayload {
  private let channel: Channel
  private let content: Content
  /// Where the payload's root lies; "" for the whole.
  private let path: String

  /// - Throws: `ProviderError` naming the field that the SDK wouldn't read.
  init(of channel: Channel, _ content: Content, at path: String) throws(ProviderError) {
    self.channel = channel
    self.content = content
    self.path = path
    if channel.profile == .mindbox { try MindboxProfile.check(content, for: channel, platform: .ios) }
  }

  /// The text of the profile's payload.
  var template: [UInt8] {
    channel.profile == .braze ? BrazeProfile.appleTemplate(of: content) : MindboxProfile.appleTemplate(of: channel)
  }

  func shape(template: TemplateSource, dropEmpty: [JSONPath]) throws(ProviderError) -> PayloadShape {
    let isBraze = channel.profile == .braze
    return PayloadShape(
      template: template,
      dropEmpty: dropEmpty
        + (isBraze ? [place("aps.sound"), place("ab_uri")] : [place("aps.sound")]),
      customData: CustomDataPlace(
        path: JSONPath(path), form: .native,
        reserved: isBraze ? BrazeProfile.reservedByApple : MindboxProfile.reserved + ["aps"]),
      overlays: isBraze
        ? try BrazeProfile.appleOverlays(of: content, at: path) : MindboxProfile.overlays(of: content, at: path))
  }

  private func place(_ name: String) -> JSONPath { JSONPath(path.isEmpty ? name : "\(path).\(name)") }
}
