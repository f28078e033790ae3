/// Every provider Salvo knows. A new one is a folder here and one line below.
public enum Registry {
  public static let providers: [any Provider] = [
    FCMProvider(),
    APNsProvider(),
    HMSProvider(),
    AppMetricaProvider(),
  ]

  /// By the name in `channel.provider`.
  public static func provider(named name: String) -> (any Provider)? {
    providers.first { $0.name == name }
  }
}
