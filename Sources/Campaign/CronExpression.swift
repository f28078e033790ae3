/// Five fields of cron: minute, hour, day of the month, month, day of the week.
///
/// As crontab(5) has them: `*`, numbers, ranges, lists, steps (`*/15`, `8-18/2`), English names of months and days by
/// three letters, Sunday as 0 or 7. When both days are restricted, a day matches that satisfies either.
public struct CronExpression: Sendable, Equatable {
  private struct Field: Sendable {
    let name: String
    let range: ClosedRange<Int>
    var names: [String] = []
  }

  private static let fields = [
    Field(name: "minute", range: 0...59), Field(name: "hour", range: 0...23), Field(name: "day", range: 1...31),
    Field(
      name: "month", range: 1...12,
      names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    Field(name: "weekday", range: 0...7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
  ]

  /// Days looked back at most: 29 February comes every eight years around 1900 and 2100.
  private static let longestLookBack = 8 * 366 + 1

  private let minutes: [Int]
  private let hours: [Int]
  private let days: Set<Int>
  private let months: Set<Int>
  private let weekdays: Set<Int>
  private let anyDay: Bool
  private let anyWeekday: Bool

  /// - Throws: `CampaignError` naming the field and what is allowed there.
  public init(_ text: String) throws(CampaignError) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" }).map(String.init)
    guard words.count == Self.fields.count else {
      throw CampaignError(
        field: "cron", message: "five fields, minute hour day month weekday, not \(words.count)")
    }
    var sets: [Set<Int>] = []
    for (word, field) in zip(words, Self.fields) { sets.append(try Self.values(word, field)) }
    minutes = sets[0].sorted()
    hours = sets[1].sorted()
    days = sets[2]
    months = sets[3]
    weekdays = Set(sets[4].map { $0 % 7 })
    anyDay = words[2].hasPrefix("*")
    anyWeekday = words[4].hasPrefix("*")
  }

  /// The minutes after `start` up to `end` that match, newest first.
  /// - Parameter limit: how many at most.
  public func times(after start: LocalMinute, through end: LocalMinute, limit: Int) -> [LocalMinute] {
    var found: [LocalMinute] = []
    var day = end.day
    while day >= start.day, day > end.day - Self.longestLookBack {
      if matches(day: day) {
        for hour in hours.reversed() {
          for minute in minutes.reversed() {
            let time = LocalMinute(day: day, minuteOfDay: hour * 60 + minute)
            guard time <= end else { continue }
            guard time > start, found.count < limit else { return found }
            found.append(time)
          }
        }
      }
      day -= 1
    }
    return found
  }

  private func matches(day: Int) -> Bool {
    let date = CalendarDate(days: day)
    guard months.contains(date.month) else { return false }
    let isDay = days.contains(date.day)
    // 1970-01-01 was a Thursday.
    let isWeekday = weekdays.contains(((day + 4) % 7 + 7) % 7)
    return anyDay || anyWeekday ? isDay && isWeekday : isDay || isWeekday
  }

  private static func values(_ word: String, _ field: Field) throws(CampaignError) -> Set<Int> {
    var values: Set<Int> = []
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      guard let found = Self.part(String(part), field) else {
        throw CampaignError(
          field: "cron.\(field.name)",
          message: "\(field.range.lowerBound) to \(field.range.upperBound), as 5, 1-5, */5 or 1,3, not \"\(word)\"")
      }
      values.formUnion(found)
    }
    return values
  }

  private static func part(_ part: String, _ field: Field) -> Set<Int>? {
    let halves = part.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard halves.count <= 2 else { return nil }
    var step = 1
    if halves.count == 2 {
      guard let given = number(halves[1]), (1...field.range.upperBound).contains(given) else { return nil }
      step = given
    }
    var range = field.range
    if halves[0] != "*" {
      let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { value(String($0), field) }
      guard ends.count <= 2, let low = ends[0], let high = ends.count == 2 ? ends[1] : low, low <= high else {
        return nil
      }
      // crontab(5) has steps after ranges only; `5/15` would be anybody's guess.
      guard halves.count == 1 || ends.count == 2 else { return nil }
      range = low...high
    }
    return Set(stride(from: range.lowerBound, through: range.upperBound, by: step))
  }

  private static func value(_ word: String, _ field: Field) -> Int? {
    if let at = field.names.firstIndex(of: word.lowercased()) { return at + field.range.lowerBound }
    guard let number = number(word), field.range.contains(number) else { return nil }
    return number
  }

  /// Digits alone: no sign, no blanks.
  private static func number(_ word: String) -> Int? {
    guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(word)
  }
}
