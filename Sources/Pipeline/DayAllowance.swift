import Base
import Store

/// Requests that a credential may make on one day, taken from the database a few at a time.
final class DayAllowance: Sendable {
  /// Taken at once at most, and never more than a five-hundredth of the day: a run that ends gives away what is left.
  static let largestPortion: Int64 = 10
  static let portionsPerDay: Int64 = 500

  private let rates: RateStore
  private let name: String
  private let limit: Int64
  private let portion: Int64
  private let left = Guarded<Int64>(0)

  init(_ rates: RateStore, name: String, limit: Int64) {
    self.rates = rates
    self.name = name
    self.limit = limit
    portion = min(max(limit / Self.portionsPerDay, 1), Self.largestPortion)
  }

  /// Takes one request.
  /// - Returns: nil when it may be made; else the seconds until the next day begins.
  func take() async throws -> Double? {
    if takeLeft() { return nil }
    let answer = try await rates.spend(portion, of: name, daily: limit)
    left.withLock { $0 += answer.granted }
    return takeLeft() ? nil : max(answer.nextDayAfter, 1)
  }

  private func takeLeft() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}
