/// One row of the table in Docker/providers/README.md: a server that misbehaves in one way, and how a launch must end
/// there.
struct WireScenario: Sendable {
  enum Provider: String, Sendable, CaseIterable {
    case fcm, apns, rustore, hms, appmetrica

    /// How the table's rows begin.
    var title: String {
      switch self {
      case .fcm: "FCM"
      case .apns: "APNs"
      case .rustore: "RuStore"
      case .hms: "HMS"
      case .appmetrica: "AppMetrica"
      }
    }

    /// One request carries many tokens, by which the server's ledger names messages then.
    var isBatching: Bool { self == .hms || self == .appmetrica }
  }

  let name: String
  let provider: Provider
  /// Of h2server.py.
  let options: [String]
  let settings: [String: TestLane.JSONValue]
  let exit: Int32
  /// How many may end so; what isn't named must be 0.
  let ends: [String: ClosedRange<Int>]
  /// Requests beyond one a message.
  let repeats: ClosedRange<Int>

  /// As the README's table names it.
  var row: String { "\(provider.title): \(name)" }

  /// Of the launch. Of Huawei's requests three must carry them.
  var messages: Int { provider == .hms ? 2_400 : 120 }

  init(
    _ name: String, _ provider: Provider, _ options: String, settings: [String: TestLane.JSONValue] = [:],
    exit: Int32 = 0, repeats: ClosedRange<Int> = 0...10_000, _ ends: [String: ClosedRange<Int>]
  ) {
    self.name = name
    self.provider = provider
    self.options = options.split(separator: " ").map(String.init)
    self.settings = settings
    self.exit = exit
    self.ends = ends
    self.repeats = repeats
  }

  /// Its one lane, at that server.
  func lane(at endpoint: String) -> TestLane {
    let settings = ["connections": 1, "streams": 40, "timeout": 5, "endpoint": .text(endpoint)]
      .merging(settings) { $1 }
    return switch provider {
    case .fcm: .firebase(messages, settings)
    case .apns: .apns(messages, settings)
    case .rustore: .ruStore(messages, settings)
    case .hms: .hms(messages, settings, start: "case when n % 10 = 0 then 'dead' else 'ab' end")
    case .appmetrica: .appMetrica(messages, settings.filter { !["connections", "streams"].contains($0.key) })
    }
  }
}
