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
    return TemplateSource(name: "\(provider.name) (\(channel.profile.rawValue))", text: builtIn())
  }

  /// A provider's message with a profile's payload in it.
  static func envelope(_ envelope: [UInt8], around payload: [UInt8]) -> [UInt8] {
    let place = Array(#""DATA""#.utf8)
    guard let range = envelope.firstRange(of: place) else { return envelope }
    return envelope[..<range.lowerBound] + payload + envelope[range.upperBound...]
  }

  /// `text` with the only occurrence of `old` replaced.
  static func replacing(_ old: String, with new: String, in text: [UInt8]) -> [UInt8] {
    let old = Array(old.utf8)
    guard let range = text.firstRange(of: old) else { return text }
    return Array(text[..<range.lowerBound]) + Array(new.utf8) + Array(text[range.upperBound...])
  }
}
