import Base
import Signing
import Testing

@Suite("ECDSA signatures")
struct ECDSASignatureTests {
  @Test("C21: sign bytes go, short numbers are padded on the left")
  func c21() throws {
    let first = try #require(
      Hex.decode("3044021f" + String(repeating: "11", count: 31) + "022100f0" + String(repeating: "22", count: 31)))
    let raw = try #require(ECDSASignature.derToRaw(first))
    #expect(
      Hex.encode(raw)
        == "00" + String(repeating: "11", count: 31) + "f0" + String(repeating: "22", count: 31))
    #expect(
      Base64URL.encode(raw)
        == "ABERERERERERERERERERERERERERERERERERERERERHwIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIg")

    let second = try #require(
      Hex.decode("3041021e" + String(repeating: "33", count: 30) + "021f" + String(repeating: "44", count: 31)))
    #expect(
      Hex.encode(try #require(ECDSASignature.derToRaw(second)))
        == "0000" + String(repeating: "33", count: 30) + "00" + String(repeating: "44", count: 31))
  }

  @Test(
    "what is not two whole numbers is refused",
    arguments: [
      "", "30", "3000", "3003020101", "300602010102", "30060201010201", "3006020101020101ff", "3106020101020101",
      "3006030101020101", "30060201010200", "300602010102020101", "30068201010201",
      "3026" + "0221" + String(repeating: "11", count: 33) + "020101",
    ])
  func refused(hex: String) throws {
    #expect(ECDSASignature.derToRaw(try #require(Hex.decode(hex))) == nil)
  }
}
