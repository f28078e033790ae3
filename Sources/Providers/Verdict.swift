public import Transport

/// What a provider's answer means for one message.
public enum Verdict: Sendable, Equatable {
  /// 2xx with the provider's proof.
  case sent
  /// AppMetrica took the transfer: settled later.
  case accepted
  /// The token is dead.
  case retire
  /// This message is wrong; the token stays.
  case reject
  /// The same message again, not before `after` from now (seconds). `laneWide`: the whole lane waits until then.
  case retry(after: Double, laneWide: Bool)
  /// Authorization was refused: one new credential, one more try, then the lane stops. The message is known unsent.
  case refreshAccess
  /// A configuration fault: the lane stops, no token is touched. The message is known unsent. The exit code is 77
  /// when the credential was refused, else 69.
  case stop(isCredential: Bool)
  /// It may have been delivered: never sent again silently.
  case unknown
}

/// The verdict of one message with what is kept in its row.
public struct MessageVerdict: Sendable, Equatable {
  public var verdict: Verdict
  /// Short word for `delivery.reason`, the provider's or ours: `unregistered`, `payload`, `quota` …; nil when sent.
  public var reason: String?
  /// HTTP status, nil when none came.
  public var httpStatus: Int?
  /// The provider's own code: `UNREGISTERED`, `80100000`, `BadDeviceToken`.
  public var providerCode: String?
  /// FCM's message name, HMS' request id, the apns-id.
  public var providerMessageID: String?
  /// For people, when the answer surprised: at most 2 kB, valid UTF-8, no NUL.
  public var detail: String?

  public init(
    _ verdict: Verdict, reason: String? = nil, httpStatus: Int? = nil, providerCode: String? = nil,
    providerMessageID: String? = nil, detail: String? = nil
  ) {
    self.verdict = verdict
    self.reason = reason
    self.httpStatus = httpStatus
    self.providerCode = providerCode
    self.providerMessageID = providerMessageID
    self.detail = detail
  }

  /// What a request means that certainly wasn't taken: the message is known unsent.
  public init(notSent: NotSent) {
    switch notSent {
    case .stopped, .deadline: self.init(.retry(after: 0, laneWide: false), reason: "not_sent")
    case .refused(let how): self.init(.retry(after: 1, laneWide: false), reason: "refused", detail: how)
    case .unreachable(let how): self.init(.retry(after: 5, laneWide: true), reason: "unreachable", detail: how)
    case .untrusted(let how): self.init(.stop(isCredential: false), reason: "untrusted", detail: how)
    case .certificateRefused(let how): self.init(.stop(isCredential: true), reason: "certificate", detail: how)
    }
  }

  /// A request that may have reached the provider and got no answer.
  init(noAnswer how: String) {
    self.init(.unknown, reason: "no_answer", detail: how)
  }
}
