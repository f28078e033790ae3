/// What a request of a day's allowance is for.
public enum DayRequest: Sendable {
  case sending
  /// What became of something sent.
  case question

  /// Of the day, what is kept for questions in any case: one may not be enough for a sending.
  static let keptPart: Int64 = 50

  /// Whether it may be made. A sending must leave one question for each sending that none was asked about yet, itself
  /// among them, so that whatever was sent can be asked about on the same day.
  /// - Parameters:
  ///   - limit: the day's requests.
  ///   - requests: made so far.
  ///   - sendings: so many of these were sendings.
  func isGranted(limit: Int64, requests: Int64, sendings: Int64) -> Bool {
    let left = limit - requests
    switch self {
    case .question: return left > 0
    case .sending:
      let owed = sendings + 1 - (requests - sendings)
      return left > max(owed, limit / Self.keptPart, 1)
    }
  }
}
