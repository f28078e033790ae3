import Providers
import Testing

@Suite("Token shapes (C16)")
struct TokenShapeTests {
  static let hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

  @Test(
    "APNs takes hex of 64 to 200 digits in lower case, unwraps what iOS once printed, and refuses all else",
    arguments: [
      ("<00112233 44556677 8899aabb ccddeeff 00112233 44556677 8899aabb ccddeeff>", hex as String?),
      (hex.uppercased(), hex),
      (" \(hex)\r\n", hex),
      (String(repeating: "a5", count: 80), String(repeating: "a5", count: 80)),
      (String(repeating: "a5", count: 100), String(repeating: "a5", count: 100)),
      (String(repeating: "a5", count: 101), nil),
      (String(hex.dropLast()), nil),
      ("(null)", nil),
      ("", nil),
      ("<>", nil),
      ("<", nil),
      ("deadbeef-token", nil),
      ("00ff/../../x", nil),
      // Not printed by iOS: squeezed, it would name somebody else.
      ("00112233 44556677 8899aabb ccddeeff 00112233 44556677 8899aabb ccddeeff", nil),
    ])
  func apns(_ token: String, _ expected: String?) throws {
    #expect(try Fixtures.apns().token(token) == expected)
  }

  @Test(
    "all but APNs take 1 to 2,048 visible characters, trimmed, never squeezed",
    arguments: Fixtures.providers.filter { $0 != "ios-apns" })
  func opaque(_ provider: String) throws {
    let lane = try Fixtures.lane(of: provider)
    let table: [(String, String?)] = [
      ("syn1:APA91b_-Zz\n", "syn1:APA91b_-Zz"),
      ("syn1:APA91b Zz", nil),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 300)),
      (String(repeating: "x", count: 1024), String(repeating: "x", count: 1024)),
      (String(repeating: "x", count: 2048), String(repeating: "x", count: 2048)),
      (String(repeating: "x", count: 2049), nil),
      (String(repeating: "x", count: 3200), nil),
      ("", nil),
      (" \t", nil),
      ("a\"b", nil),
      ("a\\b", nil),
      ("a\u{1}b", nil),
      ("a\u{7F}", nil),
      ("тест", nil),
    ]
    for (token, expected) in table { #expect(lane.token(token) == expected, "\(token.prefix(40))") }
  }
}
