internal import Base

/// Name-based UUIDs (RFC 9562 §5.5), for `apns-id`.
public enum UUIDv5 {
  /// Salvo's own namespace, drawn once at random: 5e3df76f-2bb1-4d68-939d-d73ec774b091.
  private static let namespace: [UInt8] = [
    0x5E, 0x3D, 0xF7, 0x6F, 0x2B, 0xB1, 0x4D, 0x68, 0x93, 0x9D, 0xD7, 0x3E, 0xC7, 0x74, 0xB0, 0x91,
  ]

  /// Appends the 36 lower-case characters of the UUID of `name` in Salvo's own namespace: the same name always gives
  /// the same one.
  public static func append(of name: ArraySlice<UInt8>, to out: inout [UInt8]) {
    var bytes = Digest.sha1((namespace + name)[...])
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 { out.append(UInt8(ascii: "-")) }
      out.append(Hex.digit(bytes[index] >> 4))
      out.append(Hex.digit(bytes[index] & 15))
    }
  }
}
