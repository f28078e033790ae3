import Base
import Signing
import Testing

@Suite("AES-256-SIV")
struct SIVCipherTests {
  /// The bytes 0…63.
  private func key() throws -> LinkKey { try LinkKey(text: Array(Hex.encode(0..<64).utf8)) }

  // Python's cryptography: AESSIV(bytes(range(64))).encrypt(TEXT, None).hex()
  @Test(
    "vectors computed by another implementation, texts shorter and longer than a block through one cipher",
    arguments: [
      [
        (
          "112233445566778899aabbccddee",
          "c561d53546fd103cd5a6e4d39112abddadc39943b2f0cf1517c3fd6efa3d"
        ),
        ("61", "ba092609c39c78a53203bb6c759c7396d9"),
        (
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
            + "3031323334353637",
          "901adfa999374566eef1ef5523d0a2164e9052302f29981ef847ce8dae88514b3432de99a7f587acb15c838bdd0ff587"
            + "96c9e8b177e4d5776a5dc9ad37ec2cce5284d56699ebcd7c"
        ),
        ("61", "ba092609c39c78a53203bb6c759c7396d9"),
      ]
    ])
  func vectors(pairs: [(String, String)]) throws {
    let key = try key()
    let cipher = try SIVCipher(key: key)
    for (text, sealed) in pairs {
      var out: [UInt8] = [7]
      try cipher.seal(try #require(Hex.decode(text)), to: &out)
      #expect(Hex.encode(out) == "07" + sealed)
      #expect(try SIVCipher.open(out[1...], key: key) == Hex.decode(text))
    }
  }

  @Test("every changed bit, every cut and every other key is noticed")
  func tampering() throws {
    let key = try key()
    let other = try LinkKey(text: Array(Hex.encode(1..<65).utf8))
    var sealed: [UInt8] = []
    try SIVCipher(key: key).seal(Array("abc".utf8), to: &sealed)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try SIVCipher.open(changed[...], key: key) == nil)
    }
    for count in 0..<sealed.count { #expect(try SIVCipher.open(sealed[..<count], key: key) == nil) }
    #expect(try SIVCipher.open((sealed + [0])[...], key: key) == nil)
    #expect(try SIVCipher.open(sealed[...], key: other) == nil)
  }

  // python3: hashlib.sha256(bytes(range(64))).digest()[0]
  @Test("a key file is 128 hex digits; its number is the first byte of the key's SHA-256")
  func keyFile() throws {
    let digits = Hex.encode(0..<64)
    #expect(try key().number == 0xFD)
    for text in [digits + "\n", digits.uppercased(), "\u{FEFF}\"\(digits)\"\r\n"] {
      #expect(try LinkKey(text: Array(text.utf8)) == key())
    }
    for text in [
      "", "ff", String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), "é" + digits.dropFirst(2),
    ] {
      let error = #expect(throws: SigningError.self) { try LinkKey(text: Array(text.utf8)) }
      #expect(error?.description == "128 hex digits are expected; make a key by: openssl rand -hex 64")
    }
  }
}
