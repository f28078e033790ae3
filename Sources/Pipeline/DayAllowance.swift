import Store

/// Requests that a credential may make on one day. Each is counted in the database before it is made, so that all
/// runners together keep to the day, and those of a sending leave enough for the questions about it.
struct DayAllowance: Sendable {
  let rates: RateStore
  /// The credential's fingerprint.
  let name: String
  let limit: Int64

  /// Takes one request.
  /// - Returns: nil when it may be made; else the seconds until the next day begins.
  func take(_ request: DayRequest) async throws -> Double? {
    try await rates.spend(request, of: name, daily: limit).map { max($0, 1) }
  }
}
