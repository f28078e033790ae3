import Base
import Campaign
import Providers
import Testing
import Transport

@Suite("FCM's answers")
struct FCMClassifierTests {
  /// An error body with the details a case gives.
  static func error(_ status: String, message: String = "text", _ details: String...) -> String {
    #"{"error":{"code":400,"message":"\#(message)","status":"\#(status)","details":[\#(details.joined(separator: ","))]}}"#
  }

  static func fcm(_ code: String) -> String {
    #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#
  }

  static func apns(_ members: String) -> String {
    #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError",\#(members)}"#
  }

  static func field(_ name: String) -> String {
    #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(name)","description":"d"}]}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var body: String
    var verdict: Verdict
    var reason: String
    var code: String?

    init(_ name: String, _ status: Int, _ body: String, _ verdict: Verdict, _ reason: String, _ code: String?) {
      self.name = name
      self.status = status
      self.body = body
      self.verdict = verdict
      self.reason = reason
      self.code = code
    }

    var testDescription: String { name }
  }

  static let table: [Case] = [
    Case("C25 a", 404, error("NOT_FOUND", fcm("UNREGISTERED")), .retire, "unregistered", "UNREGISTERED"),
    Case("C25 b", 404, error("NOT_FOUND"), .stop(isCredential: false), "not_found", "NOT_FOUND"),
    Case(
      "C25 c", 403, error("PERMISSION_DENIED", fcm("SENDER_ID_MISMATCH")), .retire, "sender_id_mismatch",
      "SENDER_ID_MISMATCH"),
    Case(
      "C25 d", 403, error("PERMISSION_DENIED"), .stop(isCredential: true), "permission_denied", "PERMISSION_DENIED"),
    Case(
      "C25 e", 401,
      error(
        "UNAUTHENTICATED", fcm("THIRD_PARTY_AUTH_ERROR"), apns(#""statusCode":403,"reason":"InvalidProviderToken""#)),
      .stop(isCredential: false), "third_party_auth", "THIRD_PARTY_AUTH_ERROR"),
    Case(
      "its older name", 401, error("UNAUTHENTICATED", fcm("APNS_AUTH_ERROR")), .stop(isCredential: false),
      "third_party_auth", "APNS_AUTH_ERROR"),
    Case(
      "ApnsError alone at 401", 401, error("UNAUTHENTICATED", apns(#""statusCode":403,"reason":"BadEnvironmentKey""#)),
      .stop(isCredential: false), "third_party_auth", "UNAUTHENTICATED"),
    Case("C25 f", 401, error("UNAUTHENTICATED"), .refreshAccess, "unauthenticated", "UNAUTHENTICATED"),
    Case("401 page", 401, "<html>", .refreshAccess, "unauthenticated", nil),
    Case("C25 g", 404, "<!DOCTYPE html><title>404</title>", .stop(isCredential: false), "not_found", nil),
    Case("403 page", 403, "<html>", .stop(isCredential: false), "forbidden", nil),
    Case(
      "dead token at Apple", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), apns(#""statusCode":410,"reason":"Unregistered""#)), .retire,
      "unregistered", "INVALID_ARGUMENT"),
    Case(
      "the same as the reference spells it", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), apns(#""status_code":410"#)), .retire, "unregistered",
      "INVALID_ARGUMENT"),
    Case(
      "the same with a text for the number", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), apns(#""statusCode":"410""#)), .retire, "unregistered",
      "INVALID_ARGUMENT"),
    Case(
      "bad token at Apple", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), apns(#""statusCode":400,"reason":"BadDeviceToken""#)),
      .retire, "bad_device_token", "INVALID_ARGUMENT"),
    Case(
      "foreign token at Apple", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), apns(#""statusCode":400,"reason":"DeviceTokenNotForTopic""#)),
      .retire, "not_for_topic", "INVALID_ARGUMENT"),
    Case(
      "malformed token by its text", 400,
      error(
        "INVALID_ARGUMENT", message: "The registration token is not a valid FCM registration token",
        fcm("INVALID_ARGUMENT")), .retire, "invalid_token", "INVALID_ARGUMENT"),
    Case(
      "malformed token by its field", 400,
      error("INVALID_ARGUMENT", fcm("INVALID_ARGUMENT"), field("message.token")), .retire, "invalid_token",
      "INVALID_ARGUMENT"),
    Case(
      "too big", 400,
      error("INVALID_ARGUMENT", message: "Android message is too big", fcm("INVALID_ARGUMENT")), .reject, "payload",
      "INVALID_ARGUMENT"),
    Case(
      "type error without FcmError", 400, error("INVALID_ARGUMENT", field("message.data[1].value")), .reject,
      "payload", "INVALID_ARGUMENT"),
    Case(
      "unspecified goes by the status", 404, error("NOT_FOUND", fcm("UNSPECIFIED_ERROR")),
      .stop(isCredential: false), "not_found", "UNSPECIFIED_ERROR"),
    Case("method", 405, "", .reject, "payload", nil),
    Case("redirect", 302, "", .stop(isCredential: false), "redirected", nil),
    Case(
      "bare 429", 429, error("RESOURCE_EXHAUSTED", fcm("QUOTA_EXCEEDED")), .retry(after: 60, laneWide: true), "quota",
      "QUOTA_EXCEEDED"),
    Case(
      "a device's quota", 429,
      error(
        "RESOURCE_EXHAUSTED", fcm("QUOTA_EXCEEDED"),
        #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"device","description":"d"}]}"#
      ), .retry(after: 60, laneWide: false), "quota", "QUOTA_EXCEEDED"),
    Case("429 null", 429, "null", .retry(after: 60, laneWide: true), "quota", nil),
    Case(
      "503", 503, error("UNAVAILABLE", fcm("UNAVAILABLE")), .retry(after: 10, laneWide: false), "server_error",
      "UNAVAILABLE"),
    Case(
      "500", 500, error("INTERNAL", fcm("INTERNAL")), .retry(after: 10, laneWide: false), "server_error", "INTERNAL"),
    Case("504", 504, "", .retry(after: 10, laneWide: false), "server_error", nil),
    Case(
      "5xx with a token's code", 500, error("NOT_FOUND", fcm("UNREGISTERED")), .retry(after: 10, laneWide: false),
      "server_error", "UNREGISTERED"),
  ]

  @Test("each error means what the contract says", arguments: table)
  func errors(_ given: Case) throws {
    let verdict = try Fixtures.fcm().verdicts(given.status, given.body)
    #expect(verdict.map(\.verdict) == [given.verdict])
    #expect(verdict.first?.reason == given.reason)
    #expect(verdict.first?.httpStatus == given.status)
    #expect(verdict.first?.providerCode == given.code)
  }

  @Test("a success is proven by its name")
  func success() throws {
    let lane = try Fixtures.fcm()
    #expect(
      lane.verdicts(200, #"{"name":"projects/shop-1/messages/0:1%1"}"#) == [
        MessageVerdict(.sent, httpStatus: 200, providerMessageID: "projects/shop-1/messages/0:1%1")
      ])
    for body in ["{}", "", "<html>", #"{"name":5}"#, #"{"name":""}"#, #"["name"]"#] {
      let verdict = lane.verdicts(200, body)
      #expect(verdict.map(\.verdict) == [.unknown], "\(body)")
      #expect(verdict.first?.reason == "no_name")
      #expect(verdict.first?.detail == (body.isEmpty ? nil : body))
    }
  }

  @Test(
    "retry-after in seconds or as a date, ten seconds at least",
    arguments: [
      (503, "120", 120.0), (503, "3", 10), (503, "Tue, 10 Mar 2026 12:05:00 GMT", 300), (503, "soon", 10),
      (429, "30", 30), (429, "1", 10), (429, "soon", 60),
    ])
  func retryAfter(_ status: Int, _ header: String, _ seconds: Double) throws {
    let wait = try Fixtures.fcm().verdicts(status, retryAfter: header).first?.verdict
    #expect(wait == .retry(after: seconds, laneWide: status == 429 || header != "soon"))
  }

  @Test("fcm_5xx = unknown keeps a 5xx from being sent again, not a 429")
  func unknown5xx() throws {
    var options = LaunchOptions()
    options.fcm5xx = .unknown
    let lane = try Fixtures.fcm(options: options)
    #expect(lane.verdicts(500).map(\.verdict) == [.unknown])
    #expect(lane.verdicts(503, retryAfter: "20").map(\.verdict) == [.unknown])
    #expect(lane.verdicts(429).map(\.verdict) == [.retry(after: 60, laneWide: true)])
  }

  @Test("retry_5xx_after is the channel's, and never below ten seconds")
  func retry5xxAfter() throws {
    #expect(
      try Fixtures.fcm(settings: #"{"retry_5xx_after":45}"#).verdicts(500).map(\.verdict)
        == [.retry(after: 45, laneWide: false)])
    #expect(
      try Fixtures.fcm(settings: #"{"retry_5xx_after":1}"#).verdicts(500).map(\.verdict)
        == [.retry(after: 10, laneWide: false)])
  }
}
