/// A date and time of day of the Gregorian calendar, without a zone. Plain arithmetic: no libc, whose zone is the
/// process's, and no ICU.
public struct CivilTime: Sendable, Equatable {
  /// Of the Gregorian calendar, before its introduction too.
  public var year: Int64
  /// 1…12
  public var month: Int
  /// 1…31
  public var day: Int
  /// 0…23
  public var hour: Int
  /// 0…59
  public var minute: Int
  /// 0…59; there are no leap seconds.
  public var second: Int

  /// The parts as given, midnight without a time of day. Nothing is checked: `parse` does that for texts.
  public init(year: Int64, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The time that a clock shows so many seconds after 1970 began on it; years 1 to 9999, others end there.
  public init(secondsSince1970 seconds: Int64) {
    let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let days = (seconds - Self.modulo(seconds, 86_400)) / 86_400
    let rest = Int(Self.modulo(seconds, 86_400))
    // Days since 0000-03-01, in eras of 400 years; years begin in March, so that the leap day is a year's last.
    let shifted = days + 719_468
    let era = (shifted - Self.modulo(shifted, 146_097)) / 146_097
    let dayOfEra = Self.modulo(shifted, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.month = Int(month < 10 ? month + 3 : month - 9)
    day = Int(dayOfYear - (153 * month + 2) / 5 + 1)
    year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
  }

  /// Seconds since 1970 began on the clock that shows this time.
  public var secondsSince1970: Int64 {
    daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  private var daysSince1970: Int64 {
    let year = month <= 2 ? self.year - 1 : self.year
    let era = (year - Self.modulo(year, 400)) / 400
    let yearOfEra = Self.modulo(year, 400)
    let month = Int64(self.month > 2 ? self.month - 3 : self.month + 9)
    let dayOfYear = (153 * month + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 Sunday … 6 Saturday.
  public var weekday: Int { Int(Self.modulo(daysSince1970 + 4, 7)) }

  /// Whether the year has a 29 February: every fourth one, of those that end a century every fourth.
  public static func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// Days in a month.
  /// - Parameter month: 1…12
  public static func days(in month: Int, of year: Int64) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Never negative.
  private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension CivilTime {
  /// What a text in ISO 8601's extended form says: a date, or a date and a time with `T` or a space between them, and
  /// maybe a zone. Fractions of a second are dropped.
  public struct Parsed: Sendable, Equatable {
    /// Date and time of day, midnight when the text names none.
    public var time: CivilTime
    /// Seconds east of Greenwich; nil when the text names no zone.
    public var offset: Int?
    /// Whether the text names a time of day.
    public var hasTimeOfDay: Bool
  }

  /// Reads `2026-12-24`, `2026-12-24T18:00`, `2026-12-24 18:00:30.5+01:00`: years 1 to 9999, second 60 as 59; nil for
  /// anything else, days that the month doesn't have included.
  public static func parse(_ text: some Collection<UInt8>) -> Parsed? {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), year > 0, (1...12).contains(month),
      (1...days(in: month, of: Int64(year))).contains(day)
    else { return nil }
    var parsed = Parsed(
      time: CivilTime(year: Int64(year), month: month, day: day), offset: nil, hasTimeOfDay: false)
    if scanner.isAtEnd { return parsed }
    guard scanner.skip("Tt "), let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2),
      hour < 24, minute < 60
    else { return nil }
    (parsed.time.hour, parsed.time.minute, parsed.hasTimeOfDay) = (hour, minute, true)
    if scanner.skip(":") {
      guard let second = scanner.number(2), second < 61 else { return nil }
      parsed.time.second = min(second, 59)
      if scanner.skip(".,") { guard scanner.skipDigits() else { return nil } }
    }
    if scanner.isAtEnd { return parsed }
    if scanner.skip("Zz") {
      parsed.offset = 0
    } else {
      let isEast = scanner.skip("+")
      guard isEast || scanner.skip("-"), let hours = scanner.number(2), hours < 24 else { return nil }
      _ = scanner.skip(":")
      let minutes = scanner.isAtEnd ? 0 : scanner.number(2)
      guard let minutes, minutes < 60 else { return nil }
      parsed.offset = (hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
    }
    return scanner.isAtEnd ? parsed : nil
  }
}

extension EpochMilliseconds {
  /// The moment that an ISO 8601 text names, in UTC where it names no zone; nil when it is none.
  public init?(iso8601 text: String) {
    guard let parsed = CivilTime.parse(text.utf8) else { return nil }
    self.init((parsed.time.secondsSince1970 - Int64(parsed.offset ?? 0)) * 1000)
  }
}

/// Reads fixed numbers of digits.
private struct DigitScanner {
  private let bytes: [UInt8]
  private var at = 0

  init(_ text: some Collection<UInt8>) { bytes = Array(text) }

  var isAtEnd: Bool { at == bytes.count }

  mutating func number(_ count: Int) -> Int? {
    guard at + count <= bytes.count, bytes[at..<at + count].allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    defer { at += count }
    return bytes[at..<at + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// One of these characters.
  mutating func skip(_ characters: String) -> Bool {
    guard at < bytes.count, characters.utf8.contains(bytes[at]) else { return false }
    at += 1
    return true
  }

  mutating func skipDigits() -> Bool {
    let start = at
    while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
    return at > start
  }
}
