/// Every provider Salvo knows. A new one is a folder here, or a file in the folder of its family, and one line below.
public enum Registry {
  /// In the order in which they are listed.
  public static let providers: [any Provider] = [
    AndroidFirebaseProvider(),
    IOSFirebaseProvider(),
    WebFirebaseProvider(),
    APNsProvider(),
    AndroidHMSProvider(),
    IOSHMSProvider(),
    AndroidAppMetricaProvider(),
    IOSAppMetricaProvider(),
    RuStoreProvider(),
  ]

  /// By the name in `channel.provider`.
  public static func provider(named name: String) -> (any Provider)? {
    providers.first { $0.name == name }
  }
}
