internal import Campaign

extension Channel {
  /// How messages for people name it.
  var label: String { "channel \(id) (\(name))" }
}
