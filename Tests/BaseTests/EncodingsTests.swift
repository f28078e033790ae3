import Base
import Testing

@Suite("Hexadecimal and base64url")
struct EncodingsTests {
  @Test("hex: lower case out, either case in")
  func hex() {
    #expect(Hex.encode([0x00, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
    #expect(Hex.decode("000fA5Ff") == [0x00, 0x0F, 0xA5, 0xFF])
    #expect(Hex.decode("") == [])
    for text in ["0", "0g", "g0", " 0", "0x", "-1", "é"] { #expect(Hex.decode(text) == nil) }
  }

  // RFC 4648 §10, without the padding.
  @Test(
    "the vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, encoded: String) {
    #expect(Base64URL.encode(Array(text.utf8)) == encoded)
    #expect(Base64URL.decode(encoded.utf8) == Array(text.utf8))
    // A collection without storage of its own takes the other path.
    #expect(Base64URL.encode(text.utf8.lazy.map { $0 }) == encoded)
  }

  @Test("the alphabet of URLs: - and _")
  func alphabet() {
    #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
    #expect(Base64URL.decode("-_-_".utf8) == [0xFB, 0xFF, 0xBF])
  }

  @Test(
    "no padding, no other alphabet, no impossible length, no bits past the end",
    arguments: ["Zg==", "Zm9v+", "Zm9v/", "Z", "Zm9vY", "Zh", "Zm9", "Zm 8", "Zm8\n"])
  func refused(text: String) {
    #expect(Base64URL.decode(text.utf8) == nil)
  }
}
