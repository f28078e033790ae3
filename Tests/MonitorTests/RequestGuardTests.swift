import Testing

@testable import Monitor

@Suite struct RequestGuardTests {
  private static let secret = "0123456789abcdef"
  private let access = RequestGuard(hosts: ["salvo.example"], token: ListenToken(Array(Self.secret.utf8)))

  @Test(
    "requests to addresses, to localhost and to names that were allowed are served",
    arguments: [
      "127.0.0.1:9464", "127.0.0.1", "localhost:9464", "LOCALHOST", "[::1]:9464", "[::1]", "10.2.3.4:80",
      "salvo.example:9464", "Salvo.Example",
    ])
  func served(host: String) { #expect(access.refusal(ofHost: host) == nil) }

  @Test(
    "a name that somebody else may have pointed here is not",
    arguments: [
      nil, "", ":80", "evil.example", "evil.example:9464", "localhost.evil.example", "salvo.example.evil.example",
      "127.0.0.1.evil.example", "127.0.0.1:9464:1", "[::1", "[::1]x", "[evil.example]:9464", "127.0.0.1@evil.example",
      "127.0.0.1:99999", "127.0.0.1 evil.example",
    ])
  func refused(host: String?) { #expect(access.refusal(ofHost: host)?.status == 421) }

  private func command(
    origin: String? = nil, site: String? = nil, authorization: String? = "Bearer " + secret
  ) -> HTTPRequest {
    HTTPRequest(
      method: "POST", path: "/launches/1/pause", host: "127.0.0.1:9464", origin: origin, fetchSite: site,
      authorization: authorization)
  }

  @Test("the page's own commands and a program's are taken")
  func taken() {
    #expect(access.refusal(ofCommand: command()) == nil)
    #expect(access.refusal(ofCommand: command(origin: "http://127.0.0.1:9464", site: "same-origin")) == nil)
    #expect(access.refusal(ofCommand: command(origin: "https://127.0.0.1:9464", site: "same-origin")) == nil)
  }

  @Test(
    "a foreign page's are not, even with the token",
    arguments: [
      ("http://evil.example", nil), ("http://127.0.0.1:8080", nil), ("http://127.0.0.1", nil), ("null", nil),
      ("http://127.0.0.1:9464.evil.example", nil), ("", nil), (nil, "cross-site"), (nil, "same-site"),
      ("http://127.0.0.1:9464", "cross-site"),
    ] as [(String?, String?)])
  func foreign(origin: String?, site: String?) {
    #expect(access.refusal(ofCommand: command(origin: origin, site: site))?.status == 403)
  }

  @Test(
    "without the token nothing is taken",
    arguments: [
      nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Bearer 0123456789abcdeF",
      "bearer 0123456789abcdef", "0123456789abcdef", "Basic 0123456789abcdef",
    ])
  func tokenNeeded(authorization: String?) {
    #expect(access.refusal(ofCommand: command(authorization: authorization))?.status == 401)
  }

  @Test("where there is no token every command is refused, also with one")
  func readOnly() {
    let access = RequestGuard(hosts: [], token: nil)
    #expect(access.refusal(ofCommand: command())?.status == 403)
    #expect(access.refusal(ofCommand: command(authorization: nil))?.status == 403)
  }

  @Test("a token shorter than 16 characters is none")
  func shortToken() {
    #expect(ListenToken(Array("0123456789abcde".utf8)) == nil)
    #expect(ListenToken([]) == nil)
  }
}
