/// Text as HTML shows it.
public enum HTMLText {
  /// For elements' texts and for quoted attributes alike. Characters that can't be seen and change what stands around
  /// them are spelled out, so that a text is what it looks like.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where !scalar.isHarmless:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "[U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
