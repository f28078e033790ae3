/// Texts in a terminal's cells. Names come from customers and reasons from providers: they may hold anything.
extension String {
  /// Without what moves the cursor or turns the direction of what follows: control characters, line separators and
  /// bidirectional overrides become spaces.
  var onOneLine: String {
    String(UnicodeScalarView(unicodeScalars.map { $0.isHarmless ? $0 : " " }))
  }

  /// Cells that a terminal gives it.
  public var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text, cut to `width` cells with `…` at its end where it is longer.
  func fitted(to width: Int) -> String {
    if columns <= width { return self }
    var (fitted, used) = ("", 0)
    for character in self {
      used += character.columns
      if used > width - 1 { break }
      fitted.append(character)
    }
    return width > 0 ? fitted + "…" : ""
  }

  /// The text, followed by blanks up to `width` cells.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

extension Unicode.Scalar {
  /// Not one of those with which a text changes what stands around it (UAX 9, 2.1-2.4; controls of ISO 6429).
  var isHarmless: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

extension Character {
  /// 2 for what East Asian fonts and emoji draw wide (UAX 11), 0 for a lone mark, else 1.
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.value {
    case ..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    if first.properties.isEmojiPresentation || unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
