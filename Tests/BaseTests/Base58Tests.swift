import Base
import Testing

@Suite("base58 and CRC-32C")
struct Base58Tests {
  // Of draft-msporny-base58 §5 and the Bitcoin vectors, their alphabet exchanged for Flickr's (digit by digit, not letter by letter).
  @Test(
    "known vectors",
    arguments: [
      ("", ""), ("61", "2F"), ("626262", "z3Fu"), ("636363", "zoeR"),
      ("73696d706c792061206c6f6e6720737472696e67", "2BfUPJGMeSrM59QhwSTLj2EEPkV2"),
      ("00eb15231dfceb60925886b67d065299925915aeb172c06647", "1nr17HzF9JiFshd1uwJVkceMyUp3Ride9k"),
      ("516b6fcd0f", "abMksLF"),
      ("bf4f89001e670274dd", "3reN3kvkNoMTc"), ("572e4794", "3eft7L"), ("ecac89cad93923c02321", "eidm8CREwa6UYa"),
      ("10c8511e", "qT5ZL"),
      ("00000000000000000000", "1111111111"), ("0000287fb4cd", "11233pc4"),
      ("48656c6c6f20576f726c6421", "2nePN7syqqRkyrH2t"),
    ])
  func vectors(hex: String, text: String) throws {
    let bytes = try #require(Hex.decode(hex))
    #expect(Base58.encode(bytes) == text)
    #expect(Base58.decode(text.utf8) == bytes)
  }

  @Test("random bytes come back, zeros in front too")
  func roundTrip() {
    var random = SystemRandomNumberGenerator()
    for count in 0..<120 {
      for zeros in [0, 1, 3] where zeros <= count {
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        for index in 0..<zeros { bytes[index] = 0 }
        #expect(Base58.decode(Base58.encode(bytes).utf8) == bytes)
      }
      let ones = [UInt8](repeating: 0xFF, count: count)
      #expect(Base58.decode(Base58.encode(ones).utf8) == ones)
    }
  }

  @Test("digits by hand: the same as long division, one digit at a time")
  func longDivision() {
    let alphabet = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    var random = SystemRandomNumberGenerator()
    for count in 1...80 {
      let bytes = [UInt8.random(in: 1...255, using: &random)] + (1..<count).map { _ in UInt8.random(in: 0...255) }
      var number = bytes
      var digits: [UInt8] = []
      while number.contains(where: { $0 != 0 }) {
        var rest = 0
        for index in number.indices {
          let value = rest * 256 + Int(number[index])
          number[index] = UInt8(value / 58)
          rest = value % 58
        }
        digits.append(alphabet[rest])
      }
      #expect(Base58.encode(bytes) == String(decoding: digits.reversed(), as: UTF8.self))
    }
  }

  @Test(
    "0, O, I, l and all else outside the alphabet are refused",
    arguments: ["0", "O", "I", "l", "2 G", "2G\n", "é", "+"])
  func refused(text: String) {
    #expect(Base58.decode(text.utf8) == nil)
    #expect(Base58.decodeNumber(text.utf8) == nil)
  }

  @Test(
    "numbers",
    arguments: [(0, "1"), (57, "Z"), (58, "21"), (3_471_391_110, "6hKMCS"), (UInt64.max, "JPwcyDCgEup")]
      as [(UInt64, String)])
  func numbers(number: UInt64, text: String) {
    var out: [UInt8] = []
    Base58.append(number, to: &out)
    #expect(String(decoding: out, as: UTF8.self) == text)
    #expect(Base58.decodeNumber(text.utf8) == number)
  }

  @Test("a number above 64 bits is refused")
  func tooLarge() {
    #expect(Base58.decodeNumber("JPwcyDCgEuq".utf8) == nil)
    #expect(Base58.decodeNumber("ZZZZZZZZZZZZ".utf8) == nil)
    #expect(Base58.decodeNumber("".utf8) == nil)
  }

  // RFC 3720 appendix B.4 lists the CRC bytes in the order of the wire, least significant first.
  @Test(
    "CRC-32C: the check value and RFC 3720's vectors",
    arguments: [
      (Array("123456789".utf8), 0xE306_9283), ([], 0), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E),
      (Array((0..<32).reversed()), 0x113F_DB5C),
    ] as [([UInt8], UInt32)])
  func crc(bytes: [UInt8], checksum: UInt32) {
    #expect(CRC32C.checksum(bytes.span) == checksum)
  }
}
