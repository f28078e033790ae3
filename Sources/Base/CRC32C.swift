/// CRC-32C, Castagnoli's (RFC 3720 §12.1): finds every slip of the pen in an id.
public enum CRC32C {
  /// The checksum; of `123456789` it is E3069283.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    let table = table
    var crc = UInt32.max
    for index in bytes.indices {
      crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
    }
    return ~crc
  }

  // The polynomial 1EDC6F41 with its bits reversed.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
  }
}
