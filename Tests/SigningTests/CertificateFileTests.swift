import Signing
import Testing

@Suite("CertificateFile")
struct CertificateFileTests {
  private static func certificate() throws -> String {
    try OpenSSL.text(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Shop CA",
      "-keyout",
      "/dev/null", "-days", "1")
  }

  @Test("one certificate or several, with words around them")
  func good() throws {
    let one = try Self.certificate()
    try CertificateFile.check(pem: Array(one.utf8))
    try CertificateFile.check(pem: Array("# our authorities\n\(one)\nthe old one:\n\(one)".utf8))
  }

  @Test("no certificate at all, a key instead, and one that was cut are refused")
  func bad() throws {
    let one = try Self.certificate()
    let lines = one.split(separator: "\n")
    let cut = (lines.prefix(3) + lines.suffix(1)).joined(separator: "\n")
    for text in ["", "root:x:0:0:root:/root:/bin/bash", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"]
    {
      #expect(throws: SigningError.self) { try CertificateFile.check(pem: Array(text.utf8)) }
    }
    let error = #expect(throws: SigningError.self) { try CertificateFile.check(pem: Array((one + "\n" + cut).utf8)) }
    #expect(error?.description.contains("certificate 2 of 2") == true)
  }
}
