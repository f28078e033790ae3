internal import Campaign

/// Lists of keys as `chunk.ids`, `chunk.skip_ids` and `send_window.ids` hold them: 16 bytes a key, the profile's id and
/// the subscription's, both int8 in network order.
enum KeyList {
  static let bytesPerKey = 16

  static func encode(_ keys: some Collection<RecipientKey>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(keys.count * bytesPerKey)
    for key in keys {
      withUnsafeBytes(of: key.profileID.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: key.subscriptionID.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Bytes after the last whole key are left out; the schema's CHECKs allow none.
  static func decode(_ bytes: [UInt8]) -> [RecipientKey] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / bytesPerKey).map { index in
        let at = index * bytesPerKey
        return RecipientKey(
          profileID: Int64(bigEndian: raw.loadUnaligned(fromByteOffset: at, as: Int64.self)),
          subscriptionID: Int64(bigEndian: raw.loadUnaligned(fromByteOffset: at + 8, as: Int64.self)))
      }
    }
  }
}
