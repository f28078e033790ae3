import Base
import Campaign
import Store
import Testing

/// A runner vanishes; whoever takes its chunk accounts for what it left open.
@Suite("Recovery", .database)
struct RecoveryTests {
  /// A launch over 1…6 in one chunk, whose holder opened a window with 1…3 and was never heard of again.
  private func orphaned(_ fixture: StoreFixture, channel: Int64 = 1, options: String = "{}") async throws -> (
    launch: Int64, lease: ChunkLease, window: OpenWindow
  ) {
    try await fixture.subscribe(1...6, channel: Int(channel))
    let launch = try await fixture.launch(options: options)
    try await fixture.plan(launch, window: 6)
    let lease = try await fixture.lease(launch, channel: channel)
    let window = try await fixture.open(lease, keys(1...3))
    try await fixture.script("update salvo.chunk set lease_until = now() - interval '1 s'")
    return (launch, lease, window)
  }

  private func takeOver(
    _ fixture: StoreFixture, _ launch: Int64, channel: Int64 = 1, settlesLater: Bool = false
  ) async throws -> ChunkLease {
    let chunks = ChunkStore(fixture.database, owner: "runner-2")
    let takeover = Takeover(settlesLater: settlesLater) { "U\($0.subscriptionID)" }
    guard case .leased(let lease) = try await chunks.claim(launch: launch, channel: channel, takeover: takeover) else {
      throw StoreFixture.Unexpected(what: "not leased")
    }
    return lease
  }

  private func sendRest(_ fixture: StoreFixture, _ lease: ChunkLease, _ rest: [RecipientKey]) async throws {
    let window = try await fixture.open(lease, rest)
    #expect(try await fixture.windows.close(window, of: lease, result: .sent(rest)) == .closed)
    try await fixture.chunks.complete(lease)
  }

  @Test("every message of the open window is unknown on its attempt, the rest is sent, and the launch finishes")
  func hold() async throws {
    try await StoreFixture.with { fixture in
      let (launch, old, window) = try await orphaned(fixture)
      // What the audience says now doesn't matter: the window's own list does.
      try await fixture.script("delete from salvo.recipient where subscription_id = 2")
      let lease = try await takeOver(fixture, launch)
      #expect(lease.leftBehind == LeftBehind(owner: "runner-1", unknown: 3))
      #expect(lease.token == old.token + 1)
      #expect(lease.cursor == key(3))
      #expect(
        try await fixture.rows(
          "select subscription_id, attempt, window_no, outcome, reason, message_uid from salvo.delivery order by 1")
          == [
            "1 1 0 6 in_doubt U1", "2 1 0 6 in_doubt U2", "3 1 0 6 in_doubt U3",
          ])
      #expect(try await fixture.rows("select state, planned, unknown from salvo.send_window") == ["2 3 3"])

      // Its former holder is fenced, and changes nothing.
      #expect(try await fixture.windows.close(window, of: old, result: .sent(keys(1...3))) == .fenced)
      #expect(try await fixture.rows("select count(*) from salvo.delivery where outcome = 1") == ["0"])

      #expect(try await fixture.chunks.read(lease, columns: []).rows.map(\.key) == keys(4...6))
      try await sendRest(fixture, lease, keys(4...6))
      #expect(try await fixture.launches.finish(launch) == .finished)
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.sent, progress.unknown, progress.remaining] == [6, 3, 3, 0])
    }
  }

  @Test("a row that is there already keeps nobody from taking the chunk over")
  func tripwire() async throws {
    try await StoreFixture.with { fixture in
      let (launch, _, _) = try await orphaned(fixture)
      try await fixture.script(
        """
        insert into salvo.delivery (launch_id, profile_id, subscription_id, channel_id, at, chunk_no, window_no,
          attempt, outcome) values (\(launch), 2, 2, 1, now(), 9, 9, 1, 1)
        """)
      let lease = try await takeOver(fixture, launch)
      #expect(lease.leftBehind == LeftBehind(owner: "runner-1", unknown: 2))
      #expect(
        try await fixture.rows("select subscription_id, outcome from salvo.delivery order by 1") == [
          "1 6", "2 1", "3 6",
        ])
      #expect(try await fixture.rows("select state, unknown from salvo.send_window") == ["2 2"])
      #expect(try await fixture.rows("select subscription_id, source from salvo.late_evidence") == ["2 refused"])
    }
  }

  @Test("of several that want the chunk one gets it, and the messages are counted once")
  func race() async throws {
    try await StoreFixture.with(connections: 6) { fixture in
      let (launch, _, _) = try await orphaned(fixture)
      let leased = try await withThrowingTaskGroup(of: Bool.self) { group in
        for runner in 0..<6 {
          group.addTask {
            let chunks = ChunkStore(fixture.database, owner: "runner-\(runner)")
            if case .leased = try await chunks.claim(launch: launch, channel: 1) { return true }
            return false
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(leased.count { $0 } == 1)
      #expect(try await fixture.rows("select count(*) from salvo.delivery") == ["3"])
    }
  }

  @Test("duplicates that the plan found were never sent, so they are not in doubt")
  func duplicates() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1, token: "'token-' || (n + 1) / 2")
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 4)
      let lease = try await fixture.lease(launch)
      #expect(lease.skip.count == 2)
      _ = try await fixture.open(lease, keys(1...4))
      try await fixture.script("update salvo.chunk set lease_until = now() - interval '1 s'")
      #expect(try await takeOver(fixture, launch).leftBehind?.unknown == 2)
      #expect(
        try await fixture.rows("select outcome, reason, count(*) from salvo.delivery group by 1, 2 order by 1") == [
          "5 duplicate 2", "6 in_doubt 2",
        ])
      #expect(try await fixture.rows("select skipped, unknown from salvo.send_window") == ["2 2"])
    }
  }

  @Test("a transfer that may have left is asked about before anything else, except for who isn't active any more")
  func settlesLater() async throws {
    try await StoreFixture.with { fixture in
      let (launch, old, window) = try await orphaned(fixture, channel: 3)
      try await fixture.script("update salvo.subscription set state = 'unsubscribed' where id = 2")
      let lease = try await takeOver(fixture, launch, channel: 3, settlesLater: true)
      #expect(lease.leftBehind == LeftBehind(owner: "runner-1", unknown: 1, awaited: 2))
      #expect(lease.cursor == key(3))
      let waiting = try #require(try await fixture.windows.accepted(launch: launch, channel: 3).first)
      #expect(waiting.id == window.id)
      let waitingKeys = try await fixture.windows.keys(of: waiting)
      #expect(waitingKeys == [key(1), key(3)])
      #expect(try await fixture.rows("select subscription_id, outcome from salvo.delivery") == ["2 6"])
      // The former holder can't close what is the settler's now.
      let result = WindowResult(rows: [], accepted: keys(1...3), cursor: key(3))
      #expect(try await fixture.windows.close(window, of: old, result: result) == .fenced)

      try await sendRest(fixture, lease, keys(4...6))
      #expect(try await fixture.launches.finish(launch) == .running)
      #expect(
        try await fixture.windows.settle(waiting, rows: waitingKeys.map { DeliveryRow(key: $0, outcome: .sent) }))
      #expect(try await fixture.launches.finish(launch) == .finished)
    }
  }

  @Test("resend: the unknown go again as the next attempt, as often as is allowed, and count once")
  func resend() async throws {
    try await StoreFixture.with { fixture in
      let (launch, _, _) = try await orphaned(fixture, options: #"{"unknown": "resend", "unknown_attempts": 2}"#)
      try await sendRest(fixture, try await takeOver(fixture, launch), keys(4...6))
      #expect(try await fixture.launches.finish(launch) == .running)
      // Asked twice, done once.
      #expect(try await fixture.launches.finish(launch) == .running)
      #expect(try await fixture.launches.hasChunks(launch))
      #expect(
        try await fixture.rows("select kind, attempt, planned, back_unknown from salvo.chunk where chunk_no > 0") == [
          "resend 2 3 3"
        ])
      var progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.sent, progress.unknown, progress.remaining] == [6, 3, 0, 3])

      let again = try await fixture.lease(launch)
      #expect(again.attempt == 2)
      #expect(try await fixture.chunks.read(again, columns: []).rows.map(\.key) == keys(1...3))
      let window = try await fixture.open(again, keys(1...3))
      var results = WindowResultBuilder()
      results.add(key(1), .sent)
      results.add(key(2), .sent)
      results.add(key(3), .unknown, reason: "no_answer")
      #expect(try await fixture.windows.close(window, of: again, result: results.make(cursor: key(3))) == .closed)
      try await fixture.chunks.complete(again)
      #expect(try await fixture.launches.finish(launch) == .finished)
      progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([progress.planned, progress.sent, progress.unknown, progress.remaining] == [6, 5, 1, 0])
      #expect(
        try await fixture.rows("select outcome, count(*) from salvo.final_outcome group by 1 order by 1") == [
          "1 5", "6 1",
        ])
    }
  }

  @Test("what waits in a chunk of its next attempt is not put into another, whoever asks at the same moment")
  func resendOnce() async throws {
    try await StoreFixture.with(connections: 6) { fixture in
      let (launch, _, _) = try await orphaned(fixture)
      try await sendRest(fixture, try await takeOver(fixture, launch), keys(4...6))
      #expect(try await fixture.launches.finish(launch) == .finished)
      let commands = LaunchCommands(fixture.database)
      let again = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<4 {
          group.addTask { try await commands.retry(launch: launch, outcomes: [.unknown], reason: nil, channel: nil) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(again.sorted() == [0, 0, 0, 3])
      #expect(try await commands.countRetry(launch: launch, outcomes: [.unknown], reason: nil, channel: nil) == 0)
      #expect(try await fixture.rows("select planned from salvo.chunk where kind = 'resend'") == ["3"])
    }
  }

  @Test("ask: a launch with unknown messages ends in needs_decision, one without them finishes")
  func ask() async throws {
    try await StoreFixture.with { fixture in
      let (launch, _, _) = try await orphaned(fixture, options: #"{"unknown": "ask"}"#)
      try await sendRest(fixture, try await takeOver(fixture, launch), keys(4...6))
      #expect(try await fixture.launches.finish(launch) == .needsDecision)
      #expect(try await fixture.rows("select state, finished_at is null from salvo.launch") == ["needs_decision t"])
    }
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1)
      let launch = try await fixture.launch(options: #"{"unknown": "ask"}"#)
      try await fixture.plan(launch, window: 2)
      try await sendRest(fixture, try await fixture.lease(launch), keys(1...2))
      #expect(try await fixture.launches.finish(launch) == .finished)
    }
  }
}
