public import Base

/// Requests rendered together: one arena of bytes, many requests that point into it.
public final class RequestPage: Sendable {
  /// Bodies, paths and header lines of all requests. Lives until the last answer of the page is in.
  public let bytes: [UInt8]
  /// In the order in which they are handed over.
  public let requests: [Request]
  /// Header lines that every request carries: content type, authorization.
  public let headers: HeaderSet

  /// - Parameter bytes: what the ranges of all requests lie in.
  public init(bytes: [UInt8], requests: [Request], headers: HeaderSet) {
    self.bytes = bytes
    self.requests = requests
    self.headers = headers
  }
}

/// One HTTP request, as ranges of its page's bytes.
public struct Request: Sendable {
  /// HTTP's.
  public enum Method: Sendable { case get, post }

  /// POST unless it says otherwise.
  public var method: Method
  /// Path and query, appended to the pool's endpoint; begins with `/`, ASCII, already percent-encoded.
  public var path: ByteRange
  /// This request's own header lines (`name: value`), each ended by one NUL byte; empty for none.
  public var headers: ByteRange
  /// Empty for GET.
  public var body: ByteRange

  /// Ranges of its page's bytes.
  public init(method: Method = .post, path: ByteRange, headers: ByteRange, body: ByteRange) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }
}

/// Header lines shared by many requests. Identity matters: a pool keeps one list in libcurl for each living set, so
/// make one when the credential changes, not one a page.
public final class HeaderSet: Sendable {
  /// `name: value`, no CR, LF or NUL.
  public let lines: [String]

  /// - Parameter lines: `name: value`, no CR, LF or NUL.
  public init(_ lines: [String]) { self.lines = lines }
}
