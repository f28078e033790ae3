import Campaign
import Store

/// How one try at a job ended.
enum JobEnd {
  /// To be marked done with this result.
  case done(JobResult)
  /// Marked done already, in the transaction that did it.
  case marked
  case failed(any Error)
  /// Not begun, or given up on request: not a try. Nil: whenever somebody is free.
  case notNow(seconds: Double?)
  /// Another runner holds it by now.
  case fenced
}

/// What becomes of a job whose try failed.
enum JobVerdict: Equatable {
  case retry(afterSeconds: Double)
  /// Dead: the same try would fail in the same way, or it had its last.
  case bury

  /// 5, 20, 80, 320 seconds, at most 15 minutes.
  static func backoff(attempt: Int) -> Double {
    min(5 * Double(1 << (2 * min(max(attempt, 1) - 1, 4))), 900)
  }

  /// - Parameters:
  ///   - attempt: which try failed, from 1.
  ///   - isLasting: nothing but a change of the row itself can mend it.
  ///   - jitter: 0.8…1.2, so that jobs which failed together don't come back together.
  static func failed(attempt: Int, of maxAttempts: Int, isLasting: Bool, jitter: Double) -> JobVerdict {
    isLasting || attempt >= maxAttempts ? .bury : .retry(afterSeconds: backoff(attempt: attempt) * jitter)
  }

  /// Whether another try would end as this one did. What the machine lacks, a file or a provider's answer, may be
  /// there next time.
  static func isLasting(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: [.notFound, .content, .state].contains(error.code)
    case let error as RunError: [.usage, .content, .notFound].contains(error.code)
    case is CampaignError: true
    default: false
    }
  }
}
