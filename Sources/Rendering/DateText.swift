internal import Base

/// `date "d MMMM, HH:mm" .Vars.starts_at`: a moment as the recipient's clock shows it.
struct DateText {
  /// Letters of a pattern, with the meaning that Unicode's date patterns give them; everything else stands for itself,
  /// and what is between apostrophes too.
  static let fields = [
    "yyyy", "yy", "MMMM", "MMM", "MM", "M", "dd", "d", "EEEE", "EEE", "HH", "H", "hh", "h", "mm", "ss", "a",
  ]

  private enum Part {
    case text(String)
    case field(String)
  }

  private let parts: [Part]

  /// - Throws: `EvaluationError` for letters that stand for nothing.
  init(_ pattern: String) throws(EvaluationError) {
    var parts: [Part] = []
    var rest = pattern[...]
    while let first = rest.first {
      if first == "'" {
        rest = rest.dropFirst()
        let text = rest.prefix { $0 != "'" }
        // Two apostrophes are one.
        parts.append(.text(text.isEmpty && rest.first == "'" ? "'" : String(text)))
        rest = rest.dropFirst(text.count + 1)
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        guard Self.fields.contains(String(run)) else {
          throw EvaluationError(
            "date knows no \(run) in its pattern; it knows \(Self.fields.joined(separator: ", ")), other words stand in apostrophes"
          )
        }
        parts.append(.field(String(run)))
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.text(String(first)))
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
  }

  /// - Parameters:
  ///   - value: an ISO 8601 text, or seconds since 1970. A text that names no zone is a clock's time already.
  ///   - zone: an IANA name; nil = UTC.
  ///   - locale: whose words months and days are; Russian for `ru`, else English.
  func text(of value: Value, zone: String?, locale: String?) throws(EvaluationError) -> String {
    let time: CivilTime
    switch value {
    case .data(.number(let digits)):
      guard let seconds = Double(digits), abs(seconds) < 1e12 else {
        throw EvaluationError("date takes seconds since 1970, here is \(digits)")
      }
      time = try Self.local(Int64(seconds.rounded(.down)), zone)
    case .data(.string(let text)):
      guard let parsed = CivilTime.parse(text.utf8) else {
        throw EvaluationError("date takes a time in ISO 8601 or seconds since 1970, not this text")
      }
      time =
        try parsed.offset.map { (offset) throws(EvaluationError) in
          try Self.local(parsed.time.secondsSince1970 - Int64(offset), zone)
        } ?? parsed.time
    default: throw EvaluationError("date takes a time in ISO 8601 or seconds since 1970, here is \(value.kind)")
    }
    let words = CalendarWords.of(locale)
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): Self.text(field, time, words)
      }
    }.joined()
  }

  private static func local(_ seconds: Int64, _ name: String?) throws(EvaluationError) -> CivilTime {
    guard let zone = ZoneInfo.named(name ?? "UTC") else {
      throw EvaluationError("date: this machine knows no time zone \(name ?? "")")
    }
    return CivilTime(secondsSince1970: seconds + Int64(zone.offset(at: seconds)))
  }

  private static func text(_ field: String, _ time: CivilTime, _ words: CalendarWords) -> String {
    let hour = (time.hour + 11) % 12 + 1
    return switch field {
    case "yyyy": padded(Int(time.year), 4)
    case "yy": padded(Int(time.year % 100), 2)
    case "MMMM": words.months[time.month - 1]
    case "MMM": words.shortMonths[time.month - 1]
    case "MM": padded(time.month, 2)
    case "M": String(time.month)
    case "dd": padded(time.day, 2)
    case "d": String(time.day)
    case "EEEE": words.days[time.weekday]
    case "EEE": words.shortDays[time.weekday]
    case "HH": padded(time.hour, 2)
    case "H": String(time.hour)
    case "hh": padded(hour, 2)
    case "h": String(hour)
    case "mm": padded(time.minute, 2)
    case "ss": padded(time.second, 2)
    default: time.hour < 12 ? "AM" : "PM"
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Names of months and days. Months as they stand beside a day: `24 декабря`.
private struct CalendarWords {
  let months: [String]
  let shortMonths: [String]
  /// From Sunday on.
  let days: [String]
  let shortDays: [String]

  static func of(_ locale: String?) -> CalendarWords { TextLanguage(locale) == .russian ? russian : english }

  private static let english = CalendarWords(
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ],
    shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    shortDays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])

  private static let russian = CalendarWords(
    months: [
      "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября",
      "декабря",
    ],
    shortMonths: [
      "янв.", "февр.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек.",
    ],
    days: ["воскресенье", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота"],
    shortDays: ["вс", "пн", "вт", "ср", "чт", "пт", "сб"])
}

/// The languages whose rules are written down here.
enum TextLanguage {
  case english, russian

  /// Of a locale as profiles have it: `ru`, `ru-RU`, `ru_RU`; English for every other.
  init(_ locale: String?) {
    let language = (locale ?? "").lowercased().prefix { $0 != "-" && $0 != "_" }
    self = language == "ru" ? .russian : .english
  }
}
