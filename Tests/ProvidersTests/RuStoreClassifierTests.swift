import Base
import Providers
import Testing
import Transport

@Suite("RuStore's answers")
struct RuStoreClassifierTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var state: String
    var message: String
    var verdict: Verdict
    var reason: String

    init(_ name: String, _ status: Int, _ state: String, _ message: String, _ verdict: Verdict, _ reason: String) {
      self.name = name
      self.status = status
      self.state = state
      self.message = message
      self.verdict = verdict
      self.reason = reason
    }

    var testDescription: String { name }
  }

  static let entity = "Requested entity was not found."

  /// Every row of the contract, and C25 h to j.
  static let table: [Case] = [
    Case("C25 h", 404, "NOT_FOUND", entity, .retire, "unregistered"),
    Case("UNREGISTERED", 404, "UNREGISTERED", "text", .retire, "unregistered"),
    Case("UNREGISTERED elsewhere", 400, "UNREGISTERED", "text", .retire, "unregistered"),
    Case("NOT_FOUND of something else", 400, "NOT_FOUND", entity, .reject, "payload"),
    Case(
      "malformed token", 400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token",
      .retire, "invalid_token"),
    Case("malformed push token", 400, "INVALID_ARGUMENT", "Invalid push token", .retire, "invalid_token"),
    Case("parameters", 400, "INVALID_ARGUMENT", "Invalid argument", .reject, "payload"),
    Case(
      "a payload that speaks of tokens", 400, "INVALID_ARGUMENT", "message.token must be a string", .reject, "payload"),
    Case("too long", 400, "INVALID_ARGUMENT", "The message exceeds 4096 bytes", .reject, "payload"),
    Case(
      "S2S token", 401, "UNAUTHORIZED", "Invalid S2S token", .stop(isCredential: true), "unauthorized"),
    Case("FCM's word for it", 401, "UNAUTHENTICATED", "text", .stop(isCredential: true), "unauthorized"),
    Case("C25 i", 403, "PERMISSION_DENIED", "text", .stop(isCredential: true), "permission_denied"),
    Case("C25 j, quota", 429, "TOO_MANY_REQUESTS", "text", .retry(after: 5, laneWide: true), "quota"),
    Case("quota at 400", 400, "TOO_MANY_REQUESTS", "text", .retry(after: 5, laneWide: true), "quota"),
    Case("C25 j, internal", 500, "INTERNAL", "text", .retry(after: 5, laneWide: false), "server_error"),
    Case("internal at 400", 400, "INTERNAL", "text", .retry(after: 5, laneWide: false), "server_error"),
    Case("5xx with a token's word", 503, "NOT_FOUND", entity, .retry(after: 5, laneWide: false), "server_error"),
    Case("429 with a token's word", 429, "NOT_FOUND", entity, .retry(after: 5, laneWide: true), "quota"),
    Case("410 isn't documented", 410, "GONE", "text", .reject, "payload"),
    Case("a success that names a fault", 200, "NOT_FOUND", entity, .unknown, "no_proof"),
    Case("an unknown word", 400, "FAILED_PRECONDITION", "text", .reject, "payload"),
  ]

  @Test("each error means the same flat and wrapped", arguments: table)
  func errors(_ given: Case) throws {
    let lane = try Fixtures.lane(of: "android-rustore")
    let flat = #"{"code":\#(given.status),"message":"\#(given.message)","status":"\#(given.state)"}"#
    for body in [flat, #"{"error":\#(flat)}"#] {
      #expect(
        lane.verdicts(given.status, body) == [
          MessageVerdict(
            given.verdict, reason: given.reason, httpStatus: given.status, providerCode: given.state,
            detail: given.verdict == .retire ? nil : body)
        ])
    }
  }

  @Test("a success has an empty body or an object; another's page is no proof")
  func success() throws {
    let lane = try Fixtures.lane(of: "android-rustore")
    for body in ["", "\n", "{}", #"{"status":"OK"}"#, #"{"Status":"OK"}"#, #"{"name":"projects/p/messages/1"}"#] {
      #expect(lane.verdicts(200, body) == [MessageVerdict(.sent, httpStatus: 200)], "\(body)")
    }
    for body in ["<html>", "null", "[]", "{", #"{"error":{}}"#, #"{"errors":["x"]}"#] {
      let verdict = lane.verdicts(200, body)
      #expect(verdict.map(\.verdict) == [.unknown], "\(body)")
      #expect(verdict.first?.reason == "no_proof")
      #expect(verdict.first?.detail == body)
    }
  }

  @Test(
    "pages that aren't RuStore's go by their status and retire nobody",
    arguments: [
      (302, Verdict.stop(isCredential: false), "redirected"), (400, .reject, "payload"),
      (401, .stop(isCredential: true), "unauthorized"), (403, .stop(isCredential: false), "forbidden"),
      (404, .stop(isCredential: false), "not_found"), (410, .reject, "payload"), (413, .reject, "too_large"),
      (429, .retry(after: 5, laneWide: true), "quota"), (502, .retry(after: 5, laneWide: false), "server_error"),
      (503, .retry(after: 5, laneWide: false), "server_error"),
      (504, .retry(after: 5, laneWide: false), "server_error"),
    ])
  func pages(_ status: Int, _ expected: Verdict, _ reason: String) throws {
    let verdict = try Fixtures.lane(of: "android-rustore").verdicts(status, "<!DOCTYPE html>")
    #expect(verdict == [MessageVerdict(expected, reason: reason, httpStatus: status, detail: "<!DOCTYPE html>")])
  }

  @Test("retry-after and retry_5xx_after, whichever is longer")
  func waits() throws {
    let lane = try RuStoreLaneTests.lane(#"{"project_id":"p","retry_5xx_after":20}"#)
    #expect(lane.verdicts(500).map(\.verdict) == [.retry(after: 20, laneWide: false)])
    #expect(lane.verdicts(429).map(\.verdict) == [.retry(after: 20, laneWide: true)])
    #expect(lane.verdicts(429, retryAfter: "60").map(\.verdict) == [.retry(after: 60, laneWide: true)])
    #expect(lane.verdicts(503, retryAfter: "3").map(\.verdict) == [.retry(after: 20, laneWide: true)])
    #expect(
      lane.verdicts(503, retryAfter: "Tue, 10 Mar 2026 12:05:00 GMT").map(\.verdict)
        == [.retry(after: 300, laneWide: true)])
  }

  @Test(
    "the universal API's PROVIDER_ERROR is the token's only if it names it (C25 k)",
    arguments: [
      (#"["rustore: invalid auth token"]"#, Verdict.stop(isCredential: true), "unauthorized"),
      (#"["rustore: invalid tokens: abc123"]"#, .retire, "invalid_token"),
      (#"["rustore: invalid tokens: cV8kQz, abc123"]"#, .retire, "invalid_token"),
      (#"["rustore: invalid tokens: cV8kQz"]"#, .reject, "payload"),
      (#"["fcm: invalid tokens: abc123"]"#, .reject, "payload"),
      (#"["fcm: invalid auth token"]"#, .reject, "payload"),
      (#"["rustore: invalid tokens:"]"#, .reject, "payload"),
      (#"[]"#, .reject, "payload"),
      (#""abc123""#, .reject, "payload"),
    ])
  func universal(_ errors: String, _ expected: Verdict, _ reason: String) throws {
    let body = #"{"status":"PROVIDER_ERROR","code":400,"errors":\#(errors)}"#
    let verdict = try Fixtures.lane(of: "android-rustore").verdicts(400, body, tokens: ["abc123-and-more"])
    #expect(verdict.map(\.verdict) == [expected])
    #expect(verdict.first?.reason == reason)
    #expect(verdict.first?.providerCode == "PROVIDER_ERROR")
  }
}
