import Store
import Testing

@testable import Pipeline

@Suite("What becomes of a job that failed")
struct JobVerdictTests {
  @Test(
    "it waits four times as long after each try, a quarter of an hour at most, and dies with its last",
    arguments: [
      (1, JobVerdict.retry(afterSeconds: 5)), (2, .retry(afterSeconds: 20)), (3, .retry(afterSeconds: 80)),
      (4, .retry(afterSeconds: 320)), (5, .retry(afterSeconds: 900)), (9, .retry(afterSeconds: 900)), (10, .bury),
    ])
  func backoff(_ row: (Int, JobVerdict)) {
    #expect(JobVerdict.failed(attempt: row.0, of: 10, isLasting: false, jitter: 1) == row.1)
  }

  @Test("jitter stretches the wait; what can't change is not tried again")
  func jitter() {
    #expect(JobVerdict.failed(attempt: 1, of: 5, isLasting: false, jitter: 1.2) == .retry(afterSeconds: 6))
    #expect(JobVerdict.failed(attempt: 1, of: 5, isLasting: true, jitter: 1) == .bury)
  }

  @Test("a wrong row lasts; a missing file, a stopped lane or a database that went away need not")
  func lasting() {
    for code in [StoreError.Code.notFound, .content, .state] {
      #expect(JobVerdict.isLasting(StoreError(code, "")))
    }
    for code in [StoreError.Code.away, .refused, .configuration] {
      #expect(!JobVerdict.isLasting(StoreError(code, "")))
    }
    #expect(JobVerdict.isLasting(RunError(.content, "")))
    #expect(!JobVerdict.isLasting(RunError(.configuration, "")))
  }
}
