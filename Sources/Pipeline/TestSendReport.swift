import Campaign
import Providers
import Store

/// What became of test sends.
public struct TestSendReport: Sendable {
  struct Result: Sendable {
    var row: TestSendRow
    let channel: String
    let provider: String
    /// For people, when there is more to say.
    var detail: String?
    /// What the process ends with for its sake; nil = all is well.
    var code: RunError.Code?
    /// Taken by a provider that says later what became of it.
    var isAwaited = false
  }

  var results: [Result] = []

  /// 0 when every device was sent its message; else 77 before 69 before 75 before 65.
  public var exitCode: Int32 {
    let codes = results.compactMap(\.code)
    return [RunError.Code.credential, .laneStopped, .again, .content].first { codes.contains($0) }?.rawValue ?? 0
  }

  /// One line a device.
  public var lines: [String] {
    results.map { result in
      let row = result.row
      let parts = [
        row.reason, row.httpStatus.map { "HTTP \($0)" }, row.providerCode, result.detail,
        row.providerMessageID.map { "message \($0)" },
      ].compactMap { $0 }
      return "\(result.channel) (\(result.provider)), \(row.key.words): \(row.outcome.name)"
        + (parts.isEmpty ? "" : "; " + parts.joined(separator: "; "))
    }
  }
}

extension TestSendReport.Result {
  /// - Parameter result: who it is.
  init(_ verdict: MessageVerdict, _ result: Self) {
    self = result
    row.httpStatus = verdict.httpStatus
    row.providerCode = verdict.providerCode
    row.providerMessageID = verdict.providerMessageID
    detail = verdict.detail.map { String($0.prefix(LaneStop.quotedLength)) }
    switch verdict.verdict {
    case .sent: (row.outcome, code) = (.sent, nil)
    case .accepted: (row.outcome, code, isAwaited) = (.unknown, .again, true)
    case .retire: (row.outcome, code) = (.tokenRetired, .content)
    case .reject: (row.outcome, code) = (.rejected, .content)
    case .retry: (row.outcome, code) = (.deferred, .again)
    case .refreshAccess: (row.outcome, code) = (.deferred, .credential)
    case .stop(let isCredential): (row.outcome, code) = (.deferred, isCredential ? .credential : .laneStopped)
    case .unknown: (row.outcome, code) = (.unknown, .again)
    }
  }

  /// What AppMetrica says of the transfer.
  func settled(as status: TransferStatus, _ transfer: Int64) -> Self {
    var result = self
    result.row.providerMessageID = "\(transfer)"
    result.isAwaited = false
    switch status {
    case .sent: (result.row.outcome, result.row.reason, result.code) = (.sent, nil, nil)
    case .failed(let words):
      (result.row.outcome, result.row.reason, result.code) = (.rejected, "transfer_failed", .content)
      result.detail = words
    case .misconfigured(let words):
      (result.row.outcome, result.row.reason, result.code) = (.deferred, "transfer_failed", .laneStopped)
      result.detail = words
    case .refused(let words):
      (result.row.reason, result.code) = ("access", .credential)
      result.detail = words
    case .pending, .notFound, .unclear: result.row.reason = "no_answer"
    }
    return result
  }
}
