import Providers
import Testing

@Suite("APNs' answers")
struct APNsClassifierTests {
  static let table: [(Int, String, Verdict)] = [
    (400, "BadDeviceToken", .retire),
    (400, "DeviceTokenNotForTopic", .retire),
    (400, "BadTopic", .stop(isCredential: false)),
    (400, "MissingTopic", .stop(isCredential: false)),
    (400, "TopicDisallowed", .stop(isCredential: false)),
    (400, "BadCollapseId", .reject),
    (400, "BadExpirationDate", .reject),
    (400, "BadMessageId", .reject),
    (400, "BadPriority", .reject),
    (400, "InvalidPushType", .reject),
    (400, "PayloadEmpty", .reject),
    (400, "DuplicateHeaders", .reject),
    (400, "MissingDeviceToken", .reject),
    (400, "IdleTimeout", .retry(after: 1, laneWide: false)),
    (403, "ExpiredProviderToken", .refreshAccess),
    (403, "InvalidProviderToken", .stop(isCredential: true)),
    (403, "MissingProviderToken", .stop(isCredential: true)),
    (403, "UnrelatedKeyIdInToken", .stop(isCredential: true)),
    (403, "BadEnvironmentKeyIdInToken", .stop(isCredential: true)),
    (403, "BadEnvironmentKeyInToken", .stop(isCredential: true)),
    (403, "BadCertificate", .stop(isCredential: true)),
    (403, "BadCertificateEnvironment", .stop(isCredential: true)),
    (403, "Forbidden", .stop(isCredential: true)),
    (404, "BadPath", .reject),
    (405, "MethodNotAllowed", .reject),
    (410, "Unregistered", .retire),
    (410, "ExpiredToken", .retire),
    (413, "PayloadTooLarge", .reject),
    (429, "TooManyRequests", .retry(after: 60, laneWide: false)),
    (429, "TooManyProviderTokenUpdates", .retry(after: 1200, laneWide: true)),
    (500, "InternalServerError", .retry(after: 900, laneWide: false)),
    (503, "ServiceUnavailable", .retry(after: 900, laneWide: false)),
    (503, "Shutdown", .retry(after: 900, laneWide: false)),
    // Reasons nobody knows yet go by the status.
    (400, "SomethingNew", .reject),
    (403, "SomethingNew", .stop(isCredential: false)),
    (410, "SomethingNew", .reject),
    (413, "SomethingNew", .reject),
    (429, "SomethingNew", .retry(after: 60, laneWide: false)),
    (502, "SomethingNew", .retry(after: 900, laneWide: false)),
  ]

  @Test("each reason means what the contract says", arguments: table)
  func reasons(_ status: Int, _ reason: String, _ expected: Verdict) throws {
    let verdict = try Fixtures.apns().verdicts(status, #"{"reason":"\#(reason)"}"#)
    #expect(verdict.map(\.verdict) == [expected])
    #expect(verdict.first?.providerCode == reason)
    #expect(verdict.first?.httpStatus == status)
    #expect(verdict.first?.reason?.isEmpty == false)
  }

  @Test(
    "410 retires only a token that wasn't registered again after Apple saw it dead",
    arguments: [
      // Apple's milliseconds: registered before, at, and after that moment.
      ("1760000000000", 1_759_999_999_999, Verdict.retire), ("1760000000000", 1_760_000_000_000, .retire),
      ("1760000000000", 1_760_000_000_001, .reject), (#""1760000000000""#, 1_760_000_000_001, .reject),
      // The same in seconds, as older descriptions have it.
      ("1760000000", 1_759_999_999_999, .retire), ("1760000000", 1_760_000_000_001, .reject),
      // Nothing to compare with.
      ("null", 1_760_000_000_001, .retire), ("-5", 1_760_000_000_001, .retire),
      ("9223372036854775807", 1_760_000_000_001, .retire), ("1e400", 1_760_000_000_001, .retire),
    ] as [(String, Int64, Verdict)])
  func unregistered(_ timestamp: String, _ registeredAt: Int64, _ expected: Verdict) throws {
    let verdict = try Fixtures.apns().verdicts(
      410, #"{"reason":"Unregistered","timestamp":\#(timestamp)}"#, registeredAt: registeredAt)
    #expect(verdict.map(\.verdict) == [expected])
    #expect(verdict.first?.reason == (expected == .retire ? "unregistered" : "registered_again"))
  }

  @Test("retry_5xx_after is the channel's")
  func retry5xxAfter() throws {
    let settings = #"{"topic":"a","team_id":"T","key_id":"K","retry_5xx_after":30}"#
    #expect(
      try Fixtures.apns(settings: settings).verdicts(503).map(\.verdict) == [.retry(after: 30, laneWide: false)])
    #expect(
      try Fixtures.apns(settings: settings).verdicts(503, retryAfter: "45").map(\.verdict)
        == [.retry(after: 45, laneWide: false)])
  }
}
