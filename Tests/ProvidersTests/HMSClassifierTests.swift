import Providers
import Testing
import Transport

@Suite("Huawei's answers (C27)")
struct HMSClassifierTests {
  static let tokens = ["tokA", "tokB", "tokC"]

  static func answer(_ code: String, _ message: String = "text") -> String {
    #"{"code":"\#(code)","msg":"\#(message)","requestId":"r1"}"#
  }

  static let table: [(String, Verdict)] = [
    ("80000000", .sent),
    ("80100001", .reject),
    ("80100002", .reject),
    ("80100003", .reject),
    ("80100004", .reject),
    ("80100013", .reject),
    ("80100016", .reject),
    ("80100017", .retry(after: 5, laneWide: true)),
    ("80100018", .reject),
    ("80100022", .reject),
    ("80200001", .refreshAccess),
    ("80200003", .refreshAccess),
    ("80200005", .refreshAccess),
    ("80300036", .stop(isCredential: true)),
    ("80300002", .stop(isCredential: true)),
    ("80300008", .reject),
    ("80300010", .reject),
    ("80300011", .reject),
    ("80300029", .retry(after: 5, laneWide: true)),
    ("80300030", .retry(after: 5, laneWide: true)),
    ("80300037", .stop(isCredential: false)),
    ("80600003", .retry(after: 5, laneWide: true)),
    ("81000001", .retry(after: 5, laneWide: false)),
    ("80000001", .retry(after: 5, laneWide: false)),
  ]

  @Test("each code means the same at 200, 400 and 500, as text and as a number", arguments: table)
  func codes(_ code: String, _ expected: Verdict) throws {
    let lane = try Fixtures.hms()
    for status in [200, 400, 500] {
      for body in [Self.answer(code), #"{"code":\#(code),"msg":"text","requestId":"r1"}"#] {
        let verdicts = lane.verdicts(status, body, tokens: Self.tokens)
        #expect(verdicts.map(\.verdict) == [expected, expected, expected])
        #expect(verdicts.allSatisfy { $0.providerCode == code && $0.httpStatus == status })
        #expect(verdicts.allSatisfy { $0.providerMessageID == "r1" })
        #expect(verdicts.allSatisfy { ($0.reason == nil) == (expected == .sent) })
      }
    }
  }

  @Test(
    "without a code the status decides",
    arguments: [
      (200, Verdict.unknown), (302, .stop(isCredential: false)), (400, .reject), (401, .refreshAccess),
      (403, .stop(isCredential: true)), (404, .stop(isCredential: false)), (429, .retry(after: 5, laneWide: true)),
      (500, .retry(after: 5, laneWide: false)), (502, .retry(after: 5, laneWide: false)),
      (503, .retry(after: 5, laneWide: true)),
    ])
  func statuses(_ status: Int, _ expected: Verdict) throws {
    for body in ["", "<html>", #"{"code":null}"#] {
      #expect(
        try Fixtures.hms().verdicts(status, body, tokens: Self.tokens).map(\.verdict)
          == [expected, expected, expected])
    }
  }

  @Test("an unknown code at 200 proves nothing, at 400 it is the payload's")
  func unknownCode() throws {
    let lane = try Fixtures.hms()
    #expect(lane.verdicts(200, Self.answer("80999999")).map(\.verdict) == [.unknown])
    #expect(lane.verdicts(400, Self.answer("80999999")).map(\.verdict) == [.reject])
  }

  @Test("C27 2: of a partial success the listed token is retired, the rest are sent")
  func partial() throws {
    let body = Self.answer("80100000", #"{\"success\":2,\"failure\":1,\"illegal_tokens\":[\"tokB\"]}"#)
    let verdicts = try Fixtures.hms().verdicts(200, body, tokens: Self.tokens)
    #expect(verdicts.map(\.verdict) == [.sent, .retire, .sent])
    #expect(verdicts[1].reason == "invalid_token")
  }

  @Test("the same in v3's form: by reason, and what is about the app's rights retires nobody")
  func partialByReason() throws {
    let body = Self.answer(
      "80100000",
      #"{\"failure\":2,\"illegalTokens\":{\"tokenFormatError\":[\"tokA\"],\"noPushTypeRight\":[\"tokC\"]}}"#)
    let verdicts = try Fixtures.hms().verdicts(200, body, tokens: Self.tokens)
    #expect(verdicts.map(\.verdict) == [.retire, .sent, .reject])
    #expect(verdicts.map(\.reason) == ["tokenFormatError", nil, "noPushTypeRight"])
  }

  @Test("a token that is listed twice in the request is retired twice")
  func repeatedToken() throws {
    let body = Self.answer("80100000", #"{\"success\":1,\"failure\":2,\"illegal_tokens\":[\"x\"]}"#)
    #expect(
      try Fixtures.hms().verdicts(200, body, tokens: ["x", "y", "x"]).map(\.verdict) == [.retire, .sent, .retire])
  }

  @Test(
    "C27 3: a partial success whose list can't be read or matched makes nobody sent and nobody retired by guess",
    arguments: [
      "text", "", #"{\"success\":2}"#, #"{\"success\":2,\"failure\":1,\"illegal_tokens\":[]}"#,
      #"{\"success\":2,\"failure\":1,\"illegal_tokens\":[\"other\"]}"#,
      #"{\"success\":2,\"failure\":1,\"illegal_tokens\":[5]}"#,
    ])
  func partialUnread(_ message: String) throws {
    let verdicts = try Fixtures.hms().verdicts(200, Self.answer("80100000", message), tokens: Self.tokens)
    #expect(verdicts.map(\.verdict) == [.unknown, .unknown, .unknown])
    #expect(verdicts.allSatisfy { $0.detail == Self.answer("80100000", message) })
  }

  @Test("when more failed than are named, the unnamed are unknown")
  func partialShort() throws {
    let body = Self.answer("80100000", #"{\"success\":1,\"failure\":2,\"illegal_tokens\":[\"tokA\"]}"#)
    #expect(
      try Fixtures.hms().verdicts(200, body, tokens: Self.tokens).map(\.verdict) == [.retire, .unknown, .unknown])
  }

  @Test("C27 4: all invalid retires a few (the breaker holds them), stops for a full batch")
  func allInvalid() throws {
    let lane = try Fixtures.hms()
    let list = Self.answer(
      "80300007", #"{\"success\":0,\"failure\":3,\"illegal_tokens\":[\"tokA\",\"tokB\",\"tokC\"]}"#)
    for body in [Self.answer("80300007", "All the tokens are invalid"), list] {
      let few = lane.verdicts(200, body, tokens: Self.tokens)
      #expect(few.map(\.verdict) == [.retire, .retire, .retire])
      #expect(few.first?.reason == "invalid_token")
    }
    let many = lane.verdicts(200, Self.answer("80300007"), tokens: (0..<1000).map { "t\($0)" })
    #expect(many.count == 1000)
    #expect(many.allSatisfy { $0.verdict == .stop(isCredential: false) })
  }

  @Test("all invalid for want of a right is no token's fault")
  func allWithoutRight() throws {
    let body = Self.answer("80300007", #"{\"illegalTokens\":{\"countryNotSupport\":[\"tokA\",\"tokB\",\"tokC\"]}}"#)
    #expect(
      try Fixtures.hms().verdicts(200, body, tokens: Self.tokens).map(\.verdict)
        == Array(repeating: .stop(isCredential: false), count: 3))
  }

  @Test("retry-after is honoured and the lane waits")
  func retryAfter() throws {
    let lane = try Fixtures.hms(settings: #"{"retry_5xx_after":7}"#)
    #expect(lane.verdicts(503, retryAfter: "30").map(\.verdict) == [.retry(after: 30, laneWide: true)])
    #expect(lane.verdicts(503).map(\.verdict) == [.retry(after: 7, laneWide: true)])
    #expect(
      lane.verdicts(200, Self.answer("81000001"), retryAfter: "Tue, 10 Mar 2026 12:01:00 GMT").map(\.verdict)
        == [.retry(after: 60, laneWide: true)])
  }
}
