internal import Base
internal import Campaign
internal import Transport

/// Turns FCM's answers into verdicts.
///
/// The order is that of Google's own clients: FcmError's errorCode, then `error.status`, then the HTTP status; but 429
/// and 5xx are retries whatever the body says. 401, 403 and 404 mean a token only when an FcmError says so: without
/// one they mean the project, the credential or the path.
struct FCMClassifier {
  let on5xx: LaunchOptions.FCM5xx
  /// Seconds; Google asks for ten at least before any retry.
  let retry5xxAfter: Double

  /// Google: ten seconds before any retry, sixty on a 429 that names no time.
  static let shortestRetry = 10.0
  static let quotaRetry = 60.0

  func verdict(of answer: Answer, now: EpochMilliseconds) -> MessageVerdict {
    let read = FCMAnswer(answer)
    if (200..<300).contains(answer.status) {
      if let name = read.name, !name.isEmpty {
        return MessageVerdict(.sent, httpStatus: answer.status, providerMessageID: AnswerText.word(name))
      }
      return result(.unknown, "no_name", answer, read)
    }
    let wait = RetryAfter.seconds(answer.retryAfter, now: now)
    if answer.status == 429 { return quota(wait, answer, read) }
    if (500..<600).contains(answer.status) { return serverError(wait, answer, read) }
    switch read.errorCode {
    case nil, "UNSPECIFIED_ERROR": return byState(wait, answer, read)
    case "UNREGISTERED": return result(.retire, "unregistered", answer, read)
    case "SENDER_ID_MISMATCH": return result(.retire, "sender_id_mismatch", answer, read)
    case "THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR":
      // The key that Firebase holds for Apple was refused. A new token of ours would change nothing.
      return result(.stop(isCredential: false), "third_party_auth", answer, read)
    case "QUOTA_EXCEEDED": return quota(wait, answer, read)
    case "UNAVAILABLE", "INTERNAL": return serverError(wait, answer, read)
    case "INVALID_ARGUMENT": return invalidArgument(answer, read)
    default: return byState(wait, answer, read)
    }
  }

  private func byState(_ wait: Double?, _ answer: Answer, _ read: FCMAnswer) -> MessageVerdict {
    switch (read.state, answer.status) {
    case ("RESOURCE_EXHAUSTED", _): return quota(wait, answer, read)
    case ("UNAVAILABLE", _), ("INTERNAL", _): return serverError(wait, answer, read)
    case ("INVALID_ARGUMENT", _): return invalidArgument(answer, read)
    case ("UNAUTHENTICATED", _), (_, 401):
      if read.hasAPNsError { return result(.stop(isCredential: false), "third_party_auth", answer, read) }
      return result(.refreshAccess, "unauthenticated", answer, read)
    case ("PERMISSION_DENIED", _): return result(.stop(isCredential: true), "permission_denied", answer, read)
    case (_, 403): return result(.stop(isCredential: false), "forbidden", answer, read)
    case ("NOT_FOUND", _), (_, 404): return result(.stop(isCredential: false), "not_found", answer, read)
    case (_, 300..<400): return result(.stop(isCredential: false), "redirected", answer, read)
    default: return result(.reject, "payload", answer, read)
    }
  }

  private func invalidArgument(_ answer: Answer, _ read: FCMAnswer) -> MessageVerdict {
    if read.apnsStatus == 410 || read.apnsReason == "Unregistered" || read.apnsReason == "ExpiredToken" {
      return result(.retire, "unregistered", answer, read)
    }
    if read.apnsReason == "BadDeviceToken" { return result(.retire, "bad_device_token", answer, read) }
    if read.apnsReason == "DeviceTokenNotForTopic" { return result(.retire, "not_for_topic", answer, read) }
    if read.namesToken { return result(.retire, "invalid_token", answer, read) }
    return result(.reject, "payload", answer, read)
  }

  /// A device's own quota holds back that device alone; any other is the project's, and the lane waits.
  private func quota(_ wait: Double?, _ answer: Answer, _ read: FCMAnswer) -> MessageVerdict {
    let after = max(wait ?? Self.quotaRetry, Self.shortestRetry)
    return result(.retry(after: after, laneWide: !read.isDeviceQuota), "quota", answer, read)
  }

  private func serverError(_ wait: Double?, _ answer: Answer, _ read: FCMAnswer) -> MessageVerdict {
    if on5xx == .unknown { return result(.unknown, "server_error", answer, read) }
    let after = max(wait ?? retry5xxAfter, Self.shortestRetry)
    return result(.retry(after: after, laneWide: wait != nil), "server_error", answer, read)
  }

  private func result(
    _ verdict: Verdict, _ reason: String, _ answer: Answer, _ read: FCMAnswer
  ) -> MessageVerdict {
    MessageVerdict(
      verdict, reason: reason, httpStatus: answer.status,
      providerCode: (read.errorCode ?? read.state).map(AnswerText.word),
      detail: verdict == .retire ? nil : AnswerText.kept(answer.body))
  }
}
