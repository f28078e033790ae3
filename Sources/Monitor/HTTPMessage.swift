import Base

/// A request, as far as anything here looks at it.
struct HTTPRequest: Sendable, Equatable {
  var method: String
  /// Without the query, percent escapes resolved.
  var path: String
  var host: String?
  var origin: String?
  /// `sec-fetch-site`: what a browser says of where the request comes from.
  var fetchSite: String?
  var authorization: String?

  init(
    method: String, path: String, host: String? = nil, origin: String? = nil, fetchSite: String? = nil,
    authorization: String? = nil
  ) {
    self.method = method
    self.path = path
    self.host = host
    self.origin = origin
    self.fetchSite = fetchSite
    self.authorization = authorization
  }
}

/// An answer and its headers.
struct HTTPResponse: Sendable, Equatable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  init(_ status: Int, type: String, body: [UInt8], headers: [String: String] = [:]) {
    self.status = status
    self.headers = headers.merging(["Content-Type": type]) { $1 }
    self.body = body
  }

  /// One line of text.
  init(_ status: Int, _ text: String, headers: [String: String] = [:]) {
    self.init(status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8), headers: headers)
  }

  init(_ status: Int, json: JSON) {
    self.init(status, type: "application/json", body: Array((json.text + "\n").utf8))
  }
}
