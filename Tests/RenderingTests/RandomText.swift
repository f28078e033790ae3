/// SplitMix64: the same texts on every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Random texts of what breaks JSON, templates and devices.
enum RandomText {
  private static let pieces: [String] = [
    "\"", "\\", "/", "\\\"", "\\u0041", "\\n", "{{", "}}", "{{.Title}}", "{", "}", "[", "]", ",", ":", "'", "&", "<",
    "%", "\u{0}", "\u{1}", "\u{7}", "\u{8}", "\t", "\n", "\u{B}", "\u{C}", "\r", "\r\n", "\u{1B}", "\u{1F}", "\u{7F}",
    "\u{85}", "\u{A0}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
    "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{301}",
    "e\u{301}",
    "é", "\u{20E3}", "😀", "👩‍👩‍👧", "\u{10FFFF}", "\u{E0001}", "مرحبا", "שלום", "Привет", "語", "abc ", " ", "0",
  ]

  static func text(_ random: inout SplitMix) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let code = UInt32.random(in: 0...0x10FFFF, using: &random)
        if let scalar = Unicode.Scalar(code) { text.append(scalar) }
      } else if let piece = pieces.randomElement(using: &random) {
        text.append(contentsOf: piece.unicodeScalars)
      }
    }
    return String(text)
  }

  /// As a content text that writes just this: "{{" would begin an action.
  static func literal(_ text: String) -> String {
    // By scalars: a mark behind a brace makes one character of both.
    text.unicodeScalars.map { $0 == "{" ? "{{`{`}}" : String($0) }.joined()
  }
}
