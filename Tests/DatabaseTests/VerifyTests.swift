import Base
import Campaign
import Store
import Testing

/// The books of a launch: right ones pass, and each kind of wrong is found.
@Suite("Verify", .database)
struct VerifyTests {
  /// Six messages in windows of two: sent, one deferred and sent later, one rejected, one unknown.
  private func finished(_ fixture: StoreFixture) async throws -> Int64 {
    let launch = try await fixture.planned(6, window: 6)
    let lease = try await fixture.lease(launch)
    let first = try await fixture.open(lease, keys(1...3))
    var results = WindowResultBuilder()
    results.add(key(1), .sent)
    results.add(key(2), .rejected, reason: "payload")
    results.rows.append(
      DeliveryRow(key: key(3), outcome: .deferred, requests: 1, retryAt: EpochMilliseconds(1_700_000_000_000)))
    _ = try await fixture.windows.close(first, of: lease, result: results.make(cursor: key(3)))
    let second = try await fixture.open(lease, keys(4...6))
    results = WindowResultBuilder()
    results.add(key(4), .sent)
    results.add(key(5), .unknown, reason: "no_answer")
    results.add(key(6), .sent)
    _ = try await fixture.windows.close(second, of: lease, result: results.make(cursor: key(6)))
    try await fixture.chunks.complete(lease)
    let retry = try await fixture.lease(launch)
    let third = try await fixture.open(retry, keys(3...3))
    _ = try await fixture.windows.close(third, of: retry, result: .sent(keys(3...3)))
    try await fixture.chunks.complete(retry)
    #expect(try await fixture.launches.finish(launch) == .finished)
    return launch
  }

  private func broken(_ fixture: StoreFixture, _ launch: Int64) async throws -> [String] {
    try await LaunchAudit(fixture.database).check(launch).filter { $0.violations > 0 }.map(\.rule)
  }

  @Test("right books pass every rule, at any moment")
  func right() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await finished(fixture)
      #expect(try await broken(fixture, launch) == [])
      #expect(try await LaunchAudit(fixture.database).check(launch).count == 9)
    }
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      #expect(try await broken(fixture, launch) == [])
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      #expect(try await broken(fixture, launch) == [])
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      #expect(try await broken(fixture, launch) == [])
    }
  }

  @Test(
    "each kind of wrong is found",
    arguments: [
      (
        "delete from salvo.delivery where subscription_id = 1",
        [
          "every planned message of a finished launch has a final outcome",
          "a closed window counts exactly its messages", "the lanes' sums are the messages' outcomes",
        ]
      ),
      (
        "update salvo.delivery set attempt = 3 where attempt = 2", ["attempts of a message are 1, 2 … without gaps"]
      ),
      (
        """
        insert into salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, chunk_no, window_no, attempt,
          outcome) select launch_id, 1, 1, 1, now(), 0, 0, 2, 1 from salvo.lane
        """,
        [
          "only what was deferred or unknown, or was sent again on request, has a next attempt",
          "a closed window counts exactly its messages",
        ]
      ),
      (
        "delete from salvo.recipient where subscription_id = 4",
        ["nobody got a message who isn't in the audience"]
      ),
      (
        "update salvo.send_window set sent = sent - 1, rejected = rejected + 1 where chunk_no = 0 and window_no = 0",
        ["a closed window counts exactly its messages", "the lanes' sums are the messages' outcomes"]
      ),
      (
        "update salvo.send_window set state = 0, opened_at = now() - interval '1 hour' where chunk_no = 1",
        [
          "no window is open for longer than two leases",
          "a finished launch has nothing left to send or to ask about",
        ]
      ),
      (
        "update salvo.lane set planned = 7",
        [
          "the plan's chunks hold every recipient of their lane",
          "a finished launch has nothing left to send or to ask about",
        ]
      ),
    ])
  func wrong(damage: String, rules: [String]) async throws {
    try await StoreFixture.with { fixture in
      let launch = try await finished(fixture)
      try await fixture.script(damage)
      #expect(try await broken(fixture, launch) == rules)
    }
  }

  @Test("a launch that isn't there is told")
  func missing() async throws {
    try await StoreFixture.with { fixture in
      let error = await #expect(throws: StoreError.self) { _ = try await LaunchAudit(fixture.database).check(99) }
      #expect(error?.code == .notFound)
    }
  }
}
