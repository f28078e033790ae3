/// A minute on somebody's calendar and clock, in no zone: which moment it is, if any, the zone says.
public struct LocalMinute: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Days since 1970-01-01.
  let day: Int
  /// 0…1439
  let minuteOfDay: Int

  init(day: Int, minuteOfDay: Int) {
    self.day = day
    self.minuteOfDay = minuteOfDay
  }

  /// Reads `YYYY-MM-DD HH:MM`; nil for anything else, and for dates that the calendar doesn't have.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = TimeOfDay(String(parts[1])) else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, [4, 2, 2] == date.map(\.utf8.count),
      date.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let year = Int(date[0]),
      let month = Int(date[1]), let day = Int(date[2])
    else { return nil }
    self.init(day: CalendarDate.days(year: year, month: month, day: day), minuteOfDay: time.minutesAfterMidnight)
    guard CalendarDate(days: self.day) == CalendarDate(year: year, month: month, day: day) else { return nil }
  }

  public static func < (a: LocalMinute, b: LocalMinute) -> Bool {
    (a.day, a.minuteOfDay) < (b.day, b.minuteOfDay)
  }

  /// `YYYY-MM-DD HH:MM`
  public var description: String {
    let date = CalendarDate(days: day)
    let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
    let year = String(date.year)
    return String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year
      + "-\(Self.two(date.month))-\(Self.two(date.day)) \(Self.two(hour)):\(Self.two(minute))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A day of the Gregorian calendar. The arithmetic is Howard Hinnant's `days_from_civil`, whose years begin in March:
/// https://howardhinnant.github.io/date_algorithms.html
struct CalendarDate: Equatable {
  let year: Int
  let month: Int
  let day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// - Parameter days: since 1970-01-01, from year 1 on.
  init(days: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; a day or month beyond its range runs on into the next.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
