public import Base
public import Transport

/// What authorises requests for a while.
public struct Access: Sendable {
  /// The whole header value: `Bearer …`, `bearer …`, `OAuth …`; nil when the connection itself authorises.
  public let authorization: String?
  /// From then on a new one should be made, before the old one ends.
  public let renewAt: EpochMilliseconds
  /// From then on it authorises nothing.
  public let validUntil: EpochMilliseconds

  /// - Parameter authorization: the whole header value; nil when the connection itself authorises.
  public init(authorization: String?, renewAt: EpochMilliseconds, validUntil: EpochMilliseconds) {
    self.authorization = authorization
    self.renewAt = renewAt
    self.validUntil = validUntil
  }

  /// Its header line, if it has one.
  var headerLines: [String] { authorization.map { ["authorization: " + $0] } ?? [] }
}

/// A POST that exchanges a credential for access.
public struct AccessExchange: Sendable {
  /// `https://host[:port]`
  public let endpoint: String
  /// Begins with `/`.
  public let path: String
  /// `application/x-www-form-urlencoded`
  public let form: [UInt8]

  /// - Parameter form: `application/x-www-form-urlencoded`; holds the secret.
  public init(endpoint: String, path: String, form: [UInt8]) {
    self.endpoint = endpoint
    self.path = path
    self.form = form
  }
}

/// How access is had.
public enum AccessStep: Sendable {
  /// Made on the spot: signed, or a token that never changes.
  case ready(Access)
  /// Somebody has to be asked; give the answer to `access(from:askedAt:)`.
  case exchange(AccessExchange)
}

/// Turns a credential into access. Pure: the runner asks, remembers and renews.
public protocol AccessSource: Sendable {
  /// - Throws: `ProviderError` when the key can't sign.
  func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep
  /// - Throws: `ProviderError`: `.credential` when refused for good, `.temporary` when it should be asked again.
  func access(from answer: Answer, askedAt: EpochMilliseconds) throws(ProviderError) -> Access
}

extension AccessSource {
  /// For sources that are always `.ready`.
  /// - Throws: `ProviderError` `.configuration`: there is nobody whose answer this could be.
  public func access(from answer: Answer, askedAt: EpochMilliseconds) throws(ProviderError) -> Access {
    throw ProviderError(.configuration, "this credential is exchanged with nobody")
  }
}
