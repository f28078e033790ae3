import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("WindowStore", .database)
struct WindowStoreTests {
  private static let control = """
    select c.state, c.token, c.cursor_profile, c.next_window, w.window_no, w.state, w.sent, w.token_retired, w.rejected,
      w.expired, w.skipped, w.unknown, w.deferred, n.next_chunk, n.verdicts, n.dead
    from salvo.chunk c left join salvo.send_window w using (launch_id, channel_id, chunk_no)
    join salvo.lane n using (launch_id, channel_id) where c.kind = 'first' order by c.chunk_no, w.window_no
    """

  @Test("sending ends a request's whole time before the lease does, and a request that leaves no time is refused")
  func longRequests() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 10)
      let lease = try await fixture.lease(launch)
      let before = BootInstant.now
      guard case .opened(let slow) = try await fixture.windows.open(lease, keys: keys(1...2), requestTimeout: 40) else {
        Issue.record("not opened")
        return
      }
      #expect(slow.sendBefore >= before.advanced(seconds: 10))
      #expect(slow.sendBefore <= BootInstant.now.advanced(seconds: 10))
      _ = try await fixture.windows.close(slow, of: lease, result: .sent(keys(1...2)))
      let refused = await #expect(throws: StoreError.self) {
        _ = try await fixture.windows.open(lease, keys: keys(3...3), requestTimeout: 50)
      }
      #expect(refused?.code == .configuration)
      #expect(
        try await fixture.rows("select count(*) from salvo.send_window where state = 0") == ["0"])
    }
  }

  @Test("the intent is committed with its exact keys under an id that a double can hold")
  func intent() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 10)
      let lease = try await fixture.lease(launch)
      let before = BootInstant.now
      let first = try await fixture.open(lease, keys(1...2))
      #expect(first.windowNo == 0)
      // A lease of 60 s, 10 s for clocks, 20 s for the last request.
      #expect(first.sendBefore >= before.advanced(seconds: 30))
      #expect(first.sendBefore <= BootInstant.now.advanced(seconds: 30))
      #expect(first.id > 0 && first.id < 1 << 53)
      #expect(
        try await fixture.rows(
          "select window_no, id, token, attempt, state, planned, encode(ids, 'hex') from salvo.send_window")
          == ["0 \(first.id) 1 1 0 2 0000000000000001000000000000000100000000000000020000000000000002"])
      _ = try await fixture.windows.close(first, of: lease, result: .sent(keys(1...2)))
      let second = try await fixture.open(lease, keys(3...3))
      #expect(second.windowNo == 1)
      #expect(second.id != first.id)
    }
  }

  @Test(
    "no window opens when launch or lane don't run, or the lane cools",
    arguments: [
      ("update salvo.launch set state = 'paused'", HaltReason.launch(.paused)),
      ("update salvo.launch set state = 'cancelled'", .launch(.cancelled)),
      ("update salvo.lane set state = 'paused'", .lanePaused),
      ("update salvo.lane set state = 'stopped', stop_reason = 'quota'", .laneStopped("quota")),
      (
        "update salvo.lane set cool_until = '2200-01-01T00:00:00Z'",
        .cooling(until: EpochMilliseconds(7_258_118_400_000))
      ),
    ])
  func halted(command: String, expected: HaltReason) async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      try await fixture.script(command)
      guard case .halted(let reason) = try await fixture.windows.open(lease, keys: keys(1...2)) else {
        Issue.record("opened")
        return
      }
      #expect(reason == expected)
      #expect(try await fixture.rows("select count(*) from salvo.send_window") == ["0"])
      #expect(try await fixture.rows("select next_window from salvo.chunk") == ["0"])
    }
  }

  @Test("a window closes with rows, counts, cursor, retirements and the breaker's counters")
  func close() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(8, window: 8)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...8))
      // Registered anew while the message was under way.
      try await fixture.script("update salvo.subscription set token = 'newer' where id = 3")
      var result = WindowResultBuilder()
      result.rows = [
        DeliveryRow(
          key: key(1), outcome: .sent, requests: 2, httpStatus: 200,
          providerMessageID: "projects/p/messages/0:1", uid: "T1", variant: "a"),
        DeliveryRow(
          key: key(2), outcome: .tokenRetired, reason: "unregistered", requests: 1, httpStatus: 404,
          providerCode: "UNREGISTERED", detail: "not found\u{0}", uid: "T2"),
      ]
      result.add(key(3), .tokenRetired)
      result.add(key(4), .rejected, reason: "payload")
      result.add(key(5), .expired, reason: "tries")
      result.add(key(6), .skipped, reason: "duplicate")
      result.add(key(7), .unknown, reason: "no_answer")
      var written = result.make(cursor: key(7))
      written.retirements = [
        Retirement(key: key(3), token: "token-3", reason: "UNREGISTERED"),
        Retirement(key: key(2), token: "token-2", reason: "UNREGISTERED"),
      ]
      written.verdicts = 4
      written.dead = 2
      #expect(try await fixture.windows.close(window, of: lease, result: written) == .closed)
      #expect(try await fixture.rows(Self.control) == ["1 1 7 1 0 1 1 2 1 1 1 1 0 1 4 2"])
      #expect(
        try await fixture.rows(
          """
          select subscription_id, channel_id, chunk_no, window_no, attempt, outcome, requests, http_status, reason,
            provider_code, provider_message_id, message_uid, variant from salvo.delivery order by 1
          """)
          == [
            "1 1 0 0 1 1 2 200   projects/p/messages/0:1 T1 a", "2 1 0 0 1 2 1 404 unregistered UNREGISTERED  T2 ",
            "3 1 0 0 1 2 1      ", "4 1 0 0 1 3 1  payload    ", "5 1 0 0 1 4 1  tries    ",
            "6 1 0 0 1 5 0  duplicate    ", "7 1 0 0 1 6 1  no_answer    ",
          ])
      #expect(
        try await fixture.rows("select detail = 'not found' from salvo.delivery where subscription_id = 2") == ["t"])
      #expect(
        try await fixture.rows(
          """
          select id, state, retired_reason, retired_at is not null from salvo.subscription where id in (2, 3)
          order by 1
          """
        )
          == ["2 retired UNREGISTERED t", "3 active  f"])
      // The last key was never handed over: planned says 8, the cursor 7, and it remains.
      #expect(try await fixture.launches.progress(of: launch).map(\.remaining) == [1])
      #expect(
        try await fixture.chunks.read(fixture.lease(after: lease, at: key(7)), columns: []).rows.map(\.key) == [key(8)])
    }
  }

  @Test("closing again is closed, not a second result; another's lease is fenced and changes nothing")
  func again() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2))) == .closed)
      let after = try await fixture.rows(Self.control)
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2))) == .closed)
      #expect(try await fixture.rows(Self.control) == after)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["2"])

      let second = try await fixture.open(lease, keys(3...4))
      try await fixture.script("update salvo.chunk set token = token + 1")
      #expect(try await fixture.windows.close(second, of: lease, result: .sent(keys(3...4))) == .fenced)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["2"])
      #expect(try await fixture.rows("select state, sent from salvo.send_window where window_no = 1") == ["0 0"])
      #expect(try await fixture.rows("select cursor_profile from salvo.chunk") == ["2"])
      // What it closed before it was fenced stays closed.
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2))) == .closed)
    }
  }

  @Test("a result that is there already takes none of its neighbours with it, and is kept as late evidence")
  func atomic() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...4))
      try await fixture.script(
        """
        insert into salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, chunk_no, window_no,
          attempt, outcome) values (\(launch), 3, 3, 1, now(), 9, 9, 1, 1)
        """)
      var result = WindowResult.sent(keys(1...4))
      result.rows[3] = DeliveryRow(key: key(4), outcome: .deferred, retryAt: EpochMilliseconds(1_773_144_000_000))
      result.retirements = [Retirement(key: key(1), token: "token-1", reason: "UNREGISTERED")]
      result.verdicts = 3
      guard case .closedWithout(let refused) = try await fixture.windows.close(window, of: lease, result: result) else {
        Issue.record("not told of the refused row")
        return
      }
      #expect(refused.map(\.row) == [result.rows[2]])
      #expect(refused.first?.reason.contains("23505") == true)
      #expect(
        try await fixture.rows("select subscription_id, window_no, outcome from salvo.delivery order by 1")
          == ["1 0 1", "2 0 1", "3 9 1", "4 0 7"])
      #expect(try await fixture.rows("select state, sent, deferred from salvo.send_window") == ["1 2 1"])
      #expect(
        try await fixture.rows("select subscription_id, outcome, source from salvo.late_evidence")
          == ["3 1 refused"])
      #expect(try await fixture.rows("select planned from salvo.chunk where kind = 'retry'") == ["1"])
      #expect(try await fixture.rows("select id from salvo.subscription where state = 'retired'") == ["1"])
    }
  }

  @Test("rows that the database refuses are left out one by one; all of them together are no row's fault")
  func refusedRows() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(20, window: 20)
      let lease = try await fixture.lease(launch)
      try await fixture.script(
        "alter table salvo.delivery add constraint poison check (reason is distinct from 'poison')")
      let first = try await fixture.open(lease, keys(1...10))
      var result = WindowResult.sent(keys(1...10))
      for index in [0, 6, 9] { result.rows[index].reason = "poison" }
      guard case .closedWithout(let refused) = try await fixture.windows.close(first, of: lease, result: result) else {
        Issue.record("not told of the refused rows")
        return
      }
      #expect(refused.map(\.row.key) == [key(1), key(7), key(10)])
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["7"])
      #expect(try await fixture.rows("select state, sent from salvo.send_window") == ["1 7"])

      let second = try await fixture.open(lease, keys(11...20))
      var poisoned = WindowResult.sent(keys(11...20))
      for index in poisoned.rows.indices { poisoned.rows[index].reason = "poison" }
      let all = poisoned
      let error = await #expect(throws: StoreError.self) {
        _ = try await fixture.windows.close(second, of: lease, result: all)
      }
      #expect(error?.code == .refused)
      #expect(try await fixture.rows("select state from salvo.send_window where window_no = 1") == ["0"])
    }
  }

  @Test(
    "what passes by itself (a full disk, a time-out, a lock) leaves the window open, and the same results are written later",
    arguments: ["53100", "57014", "55P03"])
  func transient(sqlState: String) async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      try await fixture.script(
        """
        create function public.refuse() returns trigger language plpgsql as $$
          begin raise exception 'not now' using errcode = '\(sqlState)'; end $$;
        create trigger refuse before insert on salvo.delivery for each row execute function public.refuse();
        """)
      let error = await #expect(throws: StoreError.self) {
        _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      }
      #expect(error?.code == .away)
      #expect(try await fixture.rows("select state, sent from salvo.send_window") == ["0 0"])
      try await fixture.script("drop trigger refuse on salvo.delivery")
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2))) == .closed)
      #expect(try await fixture.rows("select state, sent from salvo.send_window") == ["1 2"])
      #expect(try await fixture.rows("select count(*) from salvo.late_evidence") == ["0"])
    }
  }

  @Test("deferred messages become retry chunks: together when due within 5 s, never before their time")
  func retryChunks() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(6, window: 6)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...6))
      let due: [Int64: Int64] = [2: 4_000, 3: 60_000, 4: 0, 5: 5_000, 6: 5_001]
      var result = WindowResult.sent(keys(1...6))
      for (number, milliseconds) in due {
        result.rows[Int(number) - 1] = DeliveryRow(
          key: key(number), outcome: .deferred, reason: "quota", requests: 1,
          retryAt: EpochMilliseconds(1_773_144_000_000 + milliseconds), httpStatus: 429)
      }
      #expect(try await fixture.windows.close(window, of: lease, result: result) == .closed)
      #expect(
        try await fixture.rows(
          """
          select chunk_no, kind, attempt, planned, state, extract(epoch from not_before)::numeric(14, 3) - 1773144000,
            cursor_profile, hi_profile, hi_subscription from salvo.chunk where kind = 'retry' order by 1
          """)
          == ["1 retry 2 3 0 5.000 0 5 5", "2 retry 2 1 0 5.001 0 6 6", "3 retry 2 1 0 60.000 0 3 3"])
      #expect(try await fixture.rows("select next_chunk from salvo.lane") == ["4"])
      #expect(
        try await fixture.rows(
          """
          select subscription_id, outcome, extract(epoch from retry_at)::bigint from salvo.delivery where outcome = 7
          order by 1 limit 1
          """
        ) == ["2 7 1773144004"])
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.sent, progress.remaining] == [6, 1, 5])
      try await fixture.chunks.complete(lease)
      #expect(try await fixture.launches.finish(launch) == .running)

      // Their time was in March 2026: they are due now.
      var sent: [[RecipientKey]] = []
      for _ in 0..<3 {
        let retry = try await fixture.lease(launch)
        #expect(retry.kind == .retry)
        #expect(retry.attempt == 2)
        let page = try await fixture.chunks.read(retry, columns: .variables)
        #expect(page.rows.map(\.key) == retry.ids)
        #expect(page.rows.allSatisfy { $0.state == .active })
        let again = try await fixture.open(retry, page.rows.map(\.key))
        #expect(try await fixture.windows.close(again, of: retry, result: .sent(page.rows.map(\.key))) == .closed)
        try await fixture.chunks.complete(retry)
        sent.append(page.rows.map(\.key))
      }
      #expect(sent.sorted { $0[0] < $1[0] } == [[key(2), key(4), key(5)], [key(3)], [key(6)]])
      #expect(
        try await fixture.rows(
          "select subscription_id, attempt, outcome from salvo.delivery where profile_id = 2 order by 2")
          == ["2 1 7", "2 2 1"])
      #expect(try await fixture.launches.finish(launch) == .finished)
    }
  }

  @Test("a retry chunk goes on after its cursor, with whoever is gone meanwhile")
  func retryCursor() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 3)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...3))
      let result = WindowResult(
        rows: keys(1...3).map { DeliveryRow(key: $0, outcome: .deferred, retryAt: EpochMilliseconds(0)) },
        cursor: key(3))
      _ = try await fixture.windows.close(window, of: lease, result: result)
      try await fixture.chunks.complete(lease)
      let retry = try await fixture.lease(launch)
      let first = try await fixture.open(retry, keys(1...1))
      _ = try await fixture.windows.close(first, of: retry, result: .sent(keys(1...1)))
      try await fixture.chunks.release(retry)
      try await fixture.script("delete from salvo.subscription where id = 3")
      let rest = try await fixture.lease(launch)
      #expect(rest.ids == keys(1...3))
      let page = try await fixture.chunks.read(rest, columns: [])
      #expect(page.rows.map(\.key) == keys(2...3))
      #expect(page.rows.map(\.state) == [.active, .gone])
    }
  }

  @Test("a cancelled task still writes what was sent")
  func cancelled() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      }
      #expect(try await task.value == .closed)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["2"])
    }
  }
}

extension StoreFixture {
  /// The lease as it is after a window that ended at `cursor`.
  fileprivate func lease(after lease: ChunkLease, at cursor: RecipientKey) -> ChunkLease {
    var lease = lease
    lease.cursor = cursor
    return lease
  }
}
