/// Text on its way into and out of PostgreSQL.
public enum PostgresText {
  /// The text as PostgreSQL can store it: what is no UTF-8 becomes U+FFFD, and NUL, which its strings can't hold, is
  /// left out. For whatever comes from a provider's answer, so that its row can always be written.
  public static func tidy(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(0) else { return text }
    return String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self)
  }

  /// As above; a `String` is always valid UTF-8.
  public static func tidy(_ text: String) -> String {
    text.utf8.contains(0) ? tidy(Array(text.utf8)) : text
  }

  /// Several lines as one: libpq ends its messages with a line break and continues them with a tab.
  static func oneLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
