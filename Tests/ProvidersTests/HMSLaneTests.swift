import Base
import Foundation
import Providers
import Testing
import Transport

@Suite("Huawei's requests and tokens")
struct HMSLaneTests {
  static let payload =
    #"{"message":{"token":["t"],"data":{"_title":"a \"b\" \\ / Ж","_n":"1"},"android":{"urgency":"HIGH","ttl":"60s"}}}"#
  static let landmarks = [#"["t"]"#, #"{"_title":"a \"b\" \\ / Ж","_n":"1"}"#]

  @Test("2,500 messages of one payload are three requests: 1,000, 1,000 and 500 tokens")
  func fullArrays() throws {
    let tokens = (0..<2500).map { "token-\($0)" }
    var builder = SliceBuilder()
    builder.add(Self.payload, tokens: tokens, landmarks: Self.landmarks, uid: "Ugroup")
    let batch = builder.requests(try Fixtures.hms())
    #expect(batch.spans.map(\.messages) == [0..<1000, 1000..<2000, 2000..<2500])
    #expect(batch.taken == 2500)
    var sent: [String] = []
    for index in 0..<3 {
      let message = try JSONScanner.parse(batch.body(index)).object?["message"]?.object
      sent += try #require(message?["token"]?.array).compactMap(\.string)
    }
    #expect(sent == tokens)
  }

  @Test("the token array is filled, data becomes text once, the rest stays byte for byte")
  func bytes() throws {
    var builder = SliceBuilder()
    builder.add(Self.payload, tokens: ["A", "B"], landmarks: Self.landmarks)
    let batch = builder.requests(try Fixtures.hms())
    #expect(
      batch.body(0) == #"{"message":{"token":["A","B"],"data":""#
        + #"{\"_title\":\"a \\\"b\\\" \\\\ / Ж\",\"_n\":\"1\"}"#
        + #"","android":{"urgency":"HIGH","ttl":"60s"}}}"#)
    let message = try JSONScanner.parse(batch.body(0)).object?["message"]?.object
    let data = try JSONScanner.parse(try #require(message?["data"]?.string))
    #expect(data.object?["_title"] == .string(#"a "b" \ / Ж"#))
    #expect(batch.path(0) == "/v1/10001/messages:send")
    #expect(batch.headers(0).isEmpty)
  }

  @Test("payloads of their own travel alone, one token each")
  func personal() throws {
    var builder = SliceBuilder()
    builder.add(Self.payload, tokens: ["A"], landmarks: Self.landmarks)
    builder.add(Self.payload, tokens: ["B"], landmarks: Self.landmarks)
    let batch = builder.requests(try Fixtures.hms())
    #expect(batch.spans.map(\.messages) == [0..<1, 1..<2])
    #expect(batch.body(1).hasPrefix(#"{"message":{"token":["B"],"#))
  }

  @Test("data_form object leaves data as it was rendered; text that is there already isn't encoded again")
  func dataForm() throws {
    var builder = SliceBuilder()
    builder.add(Self.payload, tokens: ["A"], landmarks: Self.landmarks)
    #expect(
      builder.requests(try Fixtures.hms(settings: #"{"data_form":"object"}"#)).body(0)
        == Self.payload.replacing(#"["t"]"#, with: #"["A"]"#))
    let text = #"{"message":{"data":"{\"a\":1}","token":["t"]}}"#
    var other = SliceBuilder()
    other.add(text, tokens: ["A"], landmarks: [#"["t"]"#, #""{\"a\":1}""#])
    #expect(other.requests(try Fixtures.hms()).body(0) == #"{"message":{"data":"{\"a\":1}","token":["A"]}}"#)
  }

  @Test("a payload without the places is sent as it stands")
  func noPlaces() throws {
    var builder = SliceBuilder()
    builder.add(#"{"message":{}}"#, tokens: ["A"], landmarks: ["", ""])
    #expect(builder.requests(try Fixtures.hms()).body(0) == #"{"message":{}}"#)
  }

  @Test("4,096 bytes without the tokens go, one more is reported for every message of the payload")
  func tooLarge() throws {
    // What is left of the body when the list between the brackets is taken out.
    let frame = #"{"message":{"token":[],"data":"{}","x":""}}"#
    func payload(_ count: Int) -> String {
      #"{"message":{"token":["t"],"data":{},"x":""# + String(repeating: "x", count: count - frame.utf8.count) + #""}}"#
    }
    let tokens = (0..<3).map { String(repeating: "\($0)", count: 1000) }
    var builder = SliceBuilder()
    builder.add(payload(4096), tokens: tokens, landmarks: [#"["t"]"#, "{}"])
    builder.add(payload(4097), tokens: tokens, landmarks: [#"["t"]"#, "{}"])
    let batch = builder.requests(try Fixtures.hms())
    #expect(batch.spans.map(\.messages) == [0..<3])
    #expect(batch.tooLarge.map(\.message) == [3, 4, 5])
    #expect(batch.tooLarge.map(\.bytes) == [4097, 4097, 4097])
    #expect(batch.taken == 6)
    #expect(batch.page.requests[0].body.count == 4096 + 3 * 1002 + 2)
  }

  @Test("host, 2 connections of 50 streams, headers, and room for a thousand named tokens in an answer")
  func pool() throws {
    let lane = try Fixtures.hms()
    #expect(lane.pool.endpoint == "https://push-api.cloud.huawei.com")
    #expect(lane.pool.connections == 2)
    #expect(lane.pool.streams == 50)
    #expect(lane.pool.answerLimit >= 1000 * 2048)
    #expect(lane.messagesPerRequest == 1000)
    let access = Access(authorization: "Bearer x", renewAt: noon, validUntil: noon)
    #expect(lane.headerLines(access) == ["authorization: Bearer x", "content-type: application/json;charset=utf-8"])
  }

  @Test("the client's secret is exchanged as an encoded form, the token is JSON-decoded (C19)")
  func client() throws {
    let lane = try Fixtures.hms()
    let exchange = try FCMCredentialTests.exchange(lane)
    #expect(exchange.endpoint == "https://oauth-login.cloud.huawei.com")
    #expect(exchange.path == "/oauth2/v3/token")
    #expect(
      String(decoding: exchange.form, as: UTF8.self)
        == "grant_type=client_credentials&client_id=10001&client_secret=se%2Bcr%2Fet%3D")
    let answer = Answer(
      status: 200, body: Array(#"{"access_token":"CF3X\/ab+c==","expires_in":3600,"token_type":"Bearer"}"#.utf8))
    let access = try lane.access.access(from: answer, askedAt: noon)
    #expect(access.authorization == "Bearer CF3X/ab+c==")
    #expect(access.renewAt == noon.adding(seconds: 3300))
    #expect(access.validUntil == noon.adding(seconds: 3600))
  }

  @Test("a client that Huawei refuses is named with its numbers, not its secret")
  func refusedClient() throws {
    let lane = try Fixtures.hms()
    func error(_ status: Int, _ body: String) -> ProviderError? {
      providerError {
        _ = try lane.access.access(from: Answer(status: status, body: Array(body.utf8)), askedAt: noon)
      }
    }
    let secret = error(400, #"{"error":1101,"sub_error":12304,"error_description":"invalid client"}"#)
    #expect(secret?.code == .credential)
    #expect(
      secret?.description == "channel 7 (Shop): credential file:shop.key was refused by the token endpoint (HTTP 400): "
        + "error 1101/12304: check client_secret")
    #expect(error(400, #"{"error":1101,"sub_error":20003}"#)?.description.hasSuffix(": check client_id") == true)
    #expect(error(503, "")?.code == .temporary)
    #expect(error(404, "")?.code == .configuration)
  }

  @Test("a service account signs its own bearer with PS256, for api v2")
  func serviceAccount() throws {
    let account = JSON.object(
      JSONObject([
        .init(key: "project_id", value: .string("77")), .init(key: "key_id", value: .string("k1")),
        .init(key: "sub_account", value: .string("sub-1")), .init(key: "private_key", value: .string(TestKeys.rsa)),
      ])
    ).text
    let lane = try Fixtures.hms(settings: #"{"api":"v2"}"#, credential: account)
    guard case .ready(let access) = try lane.access.begin(now: noon) else {
      Issue.record("signed on the spot")
      return
    }
    let jwt = try DecodedJWT(try #require(access.authorization).dropFirst("Bearer ".count))
    #expect(jwt.header.text == #"{"kid":"k1","typ":"JWT","alg":"PS256"}"#)
    #expect(
      jwt.claims.text
        == #"{"iss":"sub-1","aud":"https://oauth-login.cloud.huawei.com/oauth2/v3/token","iat":1773144000,"exp":1773147600}"#
    )
    #expect(access.renewAt == noon.adding(seconds: 3300))
    #expect(access.validUntil == noon.adding(seconds: 3600))
    var builder = SliceBuilder()
    builder.add(Self.payload, tokens: ["A"], landmarks: Self.landmarks)
    #expect(builder.requests(lane).path(0) == "/v2/77/messages:send")
    let error = providerError { _ = try Fixtures.hms(credential: account) }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("v2") == true)
  }
}
