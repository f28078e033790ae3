import Base
import Campaign
import Store
import Testing

/// What operators say, and that runners obey at their next window.
@Suite("Commands", .database)
struct StopCommandTests {
  @Test("pause holds the next window back and says what is in flight; resume lets it go on")
  func pause() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(4, window: 4)
      let commands = LaunchCommands(fixture.database)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...3))
      #expect(
        try await commands.say(.pause, launch: launch, channel: nil)
          == LaunchCommands.Done(from: "running", to: "paused", messagesInFlight: 3, windowsInFlight: 1))
      // What is in flight may end, nothing new begins.
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...3))) == .closed)
      guard case .halted(.launch(.paused)) = try await fixture.windows.open(lease, keys: keys(4...4)) else {
        Issue.record("opened")
        return
      }
      let twice = await #expect(throws: StoreError.self) {
        _ = try await commands.say(.pause, launch: launch, channel: nil)
      }
      #expect(twice?.code == .state)
      #expect(
        try await commands.say(.resume, launch: launch, channel: nil)
          == LaunchCommands.Done(from: "paused", to: "running", messagesInFlight: 0, windowsInFlight: 0))
      _ = try await fixture.open(lease, keys(4...4))
      #expect(
        try await fixture.rows("select command, from_state, to_state, note from salvo.control_log order by id") == [
          #"pause running paused "3 messages in flight""#, #"resume paused running "0 messages in flight""#,
        ])
    }
  }

  @Test("a cancelled lane stays so, the others go on, and the launch ends as cancelled with what remained")
  func cancelLane() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1)
      try await fixture.subscribe(3...4, channel: 2)
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 2)
      let done = try await LaunchCommands(fixture.database).say(.cancel, launch: launch, channel: 2)
      #expect(done.to == "cancelled")
      // `salvo run` lets stopped lanes go on, but not this one.
      try await fixture.launches.resumeLanes(launch)
      guard case .halted(.laneStopped("cancelled")) = try await fixture.chunks.claim(launch: launch, channel: 2) else {
        Issue.record("claimed")
        return
      }
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...2))
      #expect(try await fixture.launches.finish(launch) == .running)
      _ = try await fixture.windows.close(window, of: lease, result: .sent(keys(1...2)))
      try await fixture.chunks.complete(lease)
      #expect(try await fixture.launches.finish(launch) == .cancelled)
      #expect(try await fixture.launches.progress(of: launch).map(\.remaining) == [0, 2])
    }
  }

  @Test(
    "what can't be is refused and changes nothing",
    arguments: [
      (LaunchCommands.Word.resume, "running"), (.pause, "finished"), (.resume, "cancelled"), (.cancel, "finished"),
    ])
  func refused(word: LaunchCommands.Word, state: String) async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(2, window: 2)
      try await fixture.script("update salvo.launch set state = '\(state)'")
      let error = await #expect(throws: StoreError.self) {
        _ = try await LaunchCommands(fixture.database).say(word, launch: launch, channel: nil)
      }
      #expect(error?.code == .state)
      #expect(try await fixture.rows("select state from salvo.launch") == [state])
      #expect(try await fixture.rows("select count(*) from salvo.control_log") == ["0"])
    }
  }

  @Test("retry sends exactly the chosen again, reopens the launch, and the sums stay right")
  func retry() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(5, window: 5)
      let lease = try await fixture.lease(launch)
      let window = try await fixture.open(lease, keys(1...5))
      var results = WindowResultBuilder()
      results.add(key(1), .sent)
      results.add(key(2), .rejected, reason: "payload")
      results.add(key(3), .rejected, reason: "suspect")
      results.add(key(4), .expired, reason: "tries")
      results.add(key(5), .unknown, reason: "no_answer")
      _ = try await fixture.windows.close(window, of: lease, result: results.make(cursor: key(5)))
      try await fixture.chunks.complete(lease)
      #expect(try await fixture.launches.finish(launch) == .finished)

      let commands = LaunchCommands(fixture.database)
      #expect(
        try await commands.countRetry(launch: launch, outcomes: [.rejected], reason: nil, channel: nil) == 2)
      #expect(
        try await commands.retry(launch: launch, outcomes: [.rejected], reason: "suspect", channel: nil) == 1)
      #expect(try await commands.retry(launch: launch, outcomes: [.unknown, .expired], reason: nil, channel: 1) == 2)
      #expect(
        try await fixture.rows(
          """
          select attempt, planned, back_rejected, back_expired, back_unknown, encode(ids, 'hex') from salvo.chunk
          where kind = 'resend' order by back_rejected, back_expired, back_unknown
          """) == [
            "2 1 0 0 1 00000000000000050000000000000005", "2 1 0 1 0 00000000000000040000000000000004",
            "2 1 1 0 0 00000000000000030000000000000003",
          ])
      #expect(
        try await fixture.rows("select l.state, n.state from salvo.launch l, salvo.lane n") == ["running running"])
      let progress = try #require(try await fixture.launches.progress(of: launch).first)
      #expect(
        [progress.sent, progress.rejected, progress.expired, progress.unknown, progress.remaining] == [1, 1, 0, 0, 3])

      for _ in 1...3 {
        let again = try await fixture.lease(launch)
        let keys = try await fixture.chunks.read(again, columns: []).rows.map(\.key)
        let window = try await fixture.open(again, keys)
        _ = try await fixture.windows.close(window, of: again, result: .sent(keys))
        try await fixture.chunks.complete(again)
      }
      #expect(try await fixture.launches.finish(launch) == .finished)
      let end = try #require(try await fixture.launches.progress(of: launch).first)
      #expect([end.sent, end.rejected, end.expired, end.unknown, end.remaining] == [4, 1, 0, 0, 0])
      #expect(try await LaunchAudit(fixture.database).check(launch).allSatisfy { $0.violations == 0 })
    }
  }
}
