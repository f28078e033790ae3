internal import Campaign
internal import Transport

extension PoolConfiguration {
  /// A channel's pool: its settings over the provider's defaults.
  /// - Parameter host: the provider's own host, used when the channel names no endpoint.
  init(_ channel: Channel, host: String, connections: Int, streams: Int, version: Version = .http2) {
    self.init(
      name: channel.name, endpoint: channel.settings.endpoint ?? "https://" + host,
      connections: channel.settings.connections ?? connections, streams: channel.settings.streams ?? streams)
    self.version = version
    caFile = channel.settings.caFile
    proxy = channel.settings.proxy
    if let seconds = channel.settings.timeoutSeconds { timeout = seconds }
  }
}
