/// An https URL cut in two, as settings need it. Checked by hand: these few lines refuse what libcurl would take and
/// Salvo can't mean (user names, queries, white space).
struct WebAddress {
  /// `host`, `host:port`, `[v6]:port`
  let authority: String
  /// Empty, or from `/` on; no query, no fragment.
  let path: String

  init?(_ text: String) {
    guard text.hasPrefix("https://") else { return nil }
    let rest = text.utf8.dropFirst(8)
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    authority = String(text[rest.startIndex..<end])
    path = String(text[end...])
    guard Self.isAuthority(authority), path.utf8.allSatisfy(Self.isPathCharacter) else { return nil }
  }

  private static func isAuthority(_ text: String) -> Bool {
    var host = text.utf8[...]
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(UInt8(ascii: "]")) {
      let port = host[host.index(after: colon)...]
      guard !port.isEmpty, port.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(String(port) ?? ""),
        number > 0
      else { return false }
      host = host[..<colon]
    }
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 4 {
      return host.dropFirst().dropLast().allSatisfy { isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
    return !host.isEmpty
      && host.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  /// unreserved, sub-delims, `:`, `@`, `%` and `/` of RFC 3986 §3.3.
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "-._~!$&'()*+,;=:@%/".utf8.contains(byte)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
