internal import Campaign

/// Keys of `channel.settings` that every provider knows.
enum CommonSettings {
  static let keys: Set<String> = [
    "endpoint", "ca_file", "proxy", "connections", "streams", "rate", "ramp", "timeout", "retry_5xx_after", "breaker",
    "hub_url", "ttl",
  ]
}

extension Provider {
  /// Refuses settings that mean nothing here: somebody who gives them expects something of them.
  func refuseForeignSettings(of channel: Channel) throws(ProviderError) {
    guard let key = channel.settings.givenKeys.first(where: { !settingKeys.contains($0) }) else { return }
    let known = settingKeys.sorted().joined(separator: ", ")
    throw ProviderError(
      .configuration, "\(channel.label): the setting \(key) means nothing to \(name); it knows \(known)")
  }
}
