import Base
import Campaign
import Foundation
import Providers
import Signing
import Testing
import Transport

@Suite("APNs' requests and tokens")
struct APNsLaneTests {
  static let token = String(repeating: "0f", count: 32)

  static func uuid(_ name: String) -> String {
    var out: [UInt8] = []
    UUIDv5.append(of: Array(name.utf8)[...], to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  static func lines(_ launch: Launch, settings: String = Fixtures.apnsSettings) throws -> [String] {
    let access = Access(authorization: "bearer jwt", renewAt: noon, validUntil: noon)
    return try Fixtures.apns(settings: settings, launch: launch).headerLines(access)
  }

  static func content(_ change: (inout Content) -> Void) -> Content {
    var content = Content()
    change(&content)
    return content
  }

  @Test("the token is in the path; apns-id and the collapse id are the UUID of the uid, the same on every attempt")
  func requests() throws {
    let lane = try Fixtures.apns()
    var builder = SliceBuilder()
    builder.add(#"{"aps":{}}"#, tokens: [Self.token], uid: "Tone")
    builder.add(#"{"aps":{"badge":1}}"#, tokens: [Self.token], uid: "Ttwo")
    let batch = builder.requests(lane)
    #expect(batch.spans.map(\.messages) == [0..<1, 1..<2])
    #expect(batch.path(0) == "/3/device/" + Self.token)
    #expect(batch.body(0) == #"{"aps":{}}"#)
    #expect(batch.body(1) == #"{"aps":{"badge":1}}"#)
    let one = Self.uuid("Tone")
    #expect(UUID(uuidString: one) != nil)
    #expect(one == one.lowercased())
    #expect(batch.headers(0) == ["apns-id: \(one)", "apns-collapse-id: \(one)"])
    #expect(batch.headers(1) == ["apns-id: \(Self.uuid("Ttwo"))", "apns-collapse-id: \(Self.uuid("Ttwo"))"])
    #expect(builder.requests(lane).headers(0) == batch.headers(0))
    let verdict = lane.verdicts(
      for: .answered(Answer(status: 200)), of: batch.spans[1], in: batch, now: noon)
    #expect(verdict == [MessageVerdict(.sent, httpStatus: 200, providerMessageID: Self.uuid("Ttwo"))])
  }

  @Test("a group's uid names many messages, so the token makes each apns-id its own")
  func group() throws {
    let other = String(repeating: "1f", count: 32)
    var builder = SliceBuilder()
    builder.add("{}", tokens: [Self.token, other], uid: "Ugroup")
    let batch = builder.requests(try Fixtures.apns())
    #expect(batch.headers(0).first == "apns-id: " + Self.uuid("Ugroup" + Self.token))
    #expect(batch.headers(1).first == "apns-id: " + Self.uuid("Ugroup" + other))
  }

  @Test("topic, push type and priority are the lane's")
  func laneHeaders() throws {
    #expect(
      try Self.lines(Fixtures.launch()) == [
        "authorization: bearer jwt", "content-type: application/json", "apns-topic: example.shop",
        "apns-push-type: alert", "apns-priority: 10",
      ])
    let normal = Self.content { $0.priority = .normal }
    #expect(
      try Self.lines(Fixtures.launch(content: normal)).suffix(2) == ["apns-push-type: alert", "apns-priority: 5"])
    let silent = Self.content { $0.silent = true }
    #expect(
      try Self.lines(Fixtures.launch(content: silent)).suffix(2) == ["apns-push-type: background", "apns-priority: 5"])
  }

  @Test(
    "apns-expiration is absolute from the launch's start (C12)",
    arguments: [
      (nil as Int64?, nil as String?), (0, "0"), (3_600_000, "1760003600"), (2_419_200_000, "1762419200"),
      (3500, "1760000003"),
    ])
  func expiration(_ ttl: Int64?, _ expected: String?) throws {
    let content = Self.content { $0.ttlMilliseconds = ttl }
    let lines = try Self.lines(Fixtures.launch(content: content, startedAt: 1_760_000_000_000))
    #expect(lines.filter { $0.hasPrefix("apns-expiration") } == (expected.map { ["apns-expiration: \($0)"] } ?? []))
  }

  @Test("for whom the launch waits by their own clock, it counts from when it is due there")
  func expirationOfWaiting() throws {
    let content = Self.content { $0.ttlMilliseconds = 3_600_000 }
    let launch = Fixtures.launch(content: content, startedAt: 1_760_000_000_000)
    // Nine hours of quiet.
    let waited = launch.living(from: EpochMilliseconds(1_760_032_400_000))
    #expect(try Self.lines(waited).last == "apns-expiration: 1760036000")
    #expect(try Self.lines(launch).last == "apns-expiration: 1760003600")
  }

  @Test("it doesn't outlive the launch's not_after, and the channel's ttl stands in for the content's")
  func expirationBounds() throws {
    let content = Self.content { $0.ttlMilliseconds = 3_600_000 }
    let launch = Fixtures.launch(content: content, startedAt: 1_760_000_000_000, notAfter: 1_760_000_060_000)
    #expect(try Self.lines(launch).last == "apns-expiration: 1760000060")
    let settings = #"{"topic":"example.shop","team_id":"T","key_id":"K","ttl":60}"#
    #expect(
      try Self.lines(Fixtures.launch(startedAt: 1_760_000_000_000), settings: settings).last
        == "apns-expiration: 1760000060")
  }

  @Test("the content's collapse id is the lane's header, 64 bytes at most")
  func collapseID() throws {
    let launch = Fixtures.launch(content: Self.content { $0.collapseID = "sale" })
    #expect(try Self.lines(launch).last == "apns-collapse-id: sale")
    var builder = SliceBuilder()
    builder.add("{}", tokens: [Self.token], uid: "Tone")
    #expect(
      builder.requests(try Fixtures.apns(launch: launch)).headers(0) == ["apns-id: \(Self.uuid("Tone"))"])
    for collapseID in [String(repeating: "x", count: 65), "a\r\nb", "акция"] {
      let launch = Fixtures.launch(content: Self.content { $0.collapseID = collapseID })
      #expect(providerError { _ = try Fixtures.apns(launch: launch) }?.code == .content)
    }
  }

  @Test("4,096 bytes go, 4,097 don't (C09)")
  func tooLarge() throws {
    let frame = #"{"aps":{"alert":{"title":"T","body":""}}}"#
    #expect(frame.utf8.count == 41)
    let emoji = String(repeating: "😀", count: 1013) + "xxx"
    var builder = SliceBuilder()
    builder.add(frame.replacing(#""""#, with: "\"\(emoji)\""), tokens: [Self.token])
    builder.add(frame.replacing(#""""#, with: "\"\(emoji)y\""), tokens: [Self.token])
    let batch = builder.requests(try Fixtures.apns())
    #expect(batch.spans.map(\.messages) == [0..<1])
    #expect(batch.page.requests[0].body.count == 4096)
    #expect(batch.tooLarge.map(\.bytes) == [4097])
  }

  @Test("production or sandbox host, two connections, one request until the first answer")
  func pool() throws {
    let pool = try Fixtures.apns().pool
    #expect(pool.endpoint == "https://api.push.apple.com")
    #expect(pool.connections == 2)
    #expect(pool.streams == 500)
    #expect(pool.startsWithOneRequest)
    let sandbox = #"{"topic":"a","team_id":"T","key_id":"K","environment":"sandbox"}"#
    #expect(try Fixtures.apns(settings: sandbox).pool.endpoint == "https://api.sandbox.push.apple.com")
  }

  @Test("the provider token is ES256 with kid, iss and iat alone")
  func providerToken() throws {
    guard case .ready(let access) = try Fixtures.apns().access.begin(now: noon) else {
      Issue.record("signed on the spot")
      return
    }
    let authorization = try #require(access.authorization)
    #expect(authorization.hasPrefix("bearer "))
    let jwt = try DecodedJWT(authorization.dropFirst(7))
    #expect(jwt.header.text == #"{"alg":"ES256","kid":"KEY1234567"}"#)
    #expect(jwt.claims.text == #"{"iss":"TEAM123456","iat":1773144000}"#)
    #expect(jwt.signatureBytes == 64)
  }

  @Test("it is made at the first send, still good five minutes later, due when 20 to 59 minutes old (C22 a)")
  func renewal() throws {
    // 03:44 of the case's day; 03:49 and 04:40 are 5 and 56 minutes later.
    let first = noon
    guard case .ready(let access) = try Fixtures.apns().access.begin(now: first) else { return }
    #expect(access.renewAt > first.adding(seconds: 5 * 60))
    #expect(access.renewAt >= first.adding(seconds: 20 * 60))
    #expect(access.renewAt <= first.adding(seconds: 56 * 60))
    #expect(access.validUntil == first.adding(seconds: 3600))
  }

  @Test(
    "a missing setting is named",
    arguments: [
      (#"{"team_id":"T","key_id":"K"}"#, "topic"), (#"{"topic":"a","key_id":"K"}"#, "team_id"),
      (#"{"topic":"a","team_id":"T"}"#, "key_id"),
      (#"{"topic":"a","team_id":"T","key_id":"K","auth":"certificate"}"#, "certificate"),
    ])
  func missing(_ settings: String, _ word: String) {
    let error = providerError { _ = try Fixtures.apns(settings: settings) }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains(word) == true)
  }

  @Test("a client certificate authorises by the connection alone: topic and the rest, no authorization")
  func certificate() throws {
    let lane = try Fixtures.lane(
      "ios-apns", settings: #"{"topic":"example.shop","auth":"certificate"}"#, credential: TestKeys.certificate)
    let certificate = String(decoding: try #require(lane.pool.clientCertificate), as: UTF8.self)
    #expect(certificate.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(certificate.hasSuffix("-----END PRIVATE KEY-----\n"))
    guard case .ready(let access) = try lane.access.begin(now: noon) else {
      Issue.record("nobody is to be asked")
      return
    }
    #expect(access.authorization == nil)
    let lines = lane.headerLines(access)
    #expect(lines.contains("apns-topic: example.shop"))
    #expect(!lines.contains { $0.lowercased().hasPrefix("authorization") })
    #expect(try Fixtures.apns().pool.clientCertificate == nil)
  }

  @Test("a fresh token that is called expired means the clock; other refusals say nothing of it")
  func hint() throws {
    let lane = try Fixtures.apns()
    let expired = MessageVerdict(.refreshAccess, providerCode: "ExpiredProviderToken")
    #expect(lane.hint(onRefusalOfFreshAccess: expired)?.contains("this machine's clock") == true)
    #expect(lane.hint(onRefusalOfFreshAccess: MessageVerdict(.refreshAccess)) == nil)
  }

  @Test("an RSA key is refused")
  func wrongKey() {
    let error = providerError {
      _ = try Fixtures.lane("ios-apns", settings: Fixtures.apnsSettings, credential: TestKeys.rsa)
    }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("P-256") == true)
  }
}
