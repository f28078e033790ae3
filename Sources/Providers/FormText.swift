internal import Base

/// `application/x-www-form-urlencoded` bodies.
enum FormText {
  /// `name=value&…`; everything but unreserved characters (RFC 3986 §2.3) is percent-encoded. A client secret may
  /// hold `+`, `/` and `=`.
  static func encode(_ fields: KeyValuePairs<String, String>) -> [UInt8] {
    var out: [UInt8] = []
    for (name, value) in fields {
      if !out.isEmpty { out.append(UInt8(ascii: "&")) }
      append(name, to: &out)
      out.append(UInt8(ascii: "="))
      append(value, to: &out)
    }
    return out
  }

  private static func append(_ text: String, to out: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        out.append(byte)
      default:
        out.append(UInt8(ascii: "%"))
        out.append(contentsOf: Hex.encode(CollectionOfOne(byte)).uppercased().utf8)
      }
    }
  }
}
