import Base
import Campaign
import Store
import Testing

/// A runner that lost its lease may not write results, but what it knows still counts.
@Suite("Late evidence", .database)
struct RecoveryEvidenceTests {
  /// Its window over 1…4 was taken over as unknown and the rest of the chunk, 5…6, is done.
  private func fenced(_ fixture: StoreFixture) async throws -> (launch: Int64, lease: ChunkLease, window: OpenWindow) {
    let launch = try await fixture.planned(6, window: 6)
    let lease = try await fixture.lease(launch)
    let window = try await fixture.open(lease, keys(1...4))
    try await fixture.script("update salvo.chunk set lease_until = now() - interval '1 s'")
    let next = try await fixture.lease(launch, by: ChunkStore(fixture.database, owner: "runner-2"))
    let rest = try await fixture.open(next, keys(5...6))
    _ = try await fixture.windows.close(rest, of: next, result: .sent(keys(5...6)))
    try await fixture.chunks.complete(next)
    return (launch, lease, window)
  }

  /// 1 was sent, 2 refused, of 3 nothing is known, 4 was never handed over.
  private var testimony: WindowResult {
    var results = WindowResultBuilder()
    results.add(key(1), .sent)
    results.add(key(2), .rejected, reason: "payload")
    results.add(key(3), .unknown, reason: "no_answer")
    return results.make(cursor: key(3))
  }

  @Test("what it knows settles the unknown, once, and delivery stays as it is")
  func settle() async throws {
    try await StoreFixture.with { fixture in
      let (launch, lease, window) = try await fenced(fixture)
      #expect(try await fixture.launches.finish(launch) == .finished)
      #expect(try await fixture.windows.close(window, of: lease, result: testimony) == .fenced)
      #expect(try await fixture.windows.testify(Testimony(of: keys(1...4), under: lease, result: testimony)) == 2)
      #expect(try await fixture.windows.testify(Testimony(of: keys(1...4), under: lease, result: testimony)) == 0)
      #expect(
        try await fixture.rows(
          "select distinct subscription_id, outcome, requests, token, source from salvo.late_evidence order by 1") == [
            "1 1 1 1 fenced", "2 3 1 1 fenced", "3 6 1 1 fenced", "4 7 0 1 fenced",
          ])
      #expect(
        try await fixture.rows(
          "select subscription_id, outcome, reason, settled_by from salvo.final_outcome order by 1")
          == ["1 1  fenced", "2 3 payload fenced", "3 6 in_doubt ", "4 6 in_doubt ", "5 1  ", "6 1  "])
      #expect(try await fixture.rows("select count(*) from salvo.delivery where outcome = 6") == ["4"])
      #expect(
        try await fixture.rows("select state, sent, rejected, unknown from salvo.send_window order by window_no") == [
          "2 1 1 2", "1 2 0 0",
        ])
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.sent, progress.rejected, progress.unknown, progress.remaining] == [3, 1, 2, 0])
      #expect(try await LaunchAudit(fixture.database).check(launch).allSatisfy { $0.violations == 0 })
    }
  }

  @Test("what it is known not to have sent goes again before the launch ends, also under hold")
  func unsent() async throws {
    try await StoreFixture.with { fixture in
      let (launch, lease, _) = try await fenced(fixture)
      #expect(try await fixture.windows.testify(Testimony(of: keys(1...4), under: lease, result: testimony)) == 2)
      #expect(try await fixture.launches.finish(launch) == .running)
      let again = try await fixture.lease(launch)
      #expect(again.kind == .resend)
      #expect(again.ids == [key(4)])
      #expect(again.attempt == 2)
      // What goes again is not settled by an older word.
      var late = WindowResultBuilder()
      late.add(key(4), .sent)
      let told = late.make(cursor: key(4))
      #expect(try await fixture.windows.testify(Testimony(of: keys(4...4), under: lease, result: told)) == 0)
      let last = try await fixture.open(again, keys(4...4))
      _ = try await fixture.windows.close(last, of: again, result: .sent(keys(4...4)))
      try await fixture.chunks.complete(again)
      #expect(try await fixture.launches.finish(launch) == .finished)
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.sent, progress.rejected, progress.unknown, progress.remaining] == [4, 1, 1, 0])
      #expect(try await LaunchAudit(fixture.database).check(launch).allSatisfy { $0.violations == 0 })
    }
  }
}
