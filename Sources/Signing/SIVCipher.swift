internal import COpenSSL

/// AES-256-SIV (RFC 5297: a key of 512 bits) under one key: the same text always gives the same bytes, nobody without
/// the key can make or read them.
///
/// One OpenSSL context, used again and again (0.55 µs for 56 bytes; a new context each time takes 3.5). Use it from
/// one thread at a time.
public final class SIVCipher {
  /// Bytes in front of the encrypted ones: the synthetic initialisation vector, which is also the proof.
  public static let tagBytes = 16

  private let key: LinkKey
  private let context: OpaquePointer

  /// - Throws: `SigningError` when OpenSSL has no AES-256-SIV or no memory.
  public init(key: LinkKey) throws(SigningError) {
    self.key = key
    context = try Self.context(key, encrypts: true)
    // Without it OpenSSL takes a context for one message only.
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_SET_SPEED, 1, nil)
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Appends the tag and the encrypted text, `16 + text.count` bytes. `text` must not be empty.
  public func seal(_ text: [UInt8], to out: inout [UInt8]) throws(SigningError) {
    if text.count >= Self.tagBytes { return try Self.seal(text, to: &out, context) }
    // OpenSSL 3.0 doubles the state of a context in place for a text shorter than a block, and every later message
    // of that context would come out wrong: such a text gets a context of its own.
    let context = try Self.context(key, encrypts: true)
    defer { EVP_CIPHER_CTX_free(context) }
    try Self.seal(text, to: &out, context)
  }

  private static func seal(
    _ text: [UInt8], to out: inout [UInt8], _ context: OpaquePointer
  ) throws(SigningError) {
    let start = out.count
    out.append(contentsOf: repeatElement(0, count: tagBytes + text.count))
    var count: Int32 = 0
    let isSealed = out.withUnsafeMutableBufferPointer { out in
      guard let tag = out.baseAddress?.advanced(by: start) else { return false }
      return EVP_EncryptUpdate(context, tag + tagBytes, &count, text, Int32(clamping: text.count)) == 1
        && Int(count) == text.count
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), tag) == 1
    }
    if !isSealed {
      ERR_clear_error()
      out.removeLast(out.count - start)
      throw SigningError("OpenSSL can't encrypt")
    }
  }

  /// The text of what `seal` made; nil when one bit of it was changed or another key made it.
  public static func open(_ sealed: ArraySlice<UInt8>, key: LinkKey) throws(SigningError) -> [UInt8]? {
    guard sealed.count > tagBytes else { return nil }
    let context = try context(key, encrypts: false)
    defer { EVP_CIPHER_CTX_free(context) }
    var tag = Array(sealed.prefix(tagBytes))
    let encrypted = Array(sealed.dropFirst(tagBytes))
    var text = [UInt8](repeating: 0, count: encrypted.count)
    var count: Int32 = 0
    let isRight =
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes), &tag) == 1
      && EVP_DecryptUpdate(context, &text, &count, encrypted, Int32(clamping: encrypted.count)) == 1
      && Int(count) == encrypted.count
    ERR_clear_error()
    return isRight ? text : nil
  }

  private static func context(_ key: LinkKey, encrypts: Bool) throws(SigningError) -> OpaquePointer {
    defer { ERR_clear_error() }
    guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-SIV", nil) else {
      throw SigningError("this OpenSSL has no AES-256-SIV; OpenSSL 3 is needed")
    }
    // The context keeps a reference of its own.
    defer { EVP_CIPHER_free(cipher) }
    guard let context = EVP_CIPHER_CTX_new() else { throw SigningError("out of memory") }
    guard EVP_CipherInit_ex(context, cipher, nil, key.bytes, nil, encrypts ? 1 : 0) == 1 else {
      EVP_CIPHER_CTX_free(context)
      throw SigningError("OpenSSL can't set up AES-256-SIV")
    }
    return context
  }
}
