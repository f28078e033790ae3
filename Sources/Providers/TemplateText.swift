internal import Campaign
internal import Rendering

/// The text of a channel's template before it is compiled.
enum TemplateText {
  /// The channel's own template, or the provider's built-in one.
  /// - Throws: `ProviderError` when the profile isn't one of the provider's, or `custom` comes without a template.
  static func source(
    of channel: Channel, for provider: some Provider, builtIn: () -> [UInt8]
  ) throws(ProviderError) -> TemplateSource {
    guard provider.profiles.contains(channel.profile) else {
      let known = provider.profiles.map(\.rawValue).joined(separator: ", ")
      throw ProviderError(
        .configuration,
        "\(channel.label): \(provider.name) has no payload profile \(channel.profile.rawValue); it knows \(known)")
    }
    if let template = channel.template {
      return TemplateSource(name: "\(channel.label)'s own template", text: Array(template.utf8))
    }
    guard channel.profile != .custom else {
      throw ProviderError(
        .configuration, "\(channel.label): the profile custom needs a template of the channel's own")
    }
    return TemplateSource(
      name: "\(provider.name) (\(channel.profile.rawValue))", text: compact(builtIn()))
  }

  /// The text without the white space between its JSON tokens: it is there for people, and each byte counts against
  /// a provider's limit. Strings and `{{actions}}` stay as they are.
  static func compact(_ text: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var at = 0
    var isInString = false
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "{"), at + 1 < text.count, text[at + 1] == byte {
        let end = endOfAction(text, from: at)
        out.append(contentsOf: text[at..<end])
        at = end
        continue
      }
      if isInString, byte == UInt8(ascii: "\\"), at + 1 < text.count {
        out.append(contentsOf: text[at...at + 1])
        at += 2
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if isInString || !TokenShape.isSpace(byte) { out.append(byte) }
      at += 1
    }
    return out
  }

  /// Past the `}}` that closes the action which begins at `start`; quotes inside may hold braces.
  private static func endOfAction(_ text: [UInt8], from start: Int) -> Int {
    var at = start + 2
    var isQuoted = false
    while at < text.count {
      if isQuoted, text[at] == UInt8(ascii: "\\") {
        at += 2
        continue
      }
      if text[at] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, text[at] == UInt8(ascii: "}"), at + 1 < text.count, text[at + 1] == text[at] { return at + 2 }
      at += 1
    }
    return text.count
  }

  /// `text` with the only occurrence of `old` replaced.
  static func replacing(_ old: String, with new: String, in text: [UInt8]) -> [UInt8] {
    let old = Array(old.utf8)
    guard let range = text.firstRange(of: old) else { return text }
    return Array(text[..<range.lowerBound]) + Array(new.utf8) + Array(text[range.upperBound...])
  }
}

/// Names that customers' own data may not use.
enum ReservedNames {
  /// Members of the published structure that the apps' SDK reads. `_extra` isn't among them: the SDK hands that one
  /// on to the app, so a customer may set it.
  static let published = [
    "_ac_push", "_uid", "_launch_id", "_title", "_provider", "_body", "_icon", "_click_action", "_click-url", "_color",
    "_image", "_media", "_vibration", "_soundless", "_hub_link", "_buttons", "ak_uid",
  ]
}
