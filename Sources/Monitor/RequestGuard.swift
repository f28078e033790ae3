/// Who may ask for what. No cookies: what a browser sends by itself authorises nothing.
struct RequestGuard: Sendable {
  /// Host names that requests may be addressed to, beside numeric addresses and `localhost`; without ports.
  let hosts: Set<String>
  /// Nil: nothing can be changed.
  let token: ListenToken?

  /// Against DNS rebinding: a foreign page that had its name lead here would still send its own name.
  func refusal(ofHost host: String?) -> HTTPResponse? {
    guard let name = host.flatMap(Self.name(ofHost:)), ListenAddress.isNumeric(name) || known(name) else {
      return HTTPResponse(421, "this host name is not served here; --listen-host allows it")
    }
    return nil
  }

  /// Against foreign pages, and against whoever lacks the token.
  func refusal(ofCommand request: HTTPRequest) -> HTTPResponse? {
    // A browser names the page's origin on every POST; programs name none. https: behind a proxy that adds TLS.
    let own = request.host.map { ["http://" + $0, "https://" + $0] } ?? []
    if let origin = request.origin, !own.contains(origin) {
      return HTTPResponse(403, "commands are taken from this page alone")
    }
    if let site = request.fetchSite, !["same-origin", "none"].contains(site) {
      return HTTPResponse(403, "commands are taken from this page alone")
    }
    guard let token else { return HTTPResponse(403, "read-only: started without --listen-token") }
    guard token.matches(authorization: request.authorization) else {
      return HTTPResponse(401, "authorization: Bearer TOKEN is needed", headers: ["WWW-Authenticate": "Bearer"])
    }
    return nil
  }

  private func known(_ name: String) -> Bool { name == "localhost" || hosts.contains(name) }

  /// `[::1]:9464` → `::1`; nil when it is no host with or without a port.
  private static func name(ofHost host: String) -> String? {
    var name = host.lowercased()[...]
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return nil }
      let rest = name[name.index(after: end)...]
      guard rest.isEmpty || isPort(rest) else { return nil }
      return String(name[name.index(after: name.startIndex)..<end])
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return nil }
      name = name[..<colon]
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func isPort(_ text: Substring) -> Bool { text.first == ":" && UInt16(text.dropFirst()) != nil }
}
