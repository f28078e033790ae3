import Foundation
import Testing

extension Runs {
  /// What a content and its options come to when they are run: editions, the notification centre, topics.
  @Suite struct ContentRunTests {
    @Test(
      "languages and variants reach their people, results name the variant, and the notification centre has the words")
    func editions() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(
        stack, [.firebase(60), .hms(60)],
        content: #"""
          {"title":"T","body":"{{date \"d MMMM\" \"2026-12-24T23:30:00Z\"}}",
           "locales":{"ru":{"title":"Р"}},"variants":[{"name":"a"},{"name":"b","body":"B"}]}
          """#, options: #"{"inbox":true}"#)
      try await stack.sql(
        """
        update salvo.profile set locale = case when id % 2 = 0 then 'ru-RU' end, time_zone = 'Europe/Moscow'
        where account_id = \(launch.account)
        """)
      try await launch.run()
      #expect(try await launch.count("count(*)", from: "delivery", where: "outcome = 1") == 120)
      #expect(try await launch.count("count(*)", from: "delivery", where: "variant not in ('a', 'b')") == 0)
      // Both devices of a person had the same variant, and both variants had somebody.
      #expect(
        try await stack.number(
          """
          select count(*) from (select from salvo.delivery where launch_id = \(launch.id) group by profile_id
            having count(distinct variant) <> 1) two
          """) == 0)
      #expect(try await launch.count("count(distinct variant)", from: "delivery") == 2)
      // One row a person, in the person's language and variant; Moscow's clock is past midnight by then.
      #expect(
        try await stack.number(
          """
          select count(*) from salvo.inbox i join salvo.profile p on p.id = i.profile_id
          join salvo.delivery d on d.launch_id = i.launch_id and d.profile_id = i.profile_id
          where i.launch_id = \(launch.id)
            and i.content ->> 'title' = case when p.locale is null then 'T' else 'Р' end
            and i.content ->> 'body' = case when d.variant = 'b' then 'B'
              when p.locale is null then '25 December' else '25 декабря' end
          """) == 120)
      #expect(try await launch.count("count(*)", from: "inbox") == 60)
    }

    @Test("a launch to topics sends one message each and balances")
    func topics() async throws {
      let stack = try await Stack.shared()
      let other = try await TestLaunch.make(stack, [.firebase(1)])
      let channel = other.channels[0]
      try await stack.sql("update salvo.channel set payload_profile = 'fcm' where id = \(channel)")
      let campaign = try await stack.number("select campaign_id from salvo.launch where id = \(other.id)")
      let id = try await stack.createLaunch(
        campaign: campaign, content: #"{"title":"Sparky says hello!"}"#,
        options: #"""
          {"targets":[{"channel_id":\#(channel),"topic":"/topics/industry-tech"},
            {"channel_id":\#(channel),"condition":"'a' in topics && !('b' in topics)"}]}
          """#)
      let ended = try await stack.salvo("run", "\(id)")
      #expect(ended.out.contains("planned 2 sent 2 "))
      #expect(
        try await stack.sql(
          "select profile_id, subscription_id, outcome from salvo.message_log where launch_id = \(id) order by 2")
          == ["0|1|sent", "0|2|sent"])
      _ = try await stack.salvo("verify", "\(id)")
    }
  }
}
