import Postgres
import Store
import Testing

@Suite("The audience's doors", .database)
struct SchemaDoorTests {
  private func refusal(_ fixture: StoreFixture, _ sql: String) async -> PostgresError? {
    await #expect(throws: PostgresError.self) { try await fixture.script(sql) }
  }

  @Test("adding twice adds once, and says how many were added")
  func repeatable() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...5, channel: 1)
      try await fixture.script("insert into salvo.launch (campaign_id) values (1)")
      #expect(try await fixture.rows("select salvo.add_recipients(1, '{1,2}', '{1,2}')") == ["2"])
      #expect(try await fixture.rows("select salvo.add_recipients(1, '{2,3}', '{2,3}')") == ["1"])
      #expect(try await fixture.rows("select salvo.audience_all(1)") == ["2"])
      #expect(try await fixture.rows("select salvo.audience_all(1)") == ["0"])
      #expect(try await fixture.rows("select salvo.add_recipients(1, null, null)") == ["0"])
      #expect(try await fixture.rows("select count(*) from salvo.recipient where launch_id = 1") == ["5"])
    }
  }

  @Test("a subscription that moved to another channel between two calls stays in one lane")
  func moved() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1);
        select salvo.audience_all(1);
        update salvo.subscription set channel_id = 2 where id = 1;
        """)
      #expect(try await fixture.rows("select salvo.audience_all(1)") == ["0"])
      #expect(try await fixture.rows("select channel_id from salvo.recipient") == ["1"])
    }
  }

  @Test("unknown subscriptions refuse the whole call, by number and example")
  func unknown() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...2, channel: 1)
      try await fixture.script("insert into salvo.launch (campaign_id) values (1)")
      let error = await refusal(fixture, "select salvo.add_recipients(1, '{1,2,9}', '{1,1,9}')")
      #expect(error?.sqlState == "23503")
      #expect(
        error?.message
          == "launch 1: 2 of the recipients don't exist or belong to others, such as subscription 1 of profile 2")
      #expect(try await fixture.rows("select count(*) from salvo.recipient") == ["0"])
    }
  }

  @Test("another account's subscriptions, channels and profiles are refused by every door")
  func foreign() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      try await fixture.subscribe(2...2, channel: 4)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1);
        insert into salvo.recipient_staging (launch_id, profile_id, subscription_id) values (1, 1, 1), (1, 2, 2);
        """)
      for door in [
        "select salvo.add_recipients(1, '{1,2}', '{1,2}')", "select salvo.take_staged(1)",
        "select salvo.audience_all(1, '{\"channels\": [1, 4]}')",
      ] {
        #expect(await refusal(fixture, door)?.sqlState == "42501", "\(door)")
      }
      // The channel is ours, the person is not.
      try await fixture.script("update salvo.subscription set channel_id = 1 where id = 2")
      #expect(await refusal(fixture, "select salvo.add_recipients(1, '{2}', '{2}')")?.sqlState == "42501")
      #expect(try await fixture.rows("select salvo.audience_all(1)") == ["1"])
      #expect(try await fixture.rows("select profile_id from salvo.recipient") == ["1"])
    }
  }

  @Test("what was staged for a launch is taken once, with its variables; others' rows stay")
  func staged() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...3, channel: 2)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1), (1);
        insert into salvo.recipient_staging
        values (1, 1, 1, '{"a": 1}'), (1, 2, 2, null), (1, 2, 2, null), (2, 3, 3, null);
        """)
      #expect(try await fixture.rows("select salvo.take_staged(1)") == ["2"])
      #expect(try await fixture.rows("select salvo.take_staged(1)") == ["0"])
      #expect(
        try await fixture.rows("select launch_id, subscription_id, variables->>'a' from salvo.recipient order by 2")
          == ["1 1 1", "1 2 "])
      #expect(try await fixture.rows("select launch_id from salvo.recipient_staging") == ["2"])
    }
  }

  @Test("the filter chooses by channel, locale and last sight; unknown keys and wrong types are refused by name")
  func filter() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      try await fixture.subscribe(5...6, channel: 2)
      try await fixture.script(
        """
        insert into salvo.launch (campaign_id) values (1), (1), (1), (1);
        update salvo.subscription set last_seen_at = '2026-02-01T00:00:00Z' where id in (2, 3);
        update salvo.subscription set state = 'unsubscribed' where id = 1;
        """)
      func added(_ launch: Int, _ filter: String) async throws -> [String] {
        try await fixture.script("select salvo.audience_all(\(launch), '\(filter)')")
        return try await fixture.rows(
          "select subscription_id from salvo.recipient where launch_id = \(launch) order by 1")
      }
      #expect(try await added(1, "{}") == ["2", "3", "4", "5", "6"])
      #expect(try await added(2, #"{"channels": [2]}"#) == ["5", "6"])
      #expect(try await added(3, #"{"channels": [1], "locales": ["en"]}"#) == ["2", "4"])
      #expect(try await added(4, #"{"last_seen_after": "2026-01-31T00:00:00Z"}"#) == ["2", "3"])
      let misspelt = await refusal(fixture, #"select salvo.audience_all(1, '{"chanels": [1]}')"#)
      #expect(misspelt?.message == #"the filter has an unknown key "chanels""#)
      #expect(await refusal(fixture, #"select salvo.audience_all(1, '{"locales": "en"}')"#)?.sqlState == "22023")
      #expect(await refusal(fixture, "select salvo.audience_all(1, '[]')")?.sqlState == "22023")
    }
  }

  @Test("a disabled channel's people are not everybody")
  func disabled() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      try await fixture.subscribe(2...2, channel: 2)
      try await fixture.script(
        "update salvo.channel set enabled = false where id = 2; insert into salvo.launch (campaign_id) values (1)")
      #expect(try await fixture.rows("select salvo.audience_all(1)") == ["1"])
    }
  }

  @Test("arrays of different lengths are refused, and so is a launch that isn't there")
  func lengths() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.script("insert into salvo.launch (campaign_id) values (1)")
      #expect(await refusal(fixture, "select salvo.add_recipients(1, '{1}', '{}')")?.sqlState == "22023")
      #expect(
        await refusal(fixture, "select salvo.add_recipients(1, '{}', '{}', array['{}']::jsonb[])")?.sqlState == "22023")
      let missing = await refusal(fixture, "select salvo.audience_all(77)")
      #expect(missing?.sqlState == "P0002")
      #expect(missing?.message == "there is no launch 77")
    }
  }

  @Test("once it is planned every door refuses")
  func frozen() async throws {
    try await StoreFixture.with { fixture in
      let launch = try await fixture.planned(3, window: 10)
      for door in [
        "select salvo.add_recipients(\(launch), '{1}', '{1}')", "select salvo.take_staged(\(launch))",
        "select salvo.audience_all(\(launch))", "select salvo.schedule_launch(\(launch))",
      ] {
        let error = await refusal(fixture, door)
        #expect(error?.sqlState == "55000", "\(door)")
        #expect(error?.message == "launch \(launch) is running already: its audience can't change")
      }
    }
  }

  @Test("planning waits for whoever is still adding, and plans what they added")
  func waits() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...4, channel: 1)
      try await fixture.script(
        "insert into salvo.launch (campaign_id) values (1); select salvo.add_recipients(1, '{1}', '{1}')")
      let adding = try Connection(conninfo: fixture.test.conninfo, applicationName: "platform")
      try adding.execute("begin")
      try adding.execute("set local idle_in_transaction_session_timeout = 0")
      try adding.execute("select salvo.add_recipients(1, '{2,3}', '{2,3}')")
      async let plan: Void = fixture.plan(1, window: 10)
      // Until the planner stands before the row that the door holds.
      var isWaiting = false
      while !isWaiting {
        isWaiting =
          try await fixture.rows(
            """
            select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database())
            """
          ) == ["t"]
      }
      try adding.execute("commit")
      try await plan
      #expect(try await fixture.launches.progress(of: 1).map(\.planned) == [3])
    }
  }

  @Test("a launch begins as draft or scheduled; what it says is fixed once it is planned")
  func fixed() async throws {
    try await StoreFixture.with { fixture in
      #expect(
        await refusal(fixture, "insert into salvo.launch (campaign_id, state) values (1, 'running')")?.sqlState
          == "23514")
      let launch = try await fixture.planned(1, window: 10)
      for change in [
        "content = '{\"title\": \"x\"}'", "options = '{\"attempts\": 1}'", "campaign_id = 2", "started_at = now()",
      ] {
        let error = await refusal(fixture, "update salvo.launch set \(change) where id = \(launch)")
        #expect(error?.sqlState == "55000", "\(change)")
      }
    }
  }

  @Test("a launch makes the partitions it needs and the next ones, whatever its id")
  func partitions() async throws {
    try await StoreFixture.with { fixture in
      try await fixture.subscribe(1...1, channel: 1)
      try await fixture.script(
        "insert into salvo.launch (id, campaign_id) values (999, 1), (1000, 1), (7000000000999, 1)")
      for id in ["999", "1000", "7000000000999"] {
        #expect(try await fixture.rows("select salvo.audience_all(\(id))") == ["1"])
      }
      let names = try await fixture.rows(
        """
        select inhrelid::regclass::text from pg_inherits where inhparent = 'salvo.delivery'::regclass
        order by length(inhrelid::regclass::text), 1
        """)
      #expect(
        names == [
          "salvo.delivery_p0", "salvo.delivery_p1", "salvo.delivery_p2", "salvo.delivery_p7000000000",
          "salvo.delivery_p7000000001",
        ])
    }
  }
}
