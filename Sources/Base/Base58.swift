/// base58 in Flickr's alphabet: digits, then lower case, then upper case, without `0 O I l`.
///
/// Works in words of 32 bits on both sides and in groups of five digits (58⁵ < 2³²): 60 bytes take 0.3 µs, digit by
/// digit 5.5 µs. The time still grows with the square of the length; cap what comes from outside.
public enum Base58 {
  private static let alphabet: StaticString = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
  private static let fiveDigits: UInt64 = 58 * 58 * 58 * 58 * 58

  /// Appends the bytes as one big-endian number; every zero byte in front becomes one `1`.
  public static func append(_ bytes: Span<UInt8>, to out: inout [UInt8]) {
    var at = 0
    while at < bytes.count, bytes[at] == 0 {
      out.append(UInt8(ascii: "1"))
      at += 1
    }
    // A group holds 29.29 bits. Groups are kept least significant first.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: (bytes.count - at) * 8 / 29 + 1) { groups in
      var used = 0
      while at < bytes.count {
        // Whole words of four bytes; the first takes what is over.
        let over = (bytes.count - at) % 4
        var carry: UInt64 = 0
        for _ in 0..<(over == 0 ? 4 : over) {
          carry = carry << 8 | UInt64(bytes[at])
          at += 1
        }
        for index in 0..<used {
          let value = UInt64(groups[index]) << 32 + carry
          carry = value / fiveDigits
          groups[index] = UInt32(truncatingIfNeeded: value - carry * fiveDigits)
        }
        while carry > 0 {
          groups[used] = UInt32(carry % fiveDigits)
          carry /= fiveDigits
          used += 1
        }
      }
      append(groups: UnsafeBufferPointer(groups)[..<used], to: &out)
    }
  }

  /// The bytes as a number in base 58, leading zeros kept.
  public static func encode(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    append(bytes.span, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// Appends a number's digits without zeros in front; 0 is `1`.
  public static func append(_ number: UInt64, to out: inout [UInt8]) {
    var bytes: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) where number >> UInt64(shift) > 0 || shift == 0 {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
    append(bytes.span, to: &out)
  }

  /// The bytes, or nil at a character outside the alphabet.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let zeros = text.prefix { $0 == UInt8(ascii: "1") }.count
    // Least significant word first.
    var words: [UInt32] = []
    var group: UInt64 = 0
    var scale: UInt64 = 1
    func add() {
      var carry = group
      for index in words.indices {
        let value = UInt64(words[index]) * scale + carry
        words[index] = UInt32(truncatingIfNeeded: value)
        carry = value >> 32
      }
      if carry > 0 { words.append(UInt32(carry)) }
      (group, scale) = (0, 1)
    }
    for character in text.dropFirst(zeros) {
      guard let digit = digit(of: character) else { return nil }
      group = group * 58 + UInt64(digit)
      scale *= 58
      if scale == fiveDigits { add() }
    }
    add()
    var bytes: [UInt8] = []
    for word in words.reversed() {
      for shift in [24, 16, 8, 0] as [UInt32] {
        let byte = UInt8(truncatingIfNeeded: word >> shift)
        if byte != 0 || !bytes.isEmpty { bytes.append(byte) }
      }
    }
    return [UInt8](repeating: 0, count: zeros) + bytes
  }

  /// The number, or nil at a character outside the alphabet, at nothing, or above 2⁶⁴ - 1.
  public static func decodeNumber(_ text: some Collection<UInt8>) -> UInt64? {
    if text.isEmpty { return nil }
    var number: UInt64 = 0
    for character in text {
      guard let digit = digit(of: character) else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 58)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(UInt64(digit))
      if isTooLarge || isStillTooLarge { return nil }
      number = sum
    }
    return number
  }

  private static func append(groups: Slice<UnsafeBufferPointer<UInt32>>, to out: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: groups.count * 5) { digits in
      var first = digits.count
      for group in groups {
        var rest = group
        for _ in 0..<5 {
          first -= 1
          digits[first] = alphabet.utf8Start[Int(rest % 58)]
          rest /= 58
        }
      }
      // Only the topmost group may have zeros in front.
      while first < digits.count, digits[first] == UInt8(ascii: "1") { first += 1 }
      out.append(contentsOf: UnsafeBufferPointer(digits)[first...])
    }
  }

  private static func digit(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): character - UInt8(ascii: "1")
    case UInt8(ascii: "a")...UInt8(ascii: "k"): character - UInt8(ascii: "a") + 9
    case UInt8(ascii: "m")...UInt8(ascii: "z"): character - UInt8(ascii: "m") + 20
    case UInt8(ascii: "A")...UInt8(ascii: "H"): character - UInt8(ascii: "A") + 34
    case UInt8(ascii: "J")...UInt8(ascii: "N"): character - UInt8(ascii: "J") + 42
    case UInt8(ascii: "P")...UInt8(ascii: "Z"): character - UInt8(ascii: "P") + 47
    default: nil
    }
  }
}
