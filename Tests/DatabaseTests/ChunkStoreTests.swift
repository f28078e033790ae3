import Base
import Campaign
import Postgres
import Store
import Testing

@Suite("ChunkStore", .database)
struct ChunkStoreTests {
  @Test("a lease carries the chunk's bounds and a token, for a minute")
  func lease() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 10)
      let lease = try await fixture.lease(launch)
      #expect(lease.launchID == launch)
      #expect(lease.channelID == 1)
      #expect(lease.chunkNo == 0)
      #expect(lease.kind == .first)
      #expect(lease.attempt == 1)
      #expect(lease.token == 1)
      #expect(lease.cursor == RecipientKey(profileID: 0, subscriptionID: 0))
      #expect(lease.upper == key(3))
      #expect(lease.planned == 3)
      #expect(lease.skip == [])
      #expect(lease.ids == nil)
      #expect(
        try await fixture.rows(
          """
          select state, owner, lease_until > now() + interval '50 s', lease_until <= now() + interval '60 s'
          from salvo.chunk
          """
        ) == ["1 runner-1 t t"])
    }
  }

  @Test("two runners never share a chunk, however many claim at once")
  func claims() async throws {
    try await StoreFixture.with(connections: 8) { fixture in
      let launch = try await fixture.planned(120, window: 5)
      let leased = try await withThrowingTaskGroup(of: [Int32].self) { group in
        for runner in 0..<8 {
          group.addTask {
            let chunks = ChunkStore(fixture.database, owner: "runner-\(runner)")
            var mine: [Int32] = []
            while case .leased(let lease) = try await chunks.claim(launch: launch, channel: 1) {
              mine.append(lease.chunkNo)
            }
            return mine
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(leased.sorted() == Array(0..<24))
    }
  }

  @Test("nothing is free while others hold the rest; done when all are done")
  func nothing() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      let lease = try await fixture.lease(launch)
      guard case .nothing(nextDue: nil) = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("somebody holds it")
        return
      }
      let window = try await fixture.open(lease, keys(1...2))
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      try await fixture.chunks.complete(lease)
      guard case .done = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("all are done")
        return
      }
      let missing = await #expect(throws: StoreError.self) {
        _ = try await fixture.chunks.claim(launch: launch, channel: 2)
      }
      #expect(missing?.code == .notFound)
    }
  }

  @Test("an expired lease is taken over with a higher token, and its old holder is fenced everywhere")
  func fenced() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let old = try await fixture.lease(launch)
      try await fixture.script("update salvo.chunk set lease_until = now() - interval '1 s'")
      let new = try await fixture.lease(launch)
      #expect(new.token == old.token + 1)

      guard case .fenced = try await fixture.windows.open(old, keys: keys(1...2)) else {
        Issue.record("the old holder opened a window")
        return
      }
      try await fixture.chunks.release(old)
      try await fixture.chunks.complete(old)
      #expect(try await fixture.rows("select state, token, next_window from salvo.chunk") == ["1 \(new.token) 0"])
      #expect(try await fixture.rows("select count(*) from salvo.send_window") == ["0"])
    }
  }

  @Test("a chunk that isn't due says when it is")
  func due() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 2)
      try await fixture.script(
        "update salvo.chunk set not_before = ('2200-01-01T00:00:0' || chunk_no || 'Z')::timestamptz")
      guard case .nothing(let due) = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("claimed before its time")
        return
      }
      #expect(due == EpochMilliseconds(7_258_118_400_000))
      try await fixture.script("update salvo.chunk set not_before = now() where chunk_no = 1")
      #expect(try await fixture.lease(launch).chunkNo == 1)
    }
  }

  @Test(
    "a launch or lane that doesn't run gives no chunks and says why",
    arguments: [
      ("update salvo.launch set state = 'paused'", HaltReason.launch(.paused)),
      ("update salvo.launch set state = 'cancelled'", .launch(.cancelled)),
      ("update salvo.lane set state = 'paused'", .lanePaused),
      ("update salvo.lane set state = 'stopped', stop_reason = 'quota'", .laneStopped("quota")),
    ])
  func halted(command: String, expected: HaltReason) async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      try await fixture.script(command)
      guard case .halted(let reason) = try await fixture.chunks.claim(launch: launch, channel: 1) else {
        Issue.record("claimed")
        return
      }
      #expect(reason == expected)
    }
  }

  @Test("a chunk is complete at its end alone")
  func complete() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      let early = await #expect(throws: StoreError.self) { try await fixture.chunks.complete(lease) }
      #expect(early?.code == .refused)
      try await fixture.chunks.release(lease)
      let next = try await fixture.lease(launch)
      #expect(next.cursor == key(2))
      #expect(try await fixture.chunks.read(next, columns: []).rows.map(\.key) == keys(3...4))
      let last = try await fixture.open(next, keys(3...4))
      #expect(last.windowNo == 1)
      _ = try await fixture.windows.close(last, of: next, result: .sent(keys(3...4)))
      try await fixture.chunks.complete(next)
      #expect(try await fixture.rows("select state, owner from salvo.chunk") == ["2 "])
    }
  }
}
