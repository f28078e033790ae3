import Campaign

/// What looking at some recipients of a lane came to. Parts are merged in any order.
struct LaneTally: Sendable, Equatable {
  /// How many it concerns, and one of them: the lowest key.
  struct Cases: Sendable, Equatable {
    var count: Int64
    var example: RecipientKey
    var detail: String?
  }

  /// Different words kept of a kind; values of recipients may stand in them.
  static let mostWords = 50

  private(set) var examined: Int64 = 0
  /// Handed to the provider, if it were sent.
  private(set) var sendable: Int64 = 0
  private(set) var skipped: [String: Int64] = [:]
  /// By reason.
  private(set) var rejected: [String: Cases] = [:]
  /// Values that recipients lack, by the words that name field and value.
  private(set) var missing: [String: Cases] = [:]
  /// What the app's SDK would pass over, by field and words.
  private(set) var problems: [String: Cases] = [:]
  private(set) var sizes = BodySizes()

  mutating func skip(_ reason: String) {
    examined += 1
    skipped[reason, default: 0] += 1
  }

  mutating func reject(_ key: RecipientKey, reason: String, detail: String?) {
    examined += 1
    Self.add(Cases(count: 1, example: key, detail: detail), reason, to: &rejected)
    if reason == "missing_value", let detail { missing(detail, key) }
  }

  mutating func accept(_ key: RecipientKey, bytes: Int) {
    examined += 1
    sendable += 1
    sizes.add(bytes, of: key)
  }

  /// A value is missing, whatever comes of it.
  mutating func missing(_ words: String, _ key: RecipientKey) {
    Self.add(Cases(count: 1, example: key, detail: nil), words, to: &missing)
  }

  mutating func problem(_ words: String, _ key: RecipientKey) {
    Self.add(Cases(count: 1, example: key, detail: nil), words, to: &problems)
  }

  mutating func merge(_ other: LaneTally) {
    examined += other.examined
    sendable += other.sendable
    skipped.merge(other.skipped, uniquingKeysWith: +)
    for (key, cases) in other.rejected { Self.add(cases, key, to: &rejected) }
    for (key, cases) in other.missing { Self.add(cases, key, to: &missing) }
    for (key, cases) in other.problems { Self.add(cases, key, to: &problems) }
    sizes.merge(other.sizes)
  }

  private static func add(_ cases: Cases, _ word: String, to all: inout [String: Cases]) {
    let word = all[word] != nil || all.count < mostWords ? word : "others"
    guard let known = all[word] else {
      all[word] = cases
      return
    }
    let first = known.example < cases.example ? known : cases
    all[word] = Cases(count: known.count + cases.count, example: first.example, detail: first.detail)
  }
}
