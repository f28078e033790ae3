import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("Accepted windows", .database)
struct WindowStoreSettleTests {
  /// A launch at AppMetrica whose only window was accepted with keys 2…4; 1 was skipped, 5 never handed over.
  private func accepted(_ fixture: StoreFixture) async throws -> (launch: Int64, lease: ChunkLease, window: OpenWindow)
  {
    let launch = try await fixture.planned(5, channel: 3, window: 5)
    let lease = try await fixture.lease(launch, channel: 3)
    let window = try await fixture.open(lease, keys(1...5))
    let result = WindowResult(
      rows: [DeliveryRow(key: key(1), outcome: .skipped, reason: "duplicate")], accepted: keys(2...4), cursor: key(4))
    #expect(try await fixture.windows.close(window, of: lease, result: result) == .closed)
    return (launch, lease, window)
  }

  @Test("an accepted window keeps the keys that wait, and the lane goes on after it")
  func accept() async throws {
    try await StoreFixture.with { fixture in
      let (launch, lease, window) = try await accepted(fixture)
      let waiting = try await fixture.windows.accepted(launch: launch, channel: 3)
      #expect(waiting.map(\.id) == [window.id])
      #expect(waiting[0].messages == 3)
      #expect(try await fixture.windows.keys(of: waiting[0]) == keys(2...4))
      #expect(!waiting[0].isAsked)
      #expect((0..<600).contains(waiting[0].age))
      #expect(waiting[0].attempt == 1)
      #expect(waiting[0].chunkNo == lease.chunkNo)
      #expect(waiting[0].windowNo == 0)
      #expect(
        try await fixture.rows(
          "select state, planned, skipped, sent, accepted_at is not null, closed_at from salvo.send_window")
          == ["4 4 1 0 t "])
      #expect(try await fixture.rows("select subscription_id from salvo.delivery") == ["1"])
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.skipped, progress.sent, progress.remaining] == [5, 1, 0, 4])
      #expect(try await fixture.open(lease, keys(5...5)).windowNo == 1)
    }
  }

  @Test("it is settled once, and the launch finishes only then")
  func settle() async throws {
    try await StoreFixture.with { fixture in
      let (launch, lease, _) = try await accepted(fixture)
      let last = try await fixture.open(lease, keys(5...5))
      _ = try await fixture.windows.close(last, of: lease, result: .sent(keys(5...5)))
      try await fixture.chunks.complete(lease)
      guard case .done = try await fixture.chunks.claim(launch: launch, channel: 3) else {
        Issue.record("no chunk is left")
        return
      }
      #expect(try await fixture.launches.finish(launch) == .running)

      let window = try #require(try await fixture.windows.accepted(launch: launch, channel: 3).first)
      let rows = try await fixture.windows.keys(of: window).map { DeliveryRow(key: $0, outcome: .sent, requests: 1) }
      let settled = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<3 { group.addTask { try await fixture.windows.settle(window, rows: rows) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(settled.filter { $0 }.count == 1)
      #expect(try await fixture.windows.accepted(launch: launch, channel: 3).isEmpty)
      #expect(try await fixture.windows.questionDue(launch: launch, channel: 3) == nil)
      #expect(try await fixture.windows.keys(of: window).isEmpty)
      #expect(
        try await fixture.rows("select window_no, state, planned, sent, skipped from salvo.send_window order by 1")
          == ["0 3 4 3 1", "1 1 1 1 0"])
      #expect(
        try await fixture.rows("select outcome, count(*) from salvo.delivery group by 1 order by 1") == ["1 4", "5 1"])
      #expect(try await fixture.launches.finish(launch) == .finished)
    }
  }

  @Test("a transfer that got lost goes into a retry chunk of the next attempt")
  func lost() async throws {
    try await StoreFixture.with { fixture in
      let (launch, _, _) = try await accepted(fixture)
      let window = try #require(try await fixture.windows.accepted(launch: launch, channel: 3).first)
      let rows = try await fixture.windows.keys(of: window).map {
        DeliveryRow(key: $0, outcome: .deferred, reason: "transfer_lost", retryAt: EpochMilliseconds(1_773_144_000_000))
      }
      #expect(try await fixture.windows.settle(window, rows: rows))
      #expect(
        try await fixture.rows("select chunk_no, attempt, planned from salvo.chunk where kind = 'retry'") == ["1 2 3"])
      #expect(try await fixture.rows("select state, deferred from salvo.send_window") == ["3 3"])
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.skipped, progress.remaining] == [5, 1, 4])
    }
  }

  @Test("a postponed window isn't asked about before its time, and one runner of several postpones it")
  func postpone() async throws {
    try await StoreFixture.with { fixture in
      let (launch, _, _) = try await accepted(fixture)
      let window = try #require(try await fixture.windows.accepted(launch: launch, channel: 3).first)
      #expect(try #require(try await fixture.windows.questionDue(launch: launch, channel: 3)) <= 0)
      #expect(try await fixture.windows.postpone(window, seconds: 86_400))
      #expect(try await fixture.windows.accepted(launch: launch, channel: 3).isEmpty)
      let due = try #require(try await fixture.windows.questionDue(launch: launch, channel: 3))
      #expect((80_000...86_400).contains(due))
      #expect(try await !fixture.windows.postpone(window, seconds: 1), "it isn't due any more")
      try await fixture.script("update salvo.send_window set next_poll_at = now()")
      #expect(try await fixture.windows.accepted(launch: launch, channel: 3).map(\.isAsked) == [true])
    }
  }
}
