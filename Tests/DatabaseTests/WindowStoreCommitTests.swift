import Campaign
import Postgres
import Testing

@testable import Store

/// The answer to COMMIT got lost: once it was done, once it was not.
@Suite("A lost answer to COMMIT", .database)
struct WindowStoreCommitTests {
  /// Ends the session of whoever commits a change of `table`, at COMMIT and once.
  private func breakOnce(_ fixture: StoreFixture, on event: String, of table: String) async throws {
    try await fixture.script(
      """
      create sequence public.breaks;
      create function public.break_once() returns trigger language plpgsql as $$
      begin
        if nextval('public.breaks') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$;
      create constraint trigger break_once after \(event) on \(table) deferrable initially deferred
        for each row execute function public.break_once();
      """)
  }

  @Test("a window whose opening broke off at COMMIT is opened once")
  func openBroken() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      try await breakOnce(fixture, on: "insert", of: "salvo.send_window")
      let window = try await fixture.open(lease, keys(1...2))
      #expect(window.windowNo == 0)
      #expect(try await fixture.rows("select window_no, id, state from salvo.send_window") == ["0 \(window.id) 0"])
      #expect(try await fixture.rows("select last_value from public.breaks") == ["2"])
    }
  }

  @Test("a window that was opened although nobody heard of it is found, not opened again")
  func openFound() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(launch)
      let opening = WindowOpening(lease: lease, keys: keys(1...2), terms: LeaseTerms(), requestTimeout: 20)
      let first = try await fixture.database.run { try opening.write($0) }
      // Paused in between: the intent is committed, so the window is this runner's to send or to close empty.
      try await fixture.script("update salvo.launch set state = 'paused'")
      let second = try await fixture.database.run { try opening.writeAgain($0) }
      guard case .opened(let heard) = first, case .opened(let found) = second else {
        Issue.record("\(first), \(second)")
        return
      }
      #expect(found.id == heard.id)
      #expect(found.windowNo == heard.windowNo)
      #expect(try await fixture.rows("select next_window from salvo.chunk") == ["1"])

      try await fixture.script("update salvo.chunk set token = token + 1")
      guard case .fenced = try await fixture.database.run({ try opening.writeAgain($0) }) else {
        Issue.record("found under another's token")
        return
      }
    }
  }

  @Test("results whose writing broke off at COMMIT are written once")
  func closeBroken() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      try await breakOnce(fixture, on: "update", of: "salvo.send_window")
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2))) == .closed)
      #expect(try await fixture.rows("select state, sent from salvo.send_window") == ["1 2"])
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["2"])
      #expect(try await fixture.rows("select last_value from public.breaks") == ["2"])
    }
  }

  @Test("results that were written although nobody heard of it are not written again")
  func closeFound() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      let closing = WindowClosing(window: window, lease: lease, result: .sent(keys(1...2)), terms: LeaseTerms())
      #expect(try await fixture.database.run { try closing.write($0) } == .closed)
      #expect(try await fixture.database.run { try closing.writeAgain($0) } == .closed)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["2"])
    }
  }

  @Test("after the connection broke, another's chunk is still fenced")
  func closeFenced() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      try await fixture.script("update salvo.chunk set token = token + 1")
      let closing = WindowClosing(window: window, lease: lease, result: .sent(keys(1...2)), terms: LeaseTerms())
      #expect(try await fixture.database.run { try closing.writeAgain($0) } == .fenced)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["0"])
    }
  }
}
