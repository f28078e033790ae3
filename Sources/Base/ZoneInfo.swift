/// A time zone of the machine's tz database, read by hand: libc knows one zone a process, and people in one launch live
/// in many.
public struct ZoneInfo: Sendable, Equatable {
  /// When the clock changes, ascending, in seconds since 1970.
  private let times: [Int64]
  /// Seconds east of Greenwich from each of them on.
  private let offsets: [Int]
  /// Before the first.
  private let first: Int
  /// After the last.
  private let rule: ZoneRule?

  /// UTC, known without the tz database.
  public static let utc = ZoneInfo(times: [], offsets: [], first: 0, rule: nil)

  private init(times: [Int64], offsets: [Int], first: Int, rule: ZoneRule?) {
    self.times = times
    self.offsets = offsets
    self.first = first
    self.rule = rule
  }

  /// Seconds east of Greenwich at a moment, given in seconds since 1970.
  public func offset(at seconds: Int64) -> Int {
    guard let last = times.last, let first = times.first, seconds >= first else {
      return times.isEmpty ? rule?.offset(at: seconds) ?? self.first : self.first
    }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    var (low, high) = (0, times.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if times[middle] <= seconds { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  // MARK: By name

  private static let folder = "/usr/share/zoneinfo/"
  /// By name; nil for names of no zone.
  private static let known = Guarded<[String: ZoneInfo?]>(["UTC": utc])

  /// The zone of an IANA name, nil when the machine knows none. Reads its file once, a few kilobytes.
  public static func named(_ name: String) -> ZoneInfo? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    let zone = read(name)
    known.withLock { zones in
      // Names come from rows: a platform that makes them up doesn't fill the memory.
      if zones.count < 1000 { zones[name] = .some(zone) }
    }
    return zone
  }

  private static func read(_ name: String) -> ZoneInfo? {
    // The name becomes a part of a path.
    guard (1...64).contains(name.utf8.count), !name.hasPrefix("/"), !name.contains(".."),
      name.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "/_+-".utf8.contains($0)
      }), let bytes = try? FileReader.read(folder + name, limit: 1 << 20)
    else { return nil }
    return ZoneInfo(tzif: bytes)
  }

  // MARK: File

  /// Reads a zone file of version 2 or later (RFC 8536). Nil when it is none.
  public init?(tzif bytes: [UInt8]) {
    guard let old = Header(bytes, at: 0), old.version >= 2,
      let header = Header(bytes, at: Header.size + old.length(timeSize: 4))
    else { return nil }
    let timesAt = Header.size + old.length(timeSize: 4) + Header.size
    let typesAt = timesAt + header.times * 8
    let infosAt = typesAt + header.times
    let footerAt = timesAt + header.length(timeSize: 8)
    guard header.types > 0, footerAt <= bytes.count else { return nil }
    var infos: [Int] = []
    for index in 0..<header.types {
      infos.append(Int(Int32(truncatingIfNeeded: Self.number(bytes, at: infosAt + index * 6, size: 4))))
    }
    var times: [Int64] = []
    var offsets: [Int] = []
    for index in 0..<header.times {
      let type = Int(bytes[typesAt + index])
      guard type < infos.count else { return nil }
      times.append(Self.number(bytes, at: timesAt + index * 8, size: 8))
      offsets.append(infos[type])
    }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    let footer = bytes[footerAt...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    self.init(times: times, offsets: offsets, first: infos[0], rule: ZoneRule(footer))
  }

  private struct Header {
    static let size = 44
    let version: Int
    let times: Int
    let types: Int
    private let rest: Int
    private let leaps: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 0x30
      func count(_ index: Int) -> Int { Int(ZoneInfo.number(bytes, at: start + 20 + index * 4, size: 4)) }
      (times, types, leaps) = (count(3), count(4), count(2))
      rest = count(0) + count(1) + count(5)
      guard times >= 0, types >= 0, leaps >= 0, rest >= 0, max(times, types, leaps, rest) <= 1 << 16 else { return nil }
    }

    /// Bytes of what the header announces.
    func length(timeSize: Int) -> Int { times * (timeSize + 1) + types * 6 + leaps * (timeSize + 4) + rest }
  }

  /// A big-endian number within the bytes.
  private static func number(_ bytes: [UInt8], at start: Int, size: Int) -> Int64 {
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    return Int64(bitPattern: value)
  }
}
