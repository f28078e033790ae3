import Base
import Campaign
import Foundation
import Providers
import Testing
import Transport

@Suite("FCM's credential")
struct FCMCredentialTests {
  /// The form's fields, percent-decoded.
  static func fields(_ form: [UInt8]) throws -> [String: String] {
    var fields: [String: String] = [:]
    for pair in String(decoding: form, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      try #require(parts.count == 2)
      fields[String(parts[0])] = String(parts[1]).removingPercentEncoding
    }
    return fields
  }

  static func exchange(_ lane: any ProviderLane, now: EpochMilliseconds = noon) throws -> AccessExchange {
    guard case .exchange(let exchange) = try lane.access.begin(now: now) else {
      throw ProviderError(.configuration, "no exchange")
    }
    return exchange
  }

  @Test("the assertion is RS256 for the messaging scope, issued ten seconds ago, for an hour")
  func assertion() throws {
    let exchange = try Self.exchange(Fixtures.fcm())
    #expect(exchange.endpoint == "https://oauth2.googleapis.com")
    #expect(exchange.path == "/token")
    let fields = try Self.fields(exchange.form)
    #expect(fields.keys.sorted() == ["assertion", "grant_type"])
    #expect(fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    let jwt = try DecodedJWT(try #require(fields["assertion"]))
    #expect(jwt.header.text == #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#)
    #expect(
      jwt.claims.text
        == #"{"iss":"salvo@shop-1.iam.example","scope":"https://www.googleapis.com/auth/firebase.messaging","#
        + #""aud":"https://oauth2.googleapis.com/token","iat":1773143990,"exp":1773147590}"#)
    #expect(jwt.signatureBytes == 256)
  }

  @Test("a token is renewed five minutes before its end, counted from the question (C23 4)")
  func lifetime() throws {
    let answer = Answer(status: 200, body: Array(#"{"access_token":"ya29.x","expires_in":3599}"#.utf8))
    let access = try Fixtures.fcm().access.access(from: answer, askedAt: noon)
    #expect(access.authorization == "Bearer ya29.x")
    #expect(access.validUntil == EpochMilliseconds(1_773_147_599_000))
    #expect(access.renewAt == EpochMilliseconds(1_773_147_299_000))
  }

  @Test(
    "odd lifetimes neither overflow nor make a stampede",
    arguments: [
      ("5", 2.5, 5.0), (#""3600""#, 3300, 3600), ("1e300", 86_100, 86_400), ("-1", 0, 0), ("null", 3300, 3600),
      (#""nan""#, 3300, 3600),
    ])
  func oddLifetime(_ expiresIn: String, _ renew: Double, _ end: Double) throws {
    let body = #"{"access_token":"x","expires_in":\#(expiresIn)}"#
    let access = try Fixtures.fcm().access.access(
      from: Answer(status: 200, body: Array(body.utf8)), askedAt: EpochMilliseconds(0))
    #expect(Double(access.renewAt.value) / 1000 == renew)
    #expect(Double(access.validUntil.value) / 1000 == end)
  }

  @Test("invalid_grant stops with a hint at clock and key (C23 1), 503 is asked again later (C23 5)")
  func failures() throws {
    let lane = try Fixtures.fcm()
    func error(_ status: Int, _ body: String) -> ProviderError? {
      providerError {
        _ = try lane.access.access(from: Answer(status: status, body: Array(body.utf8)), askedAt: noon)
      }
    }
    let refused = error(
      400,
      #"{"error":"invalid_grant","error_description":"Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe"}"#
    )
    #expect(refused?.code == .credential)
    #expect(refused?.description.contains("clock") == true)
    #expect(refused?.description.contains("key") == true)
    #expect(refused?.description.contains("file:shop.key") == true)
    #expect(error(401, "")?.code == .credential)
    #expect(error(503, "<html>")?.code == .temporary)
    #expect(error(429, "")?.code == .temporary)
    #expect(error(200, "{}")?.code == .temporary)
    #expect(error(200, "<html>")?.code == .temporary)
    #expect(error(404, "")?.code == .configuration)
    #expect(error(200, #"{"access_token":"a\r\nX-Evil: 1"}"#)?.code == .credential)
  }

  @Test(
    "a key that lost its line breaks on the way is read, or refused without its text (C19)",
    arguments: ["\\n", "\r\n", "\\r\\n"])
  func lineBreaks(_ lineBreak: String) throws {
    let pem = TestKeys.rsa.replacing("\n", with: lineBreak)
    let account = try JSONScanner.parse(Fixtures.serviceAccount)
    var members = try #require(account.object)
    members.set("private_key", .string(pem))
    let lane = try Fixtures.lane("android-firebase", credential: JSON.object(members).text)
    let form = try Self.fields(Self.exchange(lane).form)
    #expect(try DecodedJWT(try #require(form["assertion"])).signatureBytes == 256)
  }

  @Test(
    "what is missing is named with the channel and the reference, nothing is quoted",
    arguments: ["client_email", "private_key_id", "private_key", "token_uri"])
  func missing(_ key: String) throws {
    var members = JSONObject()
    for member in try #require(JSONScanner.parse(Fixtures.serviceAccount).object).members where member.key != key {
      members.set(member.key, member.value)
    }
    let error = providerError { _ = try Fixtures.lane("android-firebase", credential: JSON.object(members).text) }
    #expect(error?.code == .configuration)
    #expect(error?.description == "channel 7 (Shop): credential file:shop.key has no \"\(key)\"")
  }

  @Test("a file that is no JSON, or a key of the wrong kind, is a configuration fault")
  func unusable() throws {
    #expect(
      providerError { _ = try Fixtures.lane("android-firebase", credential: "secret words") }?.description
        == "channel 7 (Shop): credential file:shop.key is not valid JSON at line 1, column 1")
    var members = try #require(JSONScanner.parse(Fixtures.serviceAccount).object)
    members.set("private_key", .string(TestKeys.p256))
    let error = providerError { _ = try Fixtures.lane("android-firebase", credential: JSON.object(members).text) }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("RSA") == true)
    members.set("private_key", .string(TestKeys.rsa))
    members.set("token_uri", .string("http://oauth2.googleapis.com/token"))
    #expect(
      providerError { _ = try Fixtures.lane("android-firebase", credential: JSON.object(members).text) }?.description
        == "channel 7 (Shop): credential file:shop.key: \"token_uri\" must be an https address")
  }
}
