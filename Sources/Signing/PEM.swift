internal import Base

/// One block of a PEM text (RFC 7468).
///
/// Read by hand rather than by OpenSSL, which wants lines of 64: a key that went through an env file or a console
/// has `\n` as two characters, or spaces for line breaks.
struct PEM {
  /// `PRIVATE KEY`, `EC PRIVATE KEY` …
  let label: String
  /// Encrypted in the old way, by a header inside the block.
  let isEncrypted: Bool
  /// Nil when the text between the lines is no base64.
  let der: [UInt8]?

  /// All blocks of a text, in order.
  static func blocks(in text: [UInt8]) -> [PEM] {
    var rest = unescaped(text)[...]
    var blocks: [PEM] = []
    while let begin = rest.firstRange(of: Array("-----BEGIN ".utf8)) {
      rest = rest[begin.upperBound...]
      guard let dashes = rest.firstRange(of: Array("-----".utf8)) else { break }
      let label = String(decoding: rest[..<dashes.lowerBound], as: UTF8.self)
      rest = rest[dashes.upperBound...]
      guard let end = rest.firstRange(of: Array("-----END \(label)-----".utf8)) else { break }
      blocks.append(PEM(label: label, body: rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return blocks
  }

  private init(label: String, body: ArraySlice<UInt8>) {
    self.label = label
    isEncrypted = label.hasPrefix("ENCRYPTED") || body.firstRange(of: Array("ENCRYPTED".utf8)) != nil
    let digits = body.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    der =
      digits.count.isMultiple(of: 4) && padding <= 2
      ? Base64URL.decode(
        digits.dropLast(padding).map { digit in
          switch digit {
          case UInt8(ascii: "+"): UInt8(ascii: "-")
          case UInt8(ascii: "/"): UInt8(ascii: "_")
          case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: " ")
          default: digit
          }
        }) : nil
  }

  /// `\n` and `\r` written as two characters become line breaks; base64 has no backslash.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var isEscape = false
    for byte in text {
      if isEscape, byte == UInt8(ascii: "n") || byte == UInt8(ascii: "r") {
        bytes.append(0x0A)
        isEscape = false
      } else if byte == UInt8(ascii: "\\") {
        isEscape = true
      } else {
        bytes.append(byte)
        isEscape = false
      }
    }
    return bytes
  }
}

extension ArraySlice<UInt8> {
  /// Where `needle` is found first.
  fileprivate func firstRange(of needle: [UInt8]) -> Range<Int>? {
    var at = startIndex
    while at + needle.count <= endIndex {
      if self[at..<at + needle.count].elementsEqual(needle) { return at..<at + needle.count }
      at += 1
    }
    return nil
  }
}
