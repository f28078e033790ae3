/// What one of libcurl's informational lines (VERBOSE, INFO_TEXT) tells. Only 7.88.1's and 8.x's wordings are known;
/// from others nothing is concluded, and what would have been proven unsent becomes unknown.
enum InfoLine: Equatable {
  /// The transfer is this stream of its connection.
  case stream(Int)
  /// The peer processes no stream of this connection above `lastStream`.
  case goAway(error: Int, lastStream: Int)
  /// What the TLS handshake agreed on.
  case http2
  case http1
  /// The transfer leaves its connection for another one: what it reads from now on isn't its connection's.
  case retry
  /// The peer refused this transfer's stream before it processed anything of it (RFC 9113 §8.7).
  case refusedStream

  init?(_ line: some Collection<UInt8>) {
    var rest = line[...]
    switch rest.first {
    case UInt8(ascii: "R"):
      guard rest.drop("REFUSED_STREAM") else { return nil }
      self = .refusedStream
    case UInt8(ascii: "U"):
      guard rest.drop("Using Stream ID: "), let id = rest.dropNumber() else { return nil }
      self = .stream(id)
    case UInt8(ascii: "r"):
      // 7.88.1 misspells it.
      guard rest.drop("recveived GOAWAY, error=") || rest.drop("received GOAWAY, error="),
        let error = rest.dropNumber(), rest.drop(", last_stream="), let last = rest.dropNumber()
      else { return nil }
      self = .goAway(error: error, lastStream: last)
    case UInt8(ascii: "A"):
      if rest.drop("ALPN: server accepted ") {
        self = rest.drop("h2") ? .http2 : .http1
      } else if rest.drop("ALPN: server did not agree") {
        self = .http1
      } else {
        return nil
      }
    case UInt8(ascii: "C"):
      guard rest.drop("Connection died, retrying") else { return nil }
      self = .retry
    case UInt8(ascii: "I"):
      guard rest.drop("Issue another request") else { return nil }
      self = .retry
    default: return nil
    }
  }
}

extension Collection where SubSequence == Self, Element == UInt8 {
  /// Drops `prefix` from the front; false, and nothing dropped, when it isn't there.
  fileprivate mutating func drop(_ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { prefix in
      guard starts(with: prefix) else { return false }
      removeFirst(prefix.count)
      return true
    }
  }

  /// Drops a decimal number from the front; nil when there is none or it has more than 10 digits.
  fileprivate mutating func dropNumber() -> Int? {
    var value = 0
    var digits = 0
    while let byte = first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      digits += 1
      if digits > 10 { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      removeFirst()
    }
    return digits > 0 ? value : nil
  }
}
