internal import Base
internal import Transport

/// Turns AppMetrica's answers into verdicts and statuses.
///
/// Whatever leaves it open whether the transfer arrived (5xx, a success without its id, 409 for an id it knows) counts
/// as accepted: the transfer can be asked for by its id, and the settler does so before anything is sent again.
struct AppMetricaClassifier {
  /// Seconds; the quota of an address is freed within a second.
  static let quotaRetry = 1.0
  static let day: Int64 = 86_400

  func verdict(of answer: Answer, now: EpochMilliseconds) -> MessageVerdict {
    let body = (try? JSONScanner.parse(answer.body))?.object
    var id: String?
    let meaning: (Verdict, String?)
    switch answer.status {
    case 200..<300:
      id = Self.digits(body?["push_response"]?.object?["transfer_id"])
      meaning = (.accepted, id == nil ? "no_transfer_id" : nil)
    case 409: meaning = (.accepted, "conflict")
    case 420, 429: meaning = (.retry(after: Self.wait(answer, body, now), laneWide: true), "quota")
    case 500..<600: meaning = (.accepted, "server_error")
    case 401, 403: meaning = (.stop(isCredential: true), "unauthorized")
    case 404: meaning = (.stop(isCredential: false), "not_found")
    case 413: meaning = (.reject, "too_large")
    case 300..<400: meaning = (.stop(isCredential: false), "redirected")
    default: meaning = (.reject, "payload")
    }
    return MessageVerdict(
      meaning.0, reason: meaning.1, httpStatus: answer.status, providerCode: Self.type(body).map(AnswerText.word),
      providerMessageID: id, detail: meaning.1 == nil ? nil : AnswerText.kept(answer.body))
  }

  /// Reads `{"transfer": {"status": …, "errors": […]}}`. Only AppMetrica's own 404 says that a transfer never arrived:
  /// a gateway's page must not lead to a second sending.
  func status(from answer: Answer) -> TransferStatus {
    let body = (try? JSONScanner.parse(answer.body))?.object
    switch answer.status {
    case 200..<300:
      guard let transfer = body?["transfer"]?.object, let status = transfer["status"]?.string else {
        return .unclear("HTTP \(answer.status) without a transfer's status")
      }
      switch status {
      case "pending", "in_progress": return .pending
      case "sent": return .sent
      case "failed":
        let errors = (transfer["errors"]?.array ?? []).map(Self.words)
        if errors.isEmpty { return .failed("no reason given") }
        let words = AnswerText.line(errors.joined(separator: "; "))
        // "Invalid push credentials for Android": Google's or Apple's keys in the application's settings there.
        return words.lowercased().contains("credentials") ? .misconfigured(words) : .failed(words)
      default: return .unclear("unknown status \(AnswerText.line(status))")
      }
    case 401, 403: return .refused("HTTP \(answer.status)")
    case 404:
      let isOwn = Self.type(body) == "not_found" || Self.digits(body?["code"]) == "404"
      return isOwn ? .notFound : .unclear("HTTP 404 that isn't AppMetrica's")
    default: return .unclear("HTTP \(answer.status)")
    }
  }

  /// The daily quota is given back at midnight GMT, the one of an address after a second.
  private static func wait(_ answer: Answer, _ body: JSONObject?, _ now: EpochMilliseconds) -> Double {
    if let seconds = RetryAfter.seconds(answer.retryAfter, now: now) { return max(seconds, quotaRetry) }
    let texts = [body?["message"]].compactMap { $0?.string } + (body?["errors"]?.array ?? []).map(words)
    let isDaily = texts.contains { text in
      let text = text.lowercased()
      return text.contains("daily") || text.contains("per day") || text.contains("a day")
    }
    return isDaily ? Double(day - now.seconds % day) : quotaRetry
  }

  private static func type(_ body: JSONObject?) -> String? {
    body?["errors"]?.array?.first?.object?["error_type"]?.string
  }

  /// An element of `errors`: a text, or an object with a message.
  private static func words(_ error: JSON) -> String {
    error.string ?? error.object?["message"]?.string ?? error.text
  }

  /// An id as its digits: a number, or the text of one.
  private static func digits(_ value: JSON?) -> String? {
    (value?.int ?? value?.string.flatMap { Int64($0) }).map { String($0) }
  }
}
