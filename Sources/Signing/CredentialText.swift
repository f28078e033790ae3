/// What editors, consoles and env files do to a secret's text on the way, undone.
public enum CredentialText {
  /// Without a UTF-8 BOM, with LF for CRLF, without white space at both ends and without one pair of quotes around
  /// all of it (`"` or `'`). Nothing inside a line is touched.
  public static func tidy(_ bytes: [UInt8]) -> [UInt8] {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = trimmed(text)
    if text.count >= 2, let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      text.last == quote
    {
      text = trimmed(text.dropFirst().dropLast())
    }
    var tidied: [UInt8] = []
    tidied.reserveCapacity(text.count)
    for (byte, next) in zip(text, text.dropFirst() + [0]) where !(byte == 0x0D && next == 0x0A) {
      tidied.append(byte)
    }
    return tidied
  }

  /// The tidied text of a secret that goes into a header line: one word of visible ASCII.
  /// - Throws: `SigningError` when it is empty, has a second line or any other character; it would end the header
  ///   and begin another one, and HTTP/2 stacks pass that on.
  public static func word(_ bytes: [UInt8]) throws(SigningError) -> String {
    let text = tidy(bytes)
    if text.isEmpty { throw SigningError("it is empty; one line with the token is expected") }
    if text.contains(0x0A) || text.contains(0x0D) {
      throw SigningError("it has more than one line; the token alone is expected")
    }
    guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SigningError("it has a space, a control character or a letter that is not ASCII; a token has none")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = text.firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return text[first...last]
  }
}
