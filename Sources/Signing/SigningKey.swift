internal import COpenSSL

/// A private key in memory: RSA of 2048 bits or more, or P-256. Immutable, so that all threads sign with one.
public final class SigningKey: Sendable {
  /// Which algorithm a key is for.
  public enum Kind: Sendable {
    case rsa
    case p256
  }

  /// What it signs with.
  public let kind: Kind
  // OpenSSL 3 counts references and only reads a key while signing; every call has a context of its own.
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Reads PEM: PKCS#8, PKCS#1 (RSA) or SEC1 (P-256), unencrypted. Tolerates a BOM, CRLF, quotes around it, `\n`
  /// written as two characters and spaces for line breaks.
  /// - Throws: `SigningError` with the reason and the openssl line that helps, never the key's text.
  public init(pem: [UInt8]) throws(SigningError) {
    let pointer = try Self.read(pem)
    do {
      kind = try Self.kind(of: pointer)
    } catch {
      EVP_PKEY_free(pointer)
      throw error
    }
    self.pointer = pointer
    try checkHalves()
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Signs `message`. ES256 gives the 64 bytes r‖s of RFC 7518 §3.4, never DER.
  /// - Throws: `SigningError` when the algorithm is not one of the key's kind.
  public func sign(_ message: [UInt8], _ algorithm: SigningAlgorithm) throws(SigningError) -> [UInt8] {
    switch (algorithm, kind) {
    case (.rs256, .rsa), (.ps256, .rsa):
      return try signature(of: message, isPSS: algorithm == .ps256)
    case (.es256, .p256):
      guard let raw = ECDSASignature.derToRaw(try signature(of: message, isPSS: false)) else {
        throw SigningError("OpenSSL gave a signature that is none")
      }
      return raw
    case (.es256, .rsa): throw SigningError("ES256 needs a P-256 key, this one is RSA")
    case (.rs256, .p256), (.ps256, .p256):
      throw SigningError("\(algorithm.rawValue) needs an RSA key, this one is P-256")
    }
  }

  /// The public half as DER (SubjectPublicKeyInfo, RFC 5280 §4.1.2.7): no secret, names the key.
  public var publicKey: [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_PUBKEY(pointer, &start)
    defer { copenssl_free(start) }
    guard let start, count > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private static func read(_ text: [UInt8]) throws(SigningError) -> OpaquePointer {
    let blocks = PEM.blocks(in: CredentialText.tidy(text))
    guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
      if let other = blocks.first { throw SigningError("it holds a \(other.label), no private key") }
      throw SigningError(
        "no PEM in it: text from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY----- is expected; "
          + "a binary key becomes one by: openssl pkey -inform DER -in KEY -out KEY.pem")
    }
    if block.isEncrypted {
      throw SigningError("the key is encrypted; decrypt it by: openssl pkey -in KEY -out KEY.plain.pem")
    }
    guard let der = block.der else {
      throw SigningError(
        "the text between the BEGIN and END lines is not whole base64; was some of it lost in copying?")
    }
    let type: Int32
    switch block.label {
    case "PRIVATE KEY": type = EVP_PKEY_NONE
    case "RSA PRIVATE KEY": type = EVP_PKEY_RSA
    case "EC PRIVATE KEY": type = EVP_PKEY_EC
    case "OPENSSH PRIVATE KEY":
      throw SigningError("the key is in OpenSSH's own form; change that by: ssh-keygen -p -m PKCS8 -f KEY")
    default:
      throw SigningError(
        "a \(block.label) is not read here; change that by: openssl pkcs8 -topk8 -nocrypt -in KEY -out KEY.p8")
    }
    let key = der.withUnsafeBufferPointer { bytes in
      var at = bytes.baseAddress
      return type == EVP_PKEY_NONE
        ? d2i_AutoPrivateKey(nil, &at, bytes.count) : d2i_PrivateKey(type, nil, &at, bytes.count)
    }
    // Errors that stay in the thread's queue would be taken for those of the next TLS call on it.
    ERR_clear_error()
    guard let key else {
      throw SigningError("OpenSSL can't read the key; see what it says of: openssl pkey -noout -in KEY")
    }
    return key
  }

  private static func kind(of key: OpaquePointer) throws(SigningError) -> Kind {
    switch EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA:
      let bits = EVP_PKEY_get_bits(key)
      guard bits >= 2048 else {
        throw SigningError(
          "the RSA key has \(bits) bits, 2048 are the least; get a new one from the provider, or make one by: "
            + "openssl genrsa -out KEY.pem 2048")
      }
      return .rsa
    case EVP_PKEY_EC:
      var name = [CChar](repeating: 0, count: 64)
      var count = 0
      let isNamed = EVP_PKEY_get_group_name(key, &name, name.count - 1, &count) == 1
      ERR_clear_error()
      let curve = isNamed ? String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : "unnamed"
      guard curve == "prime256v1" else {
        throw SigningError(
          "the key's curve is \(curve), P-256 is needed; make one by: "
            + "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out KEY.p8")
      }
      return .p256
    default:
      let name = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "of another kind"
      throw SigningError("the key is \(name); RSA or P-256 is needed")
    }
  }

  /// One signature made and checked: a key with one damaged byte still parses, and would be found out only by the
  /// provider, in the middle of a launch.
  private func checkHalves() throws(SigningError) {
    let message = Array("salvo".utf8)
    let signature = try signature(of: message, isPSS: false)
    guard let context = EVP_MD_CTX_new() else { throw SigningError("out of memory") }
    defer { EVP_MD_CTX_free(context) }
    let isRight =
      EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    ERR_clear_error()
    if !isRight {
      throw SigningError("the key is damaged: its private half does not fit its public half; download it again")
    }
  }

  /// OpenSSL's own form of it: DER for P-256.
  private func signature(of message: [UInt8], isPSS: Bool) throws(SigningError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw SigningError("out of memory") }
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    var isReady = EVP_DigestSignInit(context, &parameters, EVP_sha256(), nil, pointer) == 1
    if isPSS {
      isReady =
        isReady && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 32) == 1
    }
    var count = Int(EVP_PKEY_get_size(pointer))
    var signature = [UInt8](repeating: 0, count: count)
    guard isReady, EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      ERR_clear_error()
      throw SigningError("OpenSSL can't sign with the key; see what it says of: openssl pkey -check -noout -in KEY")
    }
    signature.removeLast(signature.count - count)
    return signature
  }
}
