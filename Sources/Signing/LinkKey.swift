internal import Base

/// A key of tracking links: 64 random bytes, written as 128 hex digits (`openssl rand -hex 64`).
public struct LinkKey: Sendable, Equatable {
  let bytes: [UInt8]

  /// Names the key in a link: the first byte of the key's SHA-256. It stays the same whatever keys are added or
  /// dropped; two keys may share it, so whoever opens a link tries all that have it.
  public let number: UInt8

  /// Reads a key file, BOM, quotes and line ends tolerated.
  /// - Throws: `SigningError`, never with the key's text.
  public init(text: [UInt8]) throws(SigningError) {
    let digits = String(decoding: CredentialText.tidy(text), as: UTF8.self)
    guard digits.utf8.count == 128, let bytes = Hex.decode(digits) else {
      throw SigningError("128 hex digits are expected; make a key by: openssl rand -hex 64")
    }
    self.bytes = bytes
    number = Digest.sha256(bytes)[0]
  }
}
