import Foundation

/// Private keys made by Debian's own `openssl`, once a test run.
enum TestKeys {
  static let rsa = make(["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
  static let p256 = make(["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])

  /// A certificate that its key signed for itself, and the key.
  static let certificate = openssl(
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=push"]
      + ["-days", "2", "-keyout", "-"])

  private static func make(_ options: [String]) -> String { openssl(["genpkey"] + options) }

  private static func openssl(_ words: [String]) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return "openssl can't be run: \(error)" }
    let pem = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: pem, as: UTF8.self)
  }
}
