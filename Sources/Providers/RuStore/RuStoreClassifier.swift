internal import Base
internal import Transport

/// Turns RuStore's answers into verdicts. Its words are FCM's, their meaning isn't: NOT_FOUND is a dead token here and
/// a wrong project at FCM. 429 and 5xx are retries whatever the body says; 401 and 403 are the service token's, which
/// nothing renews. Only RuStore's own words retire a token: neither a gateway's 404 nor 410 does.
///
/// A wrong project is said to be NOT_FOUND too; a lane whose tokens all seem dead is the breaker's to stop.
struct RuStoreClassifier {
  /// Seconds; also the wait on a 429, for which RuStore publishes no number.
  let retry5xxAfter: Double

  /// - Parameter token: whose message it was, for answers that name tokens.
  func verdict(of answer: Answer, token: ArraySlice<UInt8>, now: EpochMilliseconds) -> MessageVerdict {
    let read = RuStoreAnswer(answer)
    if (200..<300).contains(answer.status), read.isSuccess {
      return MessageVerdict(.sent, httpStatus: answer.status)
    }
    let (verdict, reason) = meaning(of: read, answer, token, RetryAfter.seconds(answer.retryAfter, now: now))
    return MessageVerdict(
      verdict, reason: reason, httpStatus: answer.status, providerCode: read.state.map(AnswerText.word),
      detail: verdict == .retire ? nil : AnswerText.kept(answer.body))
  }

  private func meaning(
    of read: RuStoreAnswer, _ answer: Answer, _ token: ArraySlice<UInt8>, _ wait: Double?
  ) -> (Verdict, String) {
    let after = max(wait ?? 0, retry5xxAfter)
    switch (answer.status, read.state) {
    case (200..<300, _): return (.unknown, "no_proof")
    case (429, _), (_, "TOO_MANY_REQUESTS"): return (.retry(after: after, laneWide: true), "quota")
    case (500..<600, _), (_, "INTERNAL"): return (.retry(after: after, laneWide: wait != nil), "server_error")
    case (404, "NOT_FOUND"), (400..<500, "UNREGISTERED"): return (.retire, "unregistered")
    case (_, "INVALID_ARGUMENT"): return read.namesToken ? (.retire, "invalid_token") : (.reject, "payload")
    case (_, "PROVIDER_ERROR"): return Self.universal(read.complaints, token)
    case (_, "PERMISSION_DENIED"): return (.stop(isCredential: true), "permission_denied")
    case (401, _), (_, "UNAUTHORIZED"): return (.stop(isCredential: true), "unauthorized")
    case (403, _): return (.stop(isCredential: false), "forbidden")
    case (404, _): return (.stop(isCredential: false), "not_found")
    case (413, _): return (.reject, "too_large")
    case (300..<400, _): return (.stop(isCredential: false), "redirected")
    default: return (.reject, "payload")
    }
  }

  /// The universal API's `PROVIDER_ERROR`. It names tokens by their first six characters only, so a token is dead if
  /// its beginning is named; a request carries one.
  private static func universal(_ complaints: [String], _ token: ArraySlice<UInt8>) -> (Verdict, String) {
    let begin = "rustore: invalid "
    for complaint in complaints where complaint.hasPrefix(begin) {
      let rest = complaint.dropFirst(begin.count)
      if rest.hasPrefix("auth token") { return (.stop(isCredential: true), "unauthorized") }
      guard rest.hasPrefix("tokens:") else { continue }
      let names = rest.dropFirst("tokens:".count).split { $0 == "," || $0 == " " }
      if names.contains(where: { token.starts(with: $0.utf8) }) { return (.retire, "invalid_token") }
    }
    return (.reject, "payload")
  }
}
