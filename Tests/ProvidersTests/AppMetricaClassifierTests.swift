import Providers
import Testing
import Transport

@Suite("AppMetrica's answers")
struct AppMetricaClassifierTests {
  static func error(_ type: String, _ code: Int, _ message: String = "text") -> String {
    #"{"errors":[{"error_type":"\#(type)","message":"\#(message)","location":""}],"code":\#(code),"message":"\#(message)"}"#
  }

  @Test("a transfer's id is the proof that it was taken, for every message of the request")
  func accepted() throws {
    let body = #"{"push_response":{"transfer_id":9007199254740993,"client_transfer_id":42}}"#
    #expect(
      try Fixtures.appMetrica().verdicts(200, body, tokens: ["a", "b"])
        == Array(
          repeating: MessageVerdict(.accepted, httpStatus: 200, providerMessageID: "9007199254740993"), count: 2))
  }

  @Test(
    "each status means what the contract says; what leaves it open is asked for",
    arguments: [
      (200, "{}", Verdict.accepted, "no_transfer_id", nil as String?),
      (400, error("invalid_parameter", 400), .reject, "payload", "invalid_parameter"),
      (400, error("missing_parameter", 400), .reject, "payload", "missing_parameter"),
      (400, error("invalid_json", 400), .reject, "payload", "invalid_json"),
      (400, #"{"errors":["plain text"],"code":400}"#, .reject, "payload", nil),
      (401, error("unauthorized", 401), .stop(isCredential: true), "unauthorized", "unauthorized"),
      (403, error("access_denied", 403), .stop(isCredential: true), "unauthorized", "access_denied"),
      (404, error("not_found", 404), .stop(isCredential: false), "not_found", "not_found"),
      (409, error("conflict", 409), .accepted, "conflict", "conflict"),
      (413, "<html>", .reject, "too_large", nil),
      (420, error("quota", 420), .retry(after: 1, laneWide: true), "quota", "quota"),
      (429, error("quota", 429), .retry(after: 1, laneWide: true), "quota", "quota"),
      (503, error("backend_error", 503), .accepted, "server_error", "backend_error"),
      (502, "<html>", .accepted, "server_error", nil),
    ])
  func statuses(_ status: Int, _ body: String, _ expected: Verdict, _ reason: String, _ code: String?) throws {
    let verdict = try #require(try Fixtures.appMetrica().verdicts(status, body).first)
    #expect(verdict.verdict == expected)
    #expect(verdict.reason == reason)
    #expect(verdict.providerCode == code)
    #expect(verdict.detail == body)
  }

  @Test("the daily quota holds the lane until midnight GMT, retry-after wins")
  func quota() throws {
    let lane = try Fixtures.appMetrica()
    let daily = Self.error("quota", 429, "Quota of 5000 requests per day exceeded")
    #expect(lane.verdicts(429, daily).map(\.verdict) == [.retry(after: 43_200, laneWide: true)])
    #expect(lane.verdicts(429, daily, retryAfter: "90").map(\.verdict) == [.retry(after: 90, laneWide: true)])
  }

  static func transfer(_ status: String, errors: String = "[]") -> String {
    #"{"transfer":{"id":1,"group_id":97737,"status":"\#(status)","errors":\#(errors),"tag":"sale"}}"#
  }

  @Test(
    "a transfer's status",
    arguments: [
      (200, transfer("pending"), TransferStatus.pending),
      (200, transfer("in_progress"), .pending),
      (200, transfer("sent"), .sent),
      (
        200, transfer("failed", errors: #"["Invalid push credentials for Android","b"]"#),
        .misconfigured("Invalid push credentials for Android; b")
      ),
      (
        200, transfer("failed", errors: #"["google_aid used without an android message","b"]"#),
        .failed("google_aid used without an android message; b")
      ),
      (200, transfer("failed", errors: #"[{"message":"m"}]"#), .failed("m")),
      (200, transfer("failed"), .failed("no reason given")),
      (200, transfer("exploded"), .unclear("unknown status exploded")),
      (200, "{}", .unclear("HTTP 200 without a transfer's status")),
      (404, error("not_found", 404), .notFound),
      (404, #"{"code":404,"message":"no"}"#, .notFound),
      (404, "<html>", .unclear("HTTP 404 that isn't AppMetrica's")),
      (404, "{}", .unclear("HTTP 404 that isn't AppMetrica's")),
      (401, error("unauthorized", 401), .refused("HTTP 401")),
      (403, "", .refused("HTTP 403")),
      (429, error("quota", 429), .unclear("HTTP 429")),
      (503, "", .unclear("HTTP 503")),
    ])
  func transferStatus(_ status: Int, _ body: String, _ expected: TransferStatus) throws {
    #expect(
      try Fixtures.appMetrica().transferStatus(from: .answered(Answer(status: status, body: Array(body.utf8))))
        == expected)
  }

  @Test("no answer says nothing")
  func noStatus() throws {
    let lane = try Fixtures.appMetrica()
    #expect(lane.transferStatus(from: .unknown("reset")) == .unclear("reset"))
    #expect(
      lane.transferStatus(from: .notSent(.deadline)) == .unclear("the status wasn't asked: nothing was sent"))
  }
}
