/// `channel.settings` (design §10.1), every key typed; nil = the provider's default. Unknown keys were refused by
/// name when it was read.
public struct ChannelSettings: Sendable, Equatable {
  /// `https://host[:port]`, no path.
  public var endpoint: String?
  public var tokenEndpoint: String?
  public var caFile: String?
  public var proxy: String?
  public var projectID: String?
  public var api: String?
  public var topic: String?
  public var environment: String?
  public var teamID: String?
  public var keyID: String?
  public var auth: String?
  public var groupID: Int64?
  public var idType: String?
  public var openAction: String?
  public var dataForm: String?
  public var targetUserType: Int64?
  public var priorityField: Bool?
  public var contentAvailable: Int64?
  public var connections: Int?
  public var streams: Int?
  /// Units a second; what a unit is depends on the provider.
  public var rate: Double?
  public var requestsPerDay: Int?
  public var rampSeconds: Double?
  public var timeoutSeconds: Double?
  public var retry5xxAfterSeconds: Double?
  public var breaker = BreakerSettings()
  public var hubURL: String?
  public var ttlMilliseconds: Int64?

  public init() {}
}

/// When a wave of dead tokens stops a lane.
public struct BreakerSettings: Sendable, Equatable {
  /// Verdicts before the first decision.
  public var sample: Int
  /// Share of dead tokens above which the lane stops, 0…1.
  public var share: Double
  /// And at least so many dead ones.
  public var minimum: Int

  public init(sample: Int = 200, share: Double = 0.5, minimum: Int = 20) {
    self.sample = sample
    self.share = share
    self.minimum = minimum
  }
}
