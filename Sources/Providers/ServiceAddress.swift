/// An https address split as a request needs it.
struct ServiceAddress: Equatable {
  /// `https://host[:port]`
  let endpoint: String
  /// Begins with `/`.
  let path: String

  /// Nil for anything that isn't `https://host[:port][/path]` in visible ASCII without user name or fragment.
  init?(_ text: String) {
    let scheme = "https://"
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.lowercased().hasPrefix(scheme),
      !text.contains("#"), !text.contains("\"")
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    guard !host.isEmpty, !host.contains("@"), !rest.dropFirst(host.count).hasPrefix("?") else { return nil }
    endpoint = scheme + host
    path = host.count == rest.count ? "/" : String(rest.dropFirst(host.count))
  }
}
