/// The rule by which a time zone goes on after its last listed transition: the POSIX form in the footer of a zone file
/// (RFC 8536 §3.3), `EET-2EEST,M3.5.0/3,M10.5.0/4`.
struct ZoneRule: Sendable, Equatable {
  /// A day of the year and the second of it at which the clock changes; seconds may be negative or above a day.
  struct Change: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// 1…365, the 29th of February not counted.
      case julian(Int)
      /// 0…365
      case ordinal(Int)
      /// The weekday (0 Sunday) of the month's week; 5 is the last.
      case weekday(month: Int, week: Int, day: Int)
    }
    var day: Day
    var second: Int

    /// Seconds since 1970 on the clock that is to be changed.
    func seconds(in year: Int64) -> Int64 {
      let start = CivilTime(year: year, month: 1, day: 1).secondsSince1970
      let days: Int
      switch day {
      case .julian(let number): days = number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
      case .ordinal(let number): days = number
      case .weekday(let month, let week, let day):
        let first = CivilTime(year: year, month: month, day: 1)
        var date = 1 + (day - first.weekday + 7) % 7 + (week - 1) * 7
        if date > CivilTime.days(in: month, of: year) { date -= 7 }
        return CivilTime(year: year, month: month, day: date).secondsSince1970 + Int64(second)
      }
      return start + Int64(days) * 86_400 + Int64(second)
    }
  }

  /// Seconds east of Greenwich.
  let standard: Int
  let summer: Int
  /// When summer time begins and ends; nil where there is none.
  let changes: (start: Change, end: Change)?

  func offset(at seconds: Int64) -> Int {
    guard let changes else { return standard }
    let year = CivilTime(secondsSince1970: seconds + Int64(standard)).year
    let start = changes.start.seconds(in: year) - Int64(standard)
    let end = changes.end.seconds(in: year) - Int64(summer)
    let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
    return isSummer ? summer : standard
  }

  static func == (a: ZoneRule, b: ZoneRule) -> Bool {
    a.standard == b.standard && a.summer == b.summer && a.changes?.start == b.changes?.start
      && a.changes?.end == b.changes?.end
  }

  /// Nil when the text is none.
  init?(_ text: some Collection<UInt8>) {
    var reader = Reader(text)
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      (summer, changes) = (standard, nil)
      return
    }
    guard reader.skipName() else { return nil }
    if reader.peek == UInt8(ascii: ",") {
      summer = standard + 3600
    } else {
      guard let west = reader.time() else { return nil }
      summer = -west
    }
    guard reader.skip(","), let start = reader.change(), reader.skip(","), let end = reader.change(), reader.isAtEnd
    else { return nil }
    changes = (start, end)
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: some Collection<UInt8>) { bytes = Array(text) }

    var isAtEnd: Bool { at == bytes.count }
    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func skip(_ character: Character) -> Bool {
      guard peek == character.asciiValue else { return false }
      at += 1
      return true
    }

    /// `EET`, `<+03>`.
    mutating func skipName() -> Bool {
      let start = at
      if skip("<") {
        while let byte = peek, byte != UInt8(ascii: ">") {
          _ = byte
          at += 1
        }
        return skip(">")
      }
      while let byte = peek, (0x61...0x7A).contains(byte | 0x20) { at += 1 }
      return at - start >= 3
    }

    mutating func number() -> Int? {
      let start = at
      var value = 0
      while let byte = peek, (0x30...0x39).contains(byte), at - start < 4 {
        value = value * 10 + Int(byte - 0x30)
        at += 1
      }
      return at > start ? value : nil
    }

    /// `[+-]h[h][:mm[:ss]]` in seconds.
    mutating func time() -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard var seconds = number().map({ $0 * 3600 }) else { return nil }
      if skip(":") {
        guard let minutes = number() else { return nil }
        seconds += minutes * 60
        if skip(":") {
          guard let rest = number() else { return nil }
          seconds += rest
        }
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      let day: Change.Day
      if skip("M") {
        guard let month = number(), (1...12).contains(month), skip("."), let week = number(), (1...5).contains(week),
          skip("."), let weekday = number(), (0...6).contains(weekday)
        else { return nil }
        day = .weekday(month: month, week: week, day: weekday)
      } else if skip("J") {
        guard let number = number(), (1...365).contains(number) else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(), (0...365).contains(number) else { return nil }
        day = .ordinal(number)
      }
      guard skip("/") else { return Change(day: day, second: 7200) }
      guard let second = time() else { return nil }
      return Change(day: day, second: second)
    }
  }
}
