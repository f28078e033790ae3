internal import Campaign
internal import Transport

extension Channel {
  /// How messages for people name it.
  var label: String { "channel \(id) (\(name))" }
}

extension PoolConfiguration {
  /// A channel's pool: its settings over the provider's defaults (design §10.1).
  /// - Parameter host: the provider's own host, used when the channel names no endpoint.
  /// - Throws: `ProviderError` when the endpoint isn't `https://host[:port]`.
  init(
    _ channel: Channel, host: String, connections: Int, streams: Int, version: Version = .http2
  ) throws(ProviderError) {
    let endpoint = channel.settings.endpoint ?? "https://" + host
    guard let address = ServiceAddress(endpoint), address.path == "/" else {
      throw ProviderError(
        .configuration, "\(channel.label): endpoint \"\(endpoint)\" must be https://host[:port] without a path")
    }
    self.init(
      name: channel.name, endpoint: address.endpoint, connections: channel.settings.connections ?? connections,
      streams: channel.settings.streams ?? streams)
    self.version = version
    caFile = channel.settings.caFile
    proxy = channel.settings.proxy
    if let seconds = channel.settings.timeoutSeconds { timeout = seconds }
  }
}

/// Keys of `channel.settings` that every provider knows.
enum CommonSettings {
  static let keys: Set<String> = [
    "endpoint", "ca_file", "proxy", "connections", "streams", "rate", "ramp", "timeout", "retry_5xx_after", "breaker",
    "hub_url", "ttl",
  ]
}

/// A name that goes into a request's path: letters, digits, `.`, `_`, `:`, `-`.
enum PathName {
  static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
