internal import COpenSSL

/// A PEM file of certificates that servers' certificates are checked with.
public enum CertificateFile {
  /// Looks whether a TLS library will be able to read it: at least one certificate, and none that is damaged.
  /// - Throws: `SigningError` saying what is wrong with it.
  public static func check(pem: [UInt8]) throws(SigningError) {
    let certificates = PEM.blocks(in: pem).filter { $0.label.hasSuffix("CERTIFICATE") }
    guard !certificates.isEmpty else {
      throw SigningError(
        "no certificate in it; a PEM file is needed, text from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"
      )
    }
    for (index, block) in certificates.enumerated() {
      // OpenSSL's own "TRUSTED CERTIFICATE" has more behind the certificate than is looked at here.
      guard let der = block.der, isCertificate(der) else {
        throw SigningError("certificate \(index + 1) of \(certificates.count) in it is damaged; was it copied whole?")
      }
    }
  }

  private static func isCertificate(_ der: [UInt8]) -> Bool {
    let certificate = der.withUnsafeBufferPointer { bytes in
      var at = bytes.baseAddress
      return d2i_X509(nil, &at, bytes.count)
    }
    // Errors that stay in the thread's queue would be taken for those of the next TLS call on it.
    ERR_clear_error()
    guard let certificate else { return false }
    X509_free(certificate)
    return true
  }
}
