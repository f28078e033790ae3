internal import Base

/// `number`, `plural` and `translit`: what texts do with numbers and names, by hand for English and Russian.
enum NumberText {
  /// Digits in groups of three: `1,234,567.5`, in Russian `1 234 567,5` with spaces that don't break.
  /// - Parameters:
  ///   - digits: a JSON number.
  ///   - decimals: places behind the point, rounded half up; nil = as many as there are.
  /// - Returns: nil when the number is too large to write out.
  static func grouped(_ digits: String, decimals: Int?, locale: String?) -> String? {
    guard var (isNegative, whole, fraction) = plain(digits) else { return nil }
    if let decimals {
      if fraction.count > decimals {
        let isUp = fraction[decimals] >= 5
        fraction.removeSubrange(decimals...)
        if isUp { increment(&whole, &fraction) }
      }
      fraction += Array(repeating: 0, count: decimals - fraction.count)
    }
    if whole.allSatisfy({ $0 == 0 }), fraction.allSatisfy({ $0 == 0 }) { isNegative = false }
    let isRussian = TextLanguage(locale) == .russian
    var text = isNegative ? "-" : ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index).isMultiple(of: 3) { text += isRussian ? "\u{A0}" : "," }
      text += String(digit)
    }
    if !fraction.isEmpty { text += (isRussian ? "," : ".") + fraction.map(String.init).joined() }
    return text
  }

  /// Sign and digits before and behind the point, the exponent worked in.
  private static func plain(_ digits: String) -> (Bool, [Int], [Int])? {
    var rest = digits.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let exponentText = String(Substring(rest.dropFirst(mantissa.count + 1)))
    guard let exponent = exponentText.isEmpty ? 0 : Int(exponentText), abs(exponent) <= 64, mantissa.count <= 128 else {
      return nil
    }
    let wholeText = mantissa.prefix { $0 != UInt8(ascii: ".") }
    mantissa = mantissa.dropFirst(wholeText.count + 1)
    var whole = wholeText.map { Int($0) - 0x30 }
    var fraction = mantissa.map { Int($0) - 0x30 }
    for _ in 0..<max(exponent, 0) { whole.append(fraction.isEmpty ? 0 : fraction.removeFirst()) }
    for _ in 0..<max(-exponent, 0) { fraction.insert(whole.popLast() ?? 0, at: 0) }
    while whole.count > 1, whole.first == 0 { whole.removeFirst() }
    return (isNegative, whole.isEmpty ? [0] : whole, fraction)
  }

  private static func increment(_ whole: inout [Int], _ fraction: inout [Int]) {
    for index in fraction.indices.reversed() {
      if fraction[index] < 9 {
        fraction[index] += 1
        return
      }
      fraction[index] = 0
    }
    for index in whole.indices.reversed() {
      if whole[index] < 9 {
        whole[index] += 1
        return
      }
      whole[index] = 0
    }
    whole.insert(1, at: 0)
  }

  /// Which of a word's forms stands behind a number: of two by the English rule (one item, 2 items), of three by the
  /// Russian (1 товар, 2 товара, 5 товаров, 1.5 товара).
  static func form(_ digits: String, of forms: Int) -> Int? {
    guard let (_, whole, fraction) = plain(digits) else { return nil }
    let isWhole = fraction.allSatisfy { $0 == 0 }
    if forms == 2 { return isWhole && whole == [1] ? 0 : 1 }
    guard isWhole else { return 1 }
    let last = whole.last ?? 0
    let isTeen = whole.count > 1 && whole[whole.count - 2] == 1
    if isTeen || last == 0 || last >= 5 { return 2 }
    return last == 1 ? 0 : 1
  }

  /// Russian letters in Latin ones, as passports have them but for й (y) and ё (e); everything else as it is.
  static func transliterated(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let lower = Unicode.Scalar(String(scalar).lowercased()) ?? scalar
      guard let latin = latin[lower] else {
        out.append(scalar)
        continue
      }
      if lower == scalar {
        out.append(contentsOf: latin.unicodeScalars)
      } else {
        // ЩУКА is SHCHUKA, Щука is Shchuka.
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        let isInCapitals =
          next.map { $0.properties.isUppercase } ?? (index > 0 && scalars[index - 1].properties.isUppercase)
        let written = isInCapitals ? latin.uppercased() : latin.prefix(1).uppercased() + latin.dropFirst()
        out.append(contentsOf: written.unicodeScalars)
      }
    }
    return String(out)
  }

  private static let latin: [Unicode.Scalar: String] = [
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "y",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
    "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu",
    "я": "ya",
  ]
}
