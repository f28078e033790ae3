import Store
import Testing

/// What the page of launches asks for.
@Suite("LaunchBoard", .database)
struct LaunchBoardTests {
  @Test("launches under way come first, then the newest of the others, no more than asked for, with the view's numbers")
  func order() async throws {
    try await StoreFixture.with { fixture in
      let planned = try await fixture.planned(4, window: 4)
      let lease = try await fixture.lease(planned)
      let window = try await fixture.open(lease, keys(1...3))
      #expect(try await fixture.windows.close(window, of: lease, result: .sent(keys(1...3))) == .closed)
      try await fixture.script(
        """
        insert into salvo.launch (id, campaign_id, state) values
          (101, 1, 'draft'), (102, 1, 'draft'), (103, 2, 'scheduled'), (104, 1, 'draft'), (105, 1, 'draft');
        update salvo.launch set state = 'cancelled' where id in (101, 104);
        """)
      let board = LaunchBoard(fixture.database)
      #expect(try await board.read(limit: 10).map(\.id) == [103, planned, 105, 104, 102, 101])
      #expect(try await board.read(limit: 3).map(\.id) == [103, planned, 105])
      #expect(try await board.read(limit: 1).map(\.campaignName) == ["Foreign"])
      let progress = try #require(try await board.read(limit: 2).last?.lanes.first?.progress)
      #expect(progress == (try await fixture.launches.progress(of: planned))[0])
      #expect(progress.sent == 3)
      #expect(progress.remaining == 1)
      try await board.ping()
    }
  }
}
