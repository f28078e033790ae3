internal import Base
internal import Transport

/// Turns Apple's answers into verdicts: by the reason, then by the HTTP status.
struct APNsClassifier {
  /// Seconds. Apple asks for fifteen minutes before a 5xx is tried again.
  let retry5xxAfter: Double

  /// Apple names no time for TooManyRequests, which is about one device.
  static let deviceRetry = 60.0
  /// Provider tokens may change once in twenty minutes.
  static let tokenUpdateRetry = 1200.0

  /// - Parameter registeredAt: when the token was registered. Unregistered is believed only if Apple saw the token
  ///   dead after that: an app that comes back may get the same token again.
  func verdict(of answer: Answer, registeredAt: EpochMilliseconds, now: EpochMilliseconds) -> MessageVerdict {
    if answer.status == 200 { return MessageVerdict(.sent, httpStatus: 200) }
    let body = (try? JSONScanner.parse(answer.body))?.object
    let code = body?["reason"]?.string
    let wait = RetryAfter.seconds(answer.retryAfter, now: now)
    let meaning: (Verdict, String)
    switch (answer.status, code) {
    case (429, "TooManyProviderTokenUpdates"):
      meaning = (.retry(after: max(wait ?? 0, Self.tokenUpdateRetry), laneWide: true), "token_updates")
    case (429, _): meaning = (.retry(after: wait ?? Self.deviceRetry, laneWide: false), "quota")
    case (500..<600, _): meaning = (.retry(after: max(wait ?? 0, retry5xxAfter), laneWide: false), "server_error")
    case (200..<300, _): meaning = (.unknown, "no_proof")
    case (410, "Unregistered"), (410, "ExpiredToken"):
      let cameBack = Self.milliseconds(body?["timestamp"]).map { registeredAt.value > $0 } ?? false
      meaning = cameBack ? (.reject, "registered_again") : (.retire, "unregistered")
    default: meaning = code.flatMap { Self.reasons[$0] } ?? Self.byStatus(answer.status)
    }
    return MessageVerdict(
      meaning.0, reason: meaning.1, httpStatus: answer.status, providerCode: code.map(AnswerText.word),
      detail: meaning.0 == .retire ? nil : AnswerText.kept(answer.body))
  }

  /// The reasons of 4xx answers. Of the two spellings of the environment's key the documentation has one and the wire
  /// the other. UnrelatedKeyIdInToken stops: every credential has connections of its own here, so a new one would be
  /// told the same.
  private static let reasons: [String: (Verdict, String)] = [
    "BadDeviceToken": (.retire, "bad_device_token"),
    "DeviceTokenNotForTopic": (.retire, "not_for_topic"),
    "BadTopic": (.stop(isCredential: false), "topic"),
    "MissingTopic": (.stop(isCredential: false), "topic"),
    "TopicDisallowed": (.stop(isCredential: false), "topic"),
    "BadCollapseId": (.reject, "collapse_id"),
    "BadExpirationDate": (.reject, "expiration"),
    "BadMessageId": (.reject, "message_id"),
    "BadPriority": (.reject, "priority"),
    "InvalidPushType": (.reject, "push_type"),
    "PayloadEmpty": (.reject, "payload"),
    "DuplicateHeaders": (.reject, "headers"),
    "MissingDeviceToken": (.reject, "malformed_token"),
    "IdleTimeout": (.retry(after: 1, laneWide: false), "idle_timeout"),
    "ExpiredProviderToken": (.refreshAccess, "expired_provider_token"),
    "InvalidProviderToken": (.stop(isCredential: true), "invalid_provider_token"),
    "MissingProviderToken": (.stop(isCredential: true), "missing_provider_token"),
    "UnrelatedKeyIdInToken": (.stop(isCredential: true), "unrelated_key"),
    "BadEnvironmentKeyIdInToken": (.stop(isCredential: true), "wrong_environment_key"),
    "BadEnvironmentKeyInToken": (.stop(isCredential: true), "wrong_environment_key"),
    "BadCertificate": (.stop(isCredential: true), "certificate"),
    "BadCertificateEnvironment": (.stop(isCredential: true), "certificate"),
    "Forbidden": (.stop(isCredential: true), "forbidden"),
    "BadPath": (.reject, "path"),
    "MethodNotAllowed": (.reject, "method"),
    "PayloadTooLarge": (.reject, "too_large"),
  ]

  /// A reason that nobody knows, or none that can be read. 410 without one is not believed: a gateway's page must not
  /// retire a token.
  private static func byStatus(_ status: Int) -> (Verdict, String) {
    switch status {
    case 403: (.stop(isCredential: false), "forbidden")
    case 413: (.reject, "too_large")
    case 300..<400: (.stop(isCredential: false), "redirected")
    default: (.reject, "payload")
    }
  }

  /// Apple writes milliseconds; older descriptions have seconds, which are told apart by their size: as milliseconds
  /// they would lie before 1973.
  private static func milliseconds(_ value: JSON?) -> Int64? {
    guard let number = value?.int ?? value?.string.flatMap({ Int64($0) }), number > 0 else { return nil }
    return number < 100_000_000_000 ? number * 1000 : number
  }
}
