/// Hexadecimal, lower case out, either case in.
public enum Hex {
  /// 0…15 for an ASCII hex digit, nil for anything else.
  public static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The ASCII digit of 0…15.
  public static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Two lower-case digits a byte.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes, or nil at an odd length or a character that is no hex digit.
  public static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for at in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[at]), let low = value(of: digits[at + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

/// base64url without padding (RFC 4648 §5, RFC 7515 §2).
public enum Base64URL {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  /// Appends the ASCII digits, four for three bytes, without `=` at the end.
  public static func append(_ bytes: some Collection<UInt8>, to out: inout [UInt8]) {
    // A generic loop called from another module isn't specialised: 2.6 µs for 74 bytes instead of 0.1.
    if bytes.withContiguousStorageIfAvailable({ append($0, to: &out) }) == nil {
      Array(bytes).withUnsafeBufferPointer { append($0, to: &out) }
    }
  }

  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (bytes.count * 4 + 2) / 3) { digits in
      var buffer: UInt32 = 0
      var bits: UInt32 = 0
      var count = 0
      func add(_ value: UInt32) {
        digits[count] = alphabet.utf8Start[Int(value & 63)]
        count += 1
      }
      for byte in bytes {
        buffer = buffer << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
          bits -= 6
          add(buffer >> bits)
        }
      }
      if bits > 0 { add(buffer << (6 - bits)) }
      out.append(contentsOf: UnsafeBufferPointer(digits))
    }
  }

  /// Four characters for three bytes, without `=` at the end.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var out: [UInt8] = []
    append(bytes, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes; nil at a character outside the alphabet, an impossible length, or set bits past the end.
  public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for character in text {
      let value: UInt32
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character - UInt8(ascii: "A"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character - UInt8(ascii: "a")) + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character - UInt8(ascii: "0")) + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      buffer = buffer << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        buffer &= (1 << UInt32(bits)) - 1
      }
    }
    return bits < 6 && buffer == 0 ? out : nil
  }
}
