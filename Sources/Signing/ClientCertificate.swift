public import Base
internal import COpenSSL
import Glibc

/// A certificate with its chain and its private key, to show in TLS handshakes. Checked as far as can be without the
/// peer: whole, the key is the certificate's, not past its time.
public struct ClientCertificate: Sendable {
  /// The certificate, the rest of its chain and the unencrypted key, as a TLS library reads them: 64 characters a line.
  public let pem: [UInt8]

  /// Reads PEM blocks in any order, with all that `SigningKey` tolerates.
  /// - Throws: `SigningError` with the reason and the openssl line that helps, never the key's text.
  public init(pem text: [UInt8], now: EpochMilliseconds = .now) throws(SigningError) {
    let blocks = PEM.blocks(in: CredentialText.tidy(text))
    let certificates = blocks.filter { $0.label == "CERTIFICATE" }.map(\.der)
    guard !certificates.isEmpty else {
      throw SigningError(
        "no certificate in it; PEM with the certificate and its key is needed, a .p12 becomes that by:"
          + " openssl pkcs12 -in CERT.p12 -nodes -out CERT.pem")
    }
    guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
      throw SigningError("no private key in it; the key that the certificate was made for belongs into the same file")
    }
    let publicKey = try SigningKey(pem: text).publicKey
    var chain: [[UInt8]] = []
    var isFound = false
    for (index, der) in certificates.enumerated() {
      guard let der, let certificate = Self.read(der) else {
        throw SigningError("certificate \(index + 1) of \(certificates.count) in it is damaged; was it copied whole?")
      }
      defer { X509_free(certificate) }
      if !isFound, Self.publicKey(of: certificate) == publicKey {
        isFound = true
        if let end = Self.end(of: certificate), end <= now {
          throw SigningError("the certificate was valid until \(end.rfc3339); make a new one")
        }
        chain.insert(der, at: 0)
      } else {
        chain.append(der)
      }
    }
    guard isFound, let key = block.der else {
      throw SigningError("its private key is not the certificate's; export the two together")
    }
    pem = chain.flatMap { Self.block("CERTIFICATE", $0) } + Self.block(block.label, key)
  }

  private static func read(_ der: [UInt8]) -> OpaquePointer? {
    let certificate = der.withUnsafeBufferPointer { bytes in
      var at = bytes.baseAddress
      return d2i_X509(nil, &at, bytes.count)
    }
    // Errors that stay in the thread's queue would be taken for those of the next TLS call on it.
    ERR_clear_error()
    return certificate
  }

  /// As DER (SubjectPublicKeyInfo).
  private static func publicKey(of certificate: OpaquePointer) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &start)
    defer { copenssl_free(start) }
    guard let start, count > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private static func end(of certificate: OpaquePointer) -> EpochMilliseconds? {
    var parts = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) == 1 else { return nil }
    return EpochMilliseconds(0).adding(seconds: Double(timegm(&parts)))
  }

  private static func block(_ label: String, _ der: [UInt8]) -> [UInt8] {
    var text = Array("-----BEGIN \(label)-----\n".utf8)
    // Four characters for three bytes, so 48 bytes are a line of 64.
    var at = 0
    while at < der.count {
      let line = Array(der[at..<min(at + 48, der.count)])
      var characters = [UInt8](repeating: 0, count: 68)
      let count = EVP_EncodeBlock(&characters, line, Int32(line.count))
      text += characters.prefix(Int(count)) + [0x0A]
      at += 48
    }
    return text + Array("-----END \(label)-----\n".utf8)
  }
}
