/// What is kept of an answer that surprised, for people.
enum AnswerText {
  /// Bytes at most.
  static let limit = 2048

  /// The beginning of `body` as PostgreSQL can store it: at most 2 kB, UTF-8 repaired, NUL replaced; nil when empty.
  static func kept(_ body: [UInt8]) -> String? {
    guard !body.isEmpty else { return nil }
    // U+FFFD takes three bytes, so a repaired text may be longer than what it was made from.
    var text = ""
    var size = 0
    for scalar in String(decoding: body.prefix(limit), as: UTF8.self).unicodeScalars {
      let kept = scalar == "\0" ? "\u{FFFD}" : scalar
      size += UTF8.width(kept)
      if size > limit { break }
      text.unicodeScalars.append(kept)
    }
    return text
  }

  /// A code or an id from the wire as a column can hold it: no controls, 200 characters at most.
  static func word(_ text: String) -> String {
    text.utf8.count <= 200 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : line(text)
  }

  /// A text from the wire as part of a one-line error: no line ends or controls, 200 characters at most.
  static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars.prefix(200) {
      line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    return line
  }
}
