import Base
internal import CMicroHTTPD

/// One request on its way through libmicrohttpd: what was read of it, then its answer. Kept by the request's userdata
/// from its first callback to the completed one.
final class HTTPExchange: Sendable {
  let request: HTTPRequest
  private let state = Guarded(State())

  private struct State {
    var received = 0
    var response: HTTPResponse?
  }

  init(_ request: HTTPRequest) { self.request = request }

  /// Reads a request's line and headers.
  convenience init(_ connection: OpaquePointer, method: UnsafePointer<CChar>, url: UnsafePointer<CChar>) {
    func header(_ name: String) -> String? {
      MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }
    self.init(
      HTTPRequest(
        method: String(cString: method), path: String(cString: url), host: header("host"), origin: header("origin"),
        fetchSite: header("sec-fetch-site"), authorization: header("authorization")))
  }

  /// Bytes of a body came; nothing here reads one.
  /// - Returns: false when it is more than anybody has reason to send.
  func received(_ bytes: Int, limit: Int) -> Bool {
    state.withLock { state in
      state.received += bytes
      return state.received <= limit
    }
  }

  var response: HTTPResponse? { state.withLock { $0.response } }
  func answered(_ response: HTTPResponse) { state.withLock { $0.response = response } }

  /// Hands the answer to libmicrohttpd, which sends it and closes: a connection serves one request, so that its age is
  /// the request's.
  static func queue(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
    let made = response.body.withUnsafeBytes { bytes in
      // Copied at once, never written to.
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers { _ = MHD_add_response_header(made, name, value) }
    _ = MHD_add_response_header(made, "Connection", "close")
    return MHD_queue_response(connection, UInt32(clamping: response.status), made)
  }

  // MARK: Userdata

  func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
  static func of(_ raw: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged<HTTPExchange>.fromOpaque(raw).takeUnretainedValue()
  }
  static func release(_ raw: UnsafeMutableRawPointer) { Unmanaged<HTTPExchange>.fromOpaque(raw).release() }
}
