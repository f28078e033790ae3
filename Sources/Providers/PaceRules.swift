/// How fast a provider wants to be asked, where the channel's settings say nothing.
public struct PaceRules: Sendable, Equatable {
  /// What a rate counts.
  public enum Unit: Sendable {
    /// Messages, or devices where one request carries many.
    case messages
    case requests
  }

  /// What a rate counts.
  public var unit: Unit
  /// Units a second; nil = as fast as it answers.
  public var rate: Double?
  /// Seconds from the first message until the full rate.
  public var ramp: Double
  /// What the ramp rises to where no rate is set: the provider's own limit.
  public var rampTarget: Double?
  /// Requests on one day (GMT), status questions included.
  public var requestsPerDay: Int?

  /// Without arguments: as fast as the provider answers, all day.
  public init(
    unit: Unit = .messages, rate: Double? = nil, ramp: Double = 0, rampTarget: Double? = nil,
    requestsPerDay: Int? = nil
  ) {
    self.unit = unit
    self.rate = rate
    self.ramp = ramp
    self.rampTarget = rampTarget
    self.requestsPerDay = requestsPerDay
  }
}
