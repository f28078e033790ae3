extension Content {
  /// Addresses, the same for everybody, with which phones can do nothing: no provider refuses them.
  var linkWarnings: [String] {
    let forms = editions.isEmpty ? [self] : editions.map(\.content)
    var warnings: [String] = []
    for warning in forms.flatMap(\.ownLinkWarnings) where !warnings.contains(warning) { warnings.append(warning) }
    return warnings
  }

  private var ownLinkWarnings: [String] {
    let pictures = [("icon", icon), ("image", image), ("media", media), ("banner", banner)].compactMap { field, text in
      Self.isUsable(text, if: Self.isPicture)
        ? nil : "content.\(field): \"\(text ?? "")\" is no https address: phones show no picture"
    }
    let buttonLinks = buttons.enumerated().map { ("buttons[\($0)].link", Optional($1.link)) }
    let links = ([("click_url", clickURL), ("deep_link", deepLink)] + buttonLinks).compactMap { field, text in
      Self.isUsable(text, if: Self.isLink)
        ? nil : "content.\(field): \"\(text ?? "")\" is no address with a scheme, as https: a tap opens nothing"
    }
    return pictures + links
  }

  /// Nothing, and what each recipient gets its own of, is not looked at.
  private static func isUsable(_ text: String?, if condition: (String) -> Bool) -> Bool {
    guard let text, !text.isEmpty, !text.contains("{{") else { return true }
    return condition(text)
  }

  private static func isPicture(_ text: String) -> Bool { text.hasPrefix("https://") && isLink(text) }

  /// A scheme as RFC 3986 §3.1 has it, something behind it, no white space.
  private static func isLink(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let (scheme, rest) = (text.utf8[..<colon], text.utf8[colon...].dropFirst())
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return scheme.first.map(isLetter) == true
      && scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
      && !rest.isEmpty && rest.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
