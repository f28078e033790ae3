import Base
import Campaign
import Store
import Testing

@Suite("Reading a chunk", .database)
struct RecipientReaderTests {
  private func text(_ range: ByteRange?, _ page: RecipientPage) -> String? {
    range.map { String(decoding: page.bytes[$0.range], as: UTF8.self) }
  }

  @Test("rows come ascending, each with its state, token and time of registration")
  func states() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...6, channel: 1)
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 10)
      try await fixture.script(
        """
        update salvo.subscription set state = 'retired' where id = 2;
        update salvo.subscription set state = 'unsubscribed' where id = 3;
        delete from salvo.subscription where id = 4;
        update salvo.subscription set channel_id = 2 where id = 5;
        """)
      let page = try await fixture.chunks.read(try await fixture.lease(launch), columns: [])
      #expect(page.rows.map(\.key) == keys(1...6))
      #expect(page.rows.map(\.state) == [.active, .retired, .unsubscribed, .gone, .gone, .active])
      #expect(
        page.rows.map { text($0.token, page) } == ["token-1", "token-2", "token-3", "", "", "token-6"])
      #expect(page.rows[0].registeredAt == EpochMilliseconds(1_767_323_045_678))
      #expect(page.rows.allSatisfy { $0.externalID == nil && $0.attributes == nil && $0.variables == nil })
    }
  }

  @Test("personal columns are read when they are asked for, nulls stay apart from empty texts")
  func columns() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 1)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1);
        select salvo.add_recipients(1, '{1,2,3}', '{1,2,3}', array['{"code": "Ж\\"1"}', null, '{}']::jsonb[]);
        update salvo.profile set locale = null, time_zone = '', external_id = null where id = 2;
        """)
      try await fixture.plan(1, window: 10)
      let lease = try await fixture.lease(1)
      let page = try await fixture.chunks.read(lease, columns: [.profile, .variables])
      #expect(page.rows.map { text($0.externalID, page) } == ["customer-1", nil, "customer-3"])
      #expect(page.rows.map { text($0.locale, page) } == ["ru", nil, "ru"])
      #expect(page.rows.map { text($0.timeZone, page) } == ["Europe/Moscow", "", "Europe/Moscow"])
      #expect(page.rows.map { text($0.attributes, page) } == [#"{"n": 1}"#, #"{"n": 2}"#, #"{"n": 3}"#])
      #expect(page.rows.map { text($0.variables, page) } == [#"{"code": "Ж\"1"}"#, nil, "{}"])
      let variables = try await fixture.chunks.read(lease, columns: .variables)
      #expect(text(variables.rows[0].variables, variables) == #"{"code": "Ж\"1"}"#)
      #expect(variables.rows[0].attributes == nil)
    }
  }

  @Test("several devices of one person are apart, and bounds inside a person hold")
  func devices() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script(
        """
        insert into salvo.profile (id, account_id) values (1, 1), (2, 1);
        insert into salvo.subscription (profile_id, id, channel_id, token)
          select p, s, 1, p || '-' || s from generate_series(1, 2) p, generate_series(1, 3) s;
        """)
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 2)
      var read: [[RecipientKey]] = []
      for _ in 0..<3 {
        read.append(try await fixture.chunks.read(try await fixture.lease(launch), columns: .profile).rows.map(\.key))
      }
      func key(_ profile: Int64, _ subscription: Int64) -> RecipientKey {
        RecipientKey(profileID: profile, subscriptionID: subscription)
      }
      #expect(
        read.sorted { $0[0] < $1[0] } == [
          [key(1, 1), key(1, 2)], [key(1, 3), key(2, 1)], [key(2, 2), key(2, 3)],
        ])
    }
  }

  @Test("the longest tokens come whole")
  func longTokens() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1, token: "repeat('Ab1', 1500 * n)")
      let launch = try await fixture.launch()
      try await fixture.plan(launch, window: 10)
      let page = try await fixture.chunks.read(try await fixture.lease(launch), columns: [])
      #expect(page.rows.map(\.token.count) == [4_500, 9_000])
      #expect(text(page.rows[1].token, page) == String(repeating: "Ab1", count: 3_000))
    }
  }
}
