import Base
import Signing
import Testing

@Suite("JWT")
struct JWTTests {
  @Test("header and claims keep their order and digits; the signature covers both, without padding")
  func compact() throws {
    let pem = try OpenSSL.rsa()
    let header: JSONObject = JSONObject([
      .init(key: "typ", value: .string("JWT")), .init(key: "alg", value: .string("RS256")),
    ])
    let claims = JSONObject([
      .init(key: "iss", value: .string("joe")), .init(key: "exp", value: .number("1300819380")),
      .init(key: "http://example.com/is_root", value: .bool(true)),
    ])
    let token = try JWT.make(
      header: header, claims: claims, key: SigningKey(pem: Array(pem.utf8)), algorithm: .rs256)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    // Computed by: printf '{"typ":"JWT","alg":"RS256"}' | basenc --base64url
    #expect(parts[0] == "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9")
    #expect(
      parts[1] == "eyJpc3MiOiJqb2UiLCJleHAiOjEzMDA4MTkzODAsImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ")
    let signature = try #require(Base64URL.decode(parts[2].utf8))
    #expect(try OpenSSL.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8), key: pem))
  }

  @Test("C21: an ES256 token ends in 86 characters without padding")
  func es256() throws {
    let key = try SigningKey(pem: Array(OpenSSL.ec().utf8))
    let token = try JWT.make(header: JSONObject(), claims: JSONObject(), key: key, algorithm: .es256)
    let parts = token.split(separator: ".")
    #expect(parts[0] == "e30")
    #expect(parts[1] == "e30")
    #expect(parts[2].utf8.count == 86)
    #expect(!token.contains("="))
  }
}
