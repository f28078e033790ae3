/// The two forms of an ECDSA signature on P-256.
package enum ECDSASignature {
  /// From OpenSSL's DER (`SEQUENCE { INTEGER r, INTEGER s }`, RFC 3279 §2.2.3) to the 64 bytes r‖s of RFC 7518 §3.4:
  /// sign bytes removed, short numbers padded on the left (1 in 128 has a short half). Nil for anything else.
  package static func derToRaw(_ der: [UInt8]) -> [UInt8]? {
    var rest = der[...]
    // Both numbers have at most 33 bytes, so every length is one byte below 128.
    guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count, length < 0x80,
      let r = number(from: &rest), let s = number(from: &rest), rest.isEmpty
    else { return nil }
    return r + s
  }

  private static func number(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == 0x02, let length = rest.popFirst(), length > 0, Int(length) <= rest.count else {
      return nil
    }
    let digits = rest.prefix(Int(length)).drop { $0 == 0 }
    rest = rest.dropFirst(Int(length))
    guard digits.count <= 32 else { return nil }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
