import Campaign
import Store
import Testing

@Suite("Views", .database)
struct SchemaViewTests {
  @Test("progress takes back what a resend chunk counts again, and still balances")
  func takesBack() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(6, window: 6)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...6))
      var result = WindowResultBuilder()
      result.add(key(1), .sent)
      for n in 2...4 { result.add(key(Int64(n)), .unknown) }
      result.add(key(5), .expired)
      result.add(key(6), .rejected)
      _ = try await fixture.windows.close(window, of: lease, result: result.make(cursor: key(6)))
      try await fixture.chunks.complete(lease)
      let numbers = """
        select planned, sent, token_retired, rejected, expired, skipped, unknown, remaining from salvo.launch_progress
        """
      #expect(try await fixture.rows(numbers) == ["6 1 0 1 1 0 3 0"])

      try await fixture.script(
        """
        insert into salvo.chunk (launch_id, channel_id, chunk_no, kind, attempt, lo_profile, lo_subscription,
          hi_profile, hi_subscription, cursor_profile, cursor_subscription, planned, ids, back_unknown, back_expired,
          back_rejected)
        select \(launch), 1, 1, 'resend', 2, 0, 0, 6, 6, 0, 0, 4, (
          select string_agg(int8send(n) || int8send(n), '' order by n) from unnest('{2,3,5,6}'::bigint[]) n), 2, 1, 1
        """)
      #expect(try await fixture.rows(numbers) == ["6 1 0 0 0 0 1 4"])

      let resend = try await fixture.lease(launch)
      let again = try await fixture.open(resend, [key(2), key(3), key(5), key(6)])
      _ = try await fixture.windows.close(
        again, of: resend, result: .sent([key(2), key(3), key(5), key(6)]))
      try await fixture.chunks.complete(resend)
      #expect(try await fixture.rows(numbers) == ["6 5 0 0 0 0 1 0"])
      #expect(try await fixture.launches.finish(launch) == .finished)
    }
  }

  @Test("a message's end is what a settlement says, else its last attempt")
  func finalOutcome() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1);
        insert into salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, retry_at, chunk_no,
          window_no, attempt, outcome, reason)
        values (1, 1, 1, 1, now(), now(), 0, 0, 1, 7, 'quota'), (1, 1, 1, 1, now(), null, 1, 0, 2, 1, null),
          (1, 2, 2, 1, now(), null, 0, 0, 1, 6, 'no_answer'), (1, 3, 3, 1, now(), null, 0, 0, 1, 5, 'duplicate');
        insert into salvo.settlement (launch_id, channel_id, profile_id, subscription_id, attempt, outcome, reason,
          source)
        values (1, 1, 2, 2, 1, 3, 'operator', 'operator'), (1, 1, 2, 2, 1, 1, 'late', 'late_evidence');
        """)
      #expect(
        try await fixture.rows(
          "select external_id, attempt, outcome, reason, settled_by from salvo.message_log order by profile_id")
          == ["customer-1 2 sent  ", "customer-2 1 sent late late_evidence", "customer-3 1 skipped duplicate "])
      #expect(
        try await fixture.rows("select channel_id, outcome, messages from salvo.launch_outcomes order by 2")
          == ["1 sent 2", "1 skipped 1"])
    }
  }
}
