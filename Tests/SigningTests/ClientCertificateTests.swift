import Base
import Foundation
import Signing
import Testing

@Suite("Client certificates")
struct ClientCertificateTests {
  /// A certificate that a key signed for itself.
  private func certificate(_ key: String, days: Int = 2) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("salvo-\(UUID().uuidString).key")
    try key.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try OpenSSL.text("req", "-x509", "-new", "-key", file.path, "-subj", "/CN=push", "-days", "\(days)")
  }

  private func error(_ text: String, now: EpochMilliseconds = .now) -> String? {
    do throws(SigningError) {
      _ = try ClientCertificate(pem: Array(text.utf8), now: now)
      return nil
    } catch { return "\(error)" }
  }

  @Test("the key's certificate comes first, then the chain, then the key, in lines of 64")
  func order() throws {
    let (key, other) = (try OpenSSL.ec(), try OpenSSL.ec())
    let (own, chain) = (try certificate(key), try certificate(other))
    // As an env file leaves it: the key in front, line breaks written as two characters.
    let text = (key + chain + own).replacingOccurrences(of: "\n", with: "\\n")
    #expect(
      String(decoding: try ClientCertificate(pem: Array(text.utf8)).pem, as: UTF8.self) == own + chain + key)
  }

  @Test("what is missing, foreign or over is said with what to do")
  func refused() throws {
    let (key, other) = (try OpenSSL.ec(), try OpenSSL.ec())
    let own = try certificate(key)
    #expect(error(key + own) == nil)
    #expect(error("")?.contains("openssl pkcs12") == true)
    #expect(error(key)?.hasPrefix("no certificate in it") == true)
    #expect(error(own)?.hasPrefix("no private key in it") == true)
    #expect(error(own + other)?.hasPrefix("its private key is not the certificate's") == true)
    #expect(
      error(own.replacingOccurrences(of: "MII", with: "MIA") + key)
        == "certificate 1 of 1 in it is damaged; was it copied whole?")
    let inThreeDays = EpochMilliseconds.now.adding(seconds: 3 * 86_400)
    #expect(error(key + own, now: inThreeDays)?.hasPrefix("the certificate was valid until 2") == true)
    for text in [key, own + other] { #expect(error(text)?.contains(String(key.split(separator: "\n")[1])) == false) }
  }
}
