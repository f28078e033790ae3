import Campaign

/// How large a lane's bodies are: exact at the ends, the median to the byte up to 8 KiB and to the KiB above.
struct BodySizes: Sendable, Equatable {
  /// One body's size, and whose it is.
  struct Body: Sendable, Equatable {
    var bytes: Int
    var key: RecipientKey
  }

  private(set) var smallest: Body?
  private(set) var largest: Body?
  /// By size: some thousands of entries at most.
  private var counts: [Int: Int64] = [:]
  private static let exact = 8_192

  /// Of equals the lowest key is kept, so that the order in which parts are merged doesn't matter.
  mutating func add(_ bytes: Int, of key: RecipientKey) {
    take(Body(bytes: bytes, key: key))
    counts[bytes <= Self.exact ? bytes : bytes / 1_024 * 1_024, default: 0] += 1
  }

  mutating func merge(_ other: BodySizes) {
    for body in [other.smallest, other.largest] { if let body { take(body) } }
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  private mutating func take(_ body: Body) {
    if smallest.map({ (body.bytes, body.key) < ($0.bytes, $0.key) }) ?? true { smallest = body }
    if largest.map({ body.bytes > $0.bytes || (body.bytes == $0.bytes && body.key < $0.key) }) ?? true {
      largest = body
    }
  }

  /// The lower one of two in the middle.
  var median: Int? {
    var left = (counts.values.reduce(0, +) + 1) / 2
    for (bytes, count) in counts.sorted(by: { $0.key < $1.key }) {
      left -= count
      if left <= 0 { return bytes }
    }
    return nil
  }
}
