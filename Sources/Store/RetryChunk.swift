internal import Base
internal import Campaign

/// Deferred messages of one window that are due together.
struct RetryChunk: Equatable {
  /// Rows due within so many milliseconds of the first share a chunk: no provider asks for better, and a lane does not
  /// fill with chunks of one.
  static let spread: Int64 = 5_000

  /// The latest of theirs, so that none is sent before its time.
  var notBefore: EpochMilliseconds
  /// Ascending.
  var keys: [RecipientKey]

  /// The deferred among `rows`, soonest first.
  /// - Parameter now: when those are due that don't say.
  static func chunks(of rows: [DeliveryRow], now: EpochMilliseconds) -> [RetryChunk] {
    let due = rows.filter { $0.outcome == .deferred }.map { (at: $0.retryAt ?? now, key: $0.key) }.sorted {
      ($0.at, $0.key) < ($1.at, $1.key)
    }
    var chunks: [RetryChunk] = []
    var first = now
    for (at, key) in due {
      if let last = chunks.indices.last, at.value &- first.value <= spread {
        chunks[last].notBefore = at
        chunks[last].keys.append(key)
      } else {
        first = at
        chunks.append(RetryChunk(notBefore: at, keys: [key]))
      }
    }
    return chunks.map { RetryChunk(notBefore: $0.notBefore, keys: $0.keys.sorted()) }
  }
}
