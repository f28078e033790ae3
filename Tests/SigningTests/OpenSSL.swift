import Foundation

/// Debian's own `openssl`, the independent witness of these tests.
enum OpenSSL {
  /// A new private key, unencrypted PKCS#8 PEM.
  static func rsa(bits: Int = 2048) throws -> String {
    try text("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)")
  }

  static func ec(curve: String = "P-256") throws -> String {
    try text("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)")
  }

  /// The DER of the public half.
  static func publicKey(of pem: String) throws -> [UInt8] {
    try run(["pkey", "-pubout", "-outform", "DER"], input: Array(pem.utf8)).output
  }

  /// Whether `openssl dgst -verify` takes the signature (DER for ECDSA).
  static func verifies(_ signature: [UInt8], of message: [UInt8], key pem: String, options: [String] = []) throws
    -> Bool
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("salvo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = folder.appendingPathComponent("key.der")
    let file = folder.appendingPathComponent("signature")
    try Data(publicKey(of: pem)).write(to: key)
    try Data(signature).write(to: file)
    let result = try run(
      ["dgst", "-sha256", "-keyform", "DER", "-verify", key.path, "-signature", file.path] + options, input: message)
    return result.status == 0 && String(decoding: result.output, as: UTF8.self) == "Verified OK\n"
  }

  static func text(_ arguments: String..., input: String = "") throws -> String {
    let result = try run(arguments, input: Array(input.utf8))
    guard result.status == 0 else { throw Failure(arguments: arguments) }
    return String(decoding: result.output, as: UTF8.self)
  }

  static func run(_ arguments: [String], input: [UInt8]) throws -> (output: [UInt8], status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let stdin = Pipe()
    let stdout = Pipe()
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: input)
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (Array(output), process.terminationStatus)
  }

  struct Failure: Error {
    let arguments: [String]
  }
}
