/// What came of one request.
public enum Exchange: Sendable {
  /// A complete HTTP status line came back. It decides, whatever libcurl said afterwards.
  case answered(Answer)
  /// Nothing of it reached the provider, provably: it may be sent again without a second buzz.
  case notSent(NotSent)
  /// It may have reached the provider and no answer came: reset, silence, time-out. The text says how.
  case unknown(String)
}

/// Why a request certainly wasn't taken.
public enum NotSent: Sendable, Equatable {
  /// The pool was told to hand nothing new to the network.
  case stopped
  /// Its send deadline passed while it waited in the pool.
  case deadline
  /// No connection: name, refusal, TLS. The text is for people.
  case unreachable(String)
  /// The peer's certificate was not trusted.
  case untrusted(String)
  /// Refused by the peer before it was processed: GOAWAY below its stream, REFUSED_STREAM.
  case refused(String)
  /// The peer ended the TLS handshake for our certificate's sake. With TLS 1.3 its word comes when the first request
  /// is written already, but a server processes nothing before the handshake is complete on its side too.
  case certificateRefused(String)
}

/// A whole HTTP answer.
public struct Answer: Sendable {
  /// HTTP status.
  public var status: Int
  /// The value of `retry-after`, if the answer had one.
  public var retryAfter: String?
  /// The body's beginning, as far as the pool's `answerLimit` goes.
  public var body: [UInt8]

  /// - Parameter body: its beginning, as far as it was kept.
  public init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// The exchange of one request and how often it was given to the network (0 or 1: libcurl's own re-send is off).
public struct ExchangeResult: Sendable {
  /// What became of the request.
  public var exchange: Exchange
  /// How often it was handed to the network.
  public var handedOver: Int
  /// From handing it to the network to its answer; nil when there is none.
  public var seconds: Double?

  /// - Parameters:
  ///   - handedOver: 0 or 1.
  ///   - seconds: from then to the answer; nil when there is none.
  public init(exchange: Exchange, handedOver: Int, seconds: Double? = nil) {
    self.exchange = exchange
    self.handedOver = handedOver
    self.seconds = seconds
  }
}
