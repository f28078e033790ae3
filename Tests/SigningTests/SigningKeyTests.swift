import Base
import Signing
import Testing

@Suite("Private keys")
struct SigningKeyTests {
  @Test("RS256 and PS256 with a salt of 32 bytes are what openssl verifies")
  func rsaSignatures() throws {
    let pem = try OpenSSL.rsa()
    let key = try SigningKey(pem: Array(pem.utf8))
    let message = Array("header.claims".utf8)
    #expect(key.kind == .rsa)

    let pkcs1 = try key.sign(message, .rs256)
    #expect(pkcs1.count == 256)
    #expect(try OpenSSL.verifies(pkcs1, of: message, key: pem))
    #expect(try !OpenSSL.verifies(pkcs1, of: message + [0], key: pem))

    let pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"]
    let signature = try key.sign(message, .ps256)
    #expect(try OpenSSL.verifies(signature, of: message, key: pem, options: pss))
    let other = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:222"]
    #expect(try !OpenSSL.verifies(signature, of: message, key: pem, options: other))
  }

  @Test("ES256 is 64 bytes, 2,000 times, and openssl verifies the same numbers as DER")
  func es256() throws {
    let pem = try OpenSSL.ec()
    let key = try SigningKey(pem: Array(pem.utf8))
    #expect(key.kind == .p256)
    var sizes: Set<Int> = []
    var short: [UInt8] = []
    for index in 0..<2000 {
      let message = Array("message \(index)".utf8)
      let signature = try key.sign(message, .es256)
      sizes.insert(signature.count)
      if index == 0 { #expect(try OpenSSL.verifies(der(signature), of: message, key: pem)) }
      // About 1 in 128 has a half that begins with a zero byte: there a forgotten padding would show.
      if short.isEmpty, signature[0] == 0 || signature[32] == 0 {
        short = signature
        #expect(try OpenSSL.verifies(der(signature), of: message, key: pem))
      }
    }
    #expect(sizes == [64])
    #expect(!short.isEmpty)
  }

  @Test("one key signs in many tasks at once")
  func concurrency() async throws {
    let pem = try OpenSSL.ec()
    let key = try SigningKey(pem: Array(pem.utf8))
    let signatures = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for task in 0..<8 {
        group.addTask { try (0..<25).map { _ in try key.sign([UInt8(task)], .es256) } }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(signatures).count == 200)
    #expect(signatures.allSatisfy { $0.count == 64 })
  }

  @Test("PKCS#8, PKCS#1 and SEC1 load to the same public key", arguments: [true, false])
  func forms(isRSA: Bool) throws {
    let pkcs8 = try isRSA ? OpenSSL.rsa() : OpenSSL.ec()
    let old =
      try isRSA ? OpenSSL.text("rsa", "-traditional", input: pkcs8) : OpenSSL.text("ec", input: pkcs8)
    #expect(old.hasPrefix(isRSA ? "-----BEGIN RSA PRIVATE KEY-----" : "-----BEGIN EC PRIVATE KEY-----"))
    let expected = try OpenSSL.publicKey(of: pkcs8)
    #expect(try SigningKey(pem: Array(pkcs8.utf8)).publicKey == expected)
    #expect(try SigningKey(pem: Array(old.utf8)).publicKey == expected)
    // `openssl ecparam -genkey` writes the curve's parameters first.
    let parameters = try OpenSSL.text("ecparam", "-name", "prime256v1")
    #expect(try SigningKey(pem: Array((parameters + old).utf8)).publicKey == expected)
  }

  @Test("C19: a key that went through editors, env files and consoles loads to the same public key")
  func wrappings() throws {
    let pem = try OpenSSL.rsa()
    let expected = try OpenSSL.publicKey(of: pem)
    // 1: the JSON text of a service account; its scanner gives the line breaks back.
    let json = try JSONScanner.parse("{\"private_key\":\"\(pem.replacing("\n", with: "\\n"))\"}")
    let decoded = try #require(json.object?["private_key"]?.string)
    // 2: escaped twice, so that the backslash stays.
    let twice = try JSONScanner.parse("{\"private_key\":\"\(pem.replacing("\n", with: "\\\\n"))\"}")
    let backslashes = try #require(twice.object?["private_key"]?.string)
    #expect(backslashes.contains("\\n") && !backslashes.contains("\n"))
    let texts = [
      decoded, backslashes, pem.replacing("\n", with: "\r\n"), "\"\(pem)\"", "'\(pem)'\n",
      pem.replacing("\n", with: " "), "\u{FEFF}\(pem)", "\u{FEFF}\"\(pem.replacing("\n", with: "\\r\\n"))\"\r\n",
    ]
    for text in texts {
      #expect(try SigningKey(pem: Array(text.utf8)).publicKey == expected)
    }
  }

  @Test("keys that can't serve are refused with the reason and the line that helps")
  func refusals() throws {
    let p256 = try OpenSSL.ec()
    let weak = try OpenSSL.rsa(bits: 1024)
    let encrypted = try OpenSSL.text("pkey", "-aes256", "-passout", "pass:secret", input: p256)
    let oldEncrypted = try OpenSSL.text("ec", "-aes256", "-passout", "pass:secret", input: p256)
    let publicKey = try OpenSSL.text("pkey", "-pubout", input: p256)
    let lines = p256.split(separator: "\n")
    let cases: [(String, String)] = [
      (weak, "the RSA key has 1024 bits, 2048 are the least"),
      (weak, "openssl genrsa -out KEY.pem 2048"),
      (try OpenSSL.ec(curve: "P-384"), "the key's curve is secp384r1, P-256 is needed"),
      (try OpenSSL.ec(curve: "P-384"), "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"),
      (try OpenSSL.text("genpkey", "-algorithm", "ED25519"), "the key is ED25519; RSA or P-256 is needed"),
      (encrypted, "the key is encrypted; decrypt it by: openssl pkey -in KEY -out KEY.plain.pem"),
      (oldEncrypted, "the key is encrypted; decrypt it by: openssl pkey -in KEY -out KEY.plain.pem"),
      (publicKey, "it holds a PUBLIC KEY, no private key"),
      ("{\"type\":\"service_account\"}", "no PEM in it"),
      ("", "no PEM in it"),
      (([lines[0], lines[1].dropLast(7)] + lines[2...]).joined(separator: "\n"), "not whole base64"),
      (([lines[0], lines[1].dropLast(8)] + lines[2...]).joined(separator: "\n"), "OpenSSL can't read the key"),
      (lines.dropLast().joined(separator: "\n"), "no PEM in it"),
    ]
    for (pem, reason) in cases {
      let error = #expect(throws: SigningError.self) { try SigningKey(pem: Array(pem.utf8)) }
      let text = error?.description ?? ""
      #expect(text.contains(reason))
      #expect(!text.contains("\n"))
      // No line of the key is in the message.
      #expect(
        pem.split(separator: "\n").filter { $0.count >= 16 && !$0.hasPrefix("-") }.allSatisfy { !text.contains($0) })
    }
  }

  @Test("a key with one damaged byte is refused before it signs for anybody")
  func damaged() throws {
    let der = try OpenSSL.run(["ec", "-outform", "DER"], input: Array(OpenSSL.ec().utf8)).output
    // SEC1: SEQUENCE, version, OCTET STRING header, then the 32 bytes of the private half from the eighth on.
    var broken = der
    broken[20] ^= 1
    let pem = "-----BEGIN EC PRIVATE KEY-----\n\(base64(broken))\n-----END EC PRIVATE KEY-----"
    let error = #expect(throws: SigningError.self) { try SigningKey(pem: Array(pem.utf8)) }
    #expect(error?.description.hasPrefix("the key is damaged") == true)
  }

  @Test("an algorithm of the other kind is refused")
  func wrongAlgorithm() throws {
    let rsa = try SigningKey(pem: Array(OpenSSL.rsa().utf8))
    let p256 = try SigningKey(pem: Array(OpenSSL.ec().utf8))
    #expect(throws: SigningError("ES256 needs a P-256 key, this one is RSA")) { try rsa.sign([], .es256) }
    #expect(throws: SigningError("RS256 needs an RSA key, this one is P-256")) { try p256.sign([], .rs256) }
    #expect(throws: SigningError("PS256 needs an RSA key, this one is P-256")) { try p256.sign([], .ps256) }
  }

  private func base64(_ bytes: [UInt8]) -> String {
    var text = Base64URL.encode(bytes).replacing("-", with: "+").replacing("_", with: "/")
    while !text.utf8.count.isMultiple(of: 4) { text += "=" }
    return text
  }

  /// DER of a raw signature, for openssl.
  private func der(_ raw: [UInt8]) -> [UInt8] {
    func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
      var digits = Array(half.drop { $0 == 0 })
      if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    let numbers = integer(raw[..<32]) + integer(raw[32...])
    return [0x30, UInt8(numbers.count)] + numbers
  }
}
