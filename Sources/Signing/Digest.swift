internal import Base
internal import COpenSSL

/// SHA-256 for what must be named but not shown, SHA-1 where RFC 9562 wants it.
public enum Digest {
  /// The 32 bytes of SHA-256.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { algorithms.sha256.digest(bytes[...]) }

  /// The first 12 hex digits of SHA-256: names a token, a key or a secret in a log without showing it.
  public static func prefix(_ bytes: [UInt8]) -> String { Hex.encode(sha256(bytes).prefix(6)) }

  /// The 20 bytes of SHA-1.
  static func sha1(_ bytes: ArraySlice<UInt8>) -> [UInt8] { algorithms.sha1.digest(bytes) }

  private static let algorithms = (sha256: Algorithm("SHA256", bytes: 32), sha1: Algorithm("SHA1", bytes: 20))

  /// Fetched once: OpenSSL 3 looks an algorithm up by name on every use of `EVP_sha256()`, which costs as much as the
  /// digest of a message's id.
  private struct Algorithm: Sendable {
    // Never written after it was fetched, never freed.
    private nonisolated(unsafe) let pointer: OpaquePointer?
    private let count: Int

    init(_ name: String, bytes count: Int) {
      pointer = EVP_MD_fetch(nil, name, nil)
      self.count = count
    }

    /// Zeros should OpenSSL be without its default algorithms, where no TLS connection could be made either.
    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: count)
      bytes.withUnsafeBytes { _ = EVP_Digest($0.baseAddress, $0.count, &digest, nil, pointer, nil) }
      return digest
    }
  }
}
