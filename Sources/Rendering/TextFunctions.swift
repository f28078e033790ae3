/// What functions do to texts. Scalars that have no case, or no room, are never replaced.
enum TextFunctions {
  /// Every letter at the beginning or behind white space in its title case.
  static func title(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var beginsWord = true
    for scalar in text.unicodeScalars {
      if beginsWord {
        scalars.append(contentsOf: scalar.properties.titlecaseMapping.unicodeScalars)
      } else {
        scalars.append(scalar)
      }
      beginsWord = scalar.properties.isWhitespace
    }
    return String(scalars)
  }

  /// For a value in a URL's query: a space is `+`, letters, digits and `-._~` stay (RFC 3986 §2.3), other bytes are
  /// `%XX`.
  static func urlQuery(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        out.append(byte)
      case UInt8(ascii: " "): out.append(UInt8(ascii: "+"))
      default:
        out.append(UInt8(ascii: "%"))
        out.append(hexDigits[Int(byte >> 4)])
        out.append(hexDigits[Int(byte & 15)])
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// The longest beginning that is whole characters and no more than `bytes` of UTF-8.
  static func prefix(of text: String, bytes: Int) -> String {
    var rest = bytes
    let end = text.indices.first { index in
      rest -= text[index].utf8.count
      return rest < 0
    }
    return end.map { String(text[..<$0]) } ?? text
  }
}
