internal import Base
internal import Transport

/// Turns Huawei's answers into verdicts: the JSON code first, whatever the HTTP status, for a failure may travel as
/// 200; without a code by the status. A partial success is never sent again: everybody but the listed tokens has it.
struct HMSClassifier {
  /// Seconds.
  let retry5xxAfter: Double
  /// Tokens of a full request.
  let fullBatch: Int

  /// - Parameter tokens: ranges of `arena`, one a message.
  func verdicts(
    of answer: Answer, tokens: [Range<Int>], in arena: [UInt8], now: EpochMilliseconds
  ) -> [MessageVerdict] {
    let read = HMSAnswer(answer)
    switch read.code {
    case "80100000":
      guard let listed = read.illegalTokens else { return all(.unknown, "partial_unread", answer, read, tokens.count) }
      return partial(listed, tokens, arena, answer, read)
    case "80300007":
      let isAboutTokens = read.illegalTokens.map { $0.allSatisfy { Self.retires($0.reason) } } ?? true
      // A full batch without one good token is another app's tokens, says Huawei's own FAQ, not a thousand dead ones.
      if tokens.count >= fullBatch || !isAboutTokens {
        return all(.stop(isCredential: false), "all_tokens_invalid", answer, read, tokens.count)
      }
      return all(.retire, "invalid_token", answer, read, tokens.count)
    default:
      let (verdict, reason) = meaning(of: read.code, answer, now)
      return all(verdict, reason, answer, read, tokens.count)
    }
  }

  private func meaning(of code: String?, _ answer: Answer, _ now: EpochMilliseconds) -> (Verdict, String) {
    let wait = RetryAfter.seconds(answer.retryAfter, now: now)
    let retry = Verdict.retry(after: max(wait ?? 0, retry5xxAfter), laneWide: wait != nil)
    let cool = Verdict.retry(after: max(wait ?? 0, retry5xxAfter), laneWide: true)
    switch code {
    case "80000000": return (.sent, "sent")
    case "80100001", "80100002", "80100003", "80100013", "80100018", "80100022": return (.reject, "payload")
    case "80100004": return (.reject, "ttl")
    case "80100016": return (.reject, "sensitive_content")
    case "80300008": return (.reject, "too_large")
    case "80300010": return (.reject, "token_count")
    case "80300011": return (.reject, "importance")
    case "80100017", "80300029", "80300030": return (cool, "quota")
    case "80200001", "80200003", "80200005": return (.refreshAccess, "unauthenticated")
    case "80300036": return (.stop(isCredential: true), "token_lifetime")
    case "80300002": return (.stop(isCredential: true), "no_right")
    case "80300037": return (.stop(isCredential: false), "app_penalised")
    case "80600003": return (cool, "oauth_service")
    case "81000001", "80000001": return (retry, "server_error")
    default: break
    }
    switch answer.status {
    case 429: return (cool, "quota")
    // Huawei's flow control counts devices of the whole app.
    case 503: return (cool, "flow_control")
    case 500..<600: return (retry, "server_error")
    case 200..<300: return (.unknown, "no_code")
    case 401: return (.refreshAccess, "unauthenticated")
    case 403: return (.stop(isCredential: true), "forbidden")
    case 404: return (.stop(isCredential: false), "not_found")
    case 300..<400: return (.stop(isCredential: false), "redirected")
    default: return (.reject, "payload")
    }
  }

  /// The listed tokens by their reason, the rest sent. When the answer counts more failures than can be matched with
  /// tokens of the request, somebody unnamed wasn't served, and the rest are unknown.
  private func partial(
    _ listed: [(token: String, reason: String?)], _ tokens: [Range<Int>], _ arena: [UInt8], _ answer: Answer,
    _ read: HMSAnswer
  ) -> [MessageVerdict] {
    var reasons: [ArraySlice<UInt8>: String?] = [:]
    for (token, reason) in listed { reasons.updateValue(reason, forKey: Array(token.utf8)[...]) }
    var verdicts: [MessageVerdict] = []
    var matched = 0
    let sent = result(.sent, nil, answer, read)
    for token in tokens {
      if let reason = reasons[arena[token]] {
        matched += 1
        let word = reason.map(AnswerText.word)
        verdicts.append(
          Self.retires(reason)
            ? result(.retire, word ?? "invalid_token", answer, read) : result(.reject, word, answer, read))
      } else {
        verdicts.append(sent)
      }
    }
    if matched == 0 || (read.failures ?? 0) > matched {
      let unknown = result(.unknown, "partial_unmatched", answer, read)
      for index in verdicts.indices where verdicts[index].verdict == .sent { verdicts[index] = unknown }
    }
    return verdicts
  }

  /// v1 gives no reason: the token is invalid. Of v3's only three are about the token; the others are about the app's
  /// rights and settings, and the token stays.
  private static func retires(_ reason: String?) -> Bool {
    guard let reason else { return true }
    return ["tokenFormatError", "tokenPlatformNotSupport", "noRight"].contains(reason)
  }

  private func all(
    _ verdict: Verdict, _ reason: String, _ answer: Answer, _ read: HMSAnswer, _ count: Int
  ) -> [MessageVerdict] {
    Array(repeating: result(verdict, verdict == .sent ? nil : reason, answer, read), count: count)
  }

  private func result(
    _ verdict: Verdict, _ reason: String?, _ answer: Answer, _ read: HMSAnswer
  ) -> MessageVerdict {
    let isPlain = verdict == .sent || verdict == .retire
    return MessageVerdict(
      verdict, reason: reason, httpStatus: answer.status, providerCode: read.code.map(AnswerText.word),
      providerMessageID: read.requestID.map(AnswerText.word), detail: isPlain ? nil : AnswerText.kept(answer.body))
  }
}
