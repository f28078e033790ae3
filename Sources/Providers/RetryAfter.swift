internal import Base

/// The header `retry-after` (RFC 9110 §10.2.3): seconds, or a moment.
enum RetryAfter {
  /// A day: nobody is told to come back later than that, and no number overflows.
  static let longest: Int64 = 86_400

  /// Seconds from `now`, 0…86,400; nil when the value is neither form.
  static func seconds(_ value: String?, now: EpochMilliseconds) -> Double? {
    guard let value else { return nil }
    let text = value.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "\r" && $0 != "\n" }
    let digits = text.prefix { $0 != " " && $0 != "\t" }
    if !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return Double(min(Int64(digits) ?? longest, longest))
    }
    guard let moment = epochSeconds(ofDate: text) else { return nil }
    let wait = moment.subtractingReportingOverflow(now.seconds)
    return wait.overflow ? nil : Double(min(max(wait.partialValue, 0), longest))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The three forms of RFC 9110 §5.6.7: `Tue, 10 Mar 2026 12:02:00 GMT`, `Tuesday, 10-Mar-26 12:02:00 GMT`,
  /// `Tue Mar 10 12:02:00 2026`.
  private static func epochSeconds(ofDate text: Substring) -> Int64? {
    var parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard parts.count >= 5 else { return nil }
    if months.contains(String(parts[1])) {
      parts = [parts[0], parts[2], parts[1], parts[4], parts[3]]
    }
    guard let day = Int64(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(parts[2])), var year = Int64(parts[3]), (0...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    if parts[3].count == 2 { year += year < 70 ? 2000 : 1900 }
    return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March so that the leap day is
  /// the last one.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
