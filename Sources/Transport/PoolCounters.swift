/// What a pool counts for people and metrics; nothing decides by it.
public struct PoolCounters: Sendable, Equatable {
  /// Connections opened since the start.
  public internal(set) var connectionsOpened = 0
  /// Answers: complete HTTP status lines.
  public internal(set) var answers = 0
  /// Seconds from handing a request to the network to its answer: all together, the shortest, the longest.
  public internal(set) var totalLatency = 0.0
  /// Of one request in seconds; 0 before the first answer.
  public internal(set) var shortestLatency = 0.0
  /// Of one request in seconds.
  public internal(set) var longestLatency = 0.0

  /// Nothing counted yet.
  public init() {}

  mutating func answerArrived(after seconds: Double) {
    shortestLatency = answers == 0 ? seconds : min(shortestLatency, seconds)
    longestLatency = max(longestLatency, seconds)
    totalLatency += seconds
    answers += 1
  }
}
