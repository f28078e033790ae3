import Base
import Campaign
import Testing

@Suite("Options of a launch")
struct LaunchOptionsTests {
  private func options(_ text: String) throws -> LaunchOptions { try LaunchOptions(json: JSONScanner.parse(text)) }

  @Test("the defaults of the design")
  func defaults() throws {
    let options = try options(#"{"rate":null,"targets":null}"#)
    #expect(options == LaunchOptions())
    #expect(options.tracking == .message)
    #expect(options.unknown == .hold)
    #expect(options.unknownAttempts == 2)
    #expect(options.fcm5xx == .retry)
    #expect(options.requestBudget == 2)
    #expect(options.attempts == 3)
    #expect(options.rate == nil)
    #expect(options.catchUpMinutes == 60)
    #expect(options.localTime == nil)
    #expect(options.quietHours == nil)
    #expect(options.missing == .reject)
    #expect(!options.writesInbox && !options.mostRecentOnly)
    #expect(options.tag == nil)
    #expect(options.targets.isEmpty)
    #expect(options.maxRecipients == nil)
    #expect(options.analyticsLabel == nil)
  }

  @Test("every key lands in its field")
  func everything() throws {
    let options = try options(
      #"""
      {"tracking":"group","unknown":"resend","unknown_attempts":5,"fcm_5xx":"unknown","request_budget":3,"attempts":7,
       "rate":2500.5,"catch_up_minutes":0,"local_time":"09:05","quiet_hours":{"from":"22:00","to":"08:30"},
       "missing":"blank","inbox":true,"tag":"spring sale","most_recent_only":true,"max_recipients":9223372036854775807,
       "targets":[{"channel_id":7,"topic":"/topics/news"},{"channel_id":8,"condition":"'a' in topics && 'b' in topics"}],
       "analytics_label":"spring-2026"}
      """#)
    #expect(options.tracking == .group)
    #expect(options.unknown == .resend)
    #expect(options.unknownAttempts == 5)
    #expect(options.fcm5xx == .unknown)
    #expect(options.requestBudget == 3)
    #expect(options.attempts == 7)
    #expect(options.rate == 2500.5)
    #expect(options.catchUpMinutes == 0)
    #expect(options.localTime?.minutesAfterMidnight == 545)
    #expect(options.localTime?.description == "09:05")
    #expect(options.quietHours?.from.minutesAfterMidnight == 1320)
    #expect(options.quietHours?.to.minutesAfterMidnight == 510)
    #expect(options.quietHours?.zone == .recipient)
    #expect(options.missing == .blank)
    #expect(options.writesInbox && options.mostRecentOnly)
    #expect(options.tag == "spring sale")
    #expect(options.maxRecipients == .max)
    #expect(options.targets.map(\.channelID) == [7, 8])
    #expect(options.targets.map(\.audience) == [.topic("news"), .condition("'a' in topics && 'b' in topics")])
    #expect(options.analyticsLabel == "spring-2026")
    #expect(
      try self.options(#"{"quiet_hours":{"from":"00:00","to":"23:59","zone":"Asia/Tokyo"}}"#).quietHours?.zone
        == .named("Asia/Tokyo"))
  }

  @Test(
    "C17: names of topics",
    arguments: [
      ("news", true), ("/topics/news", true), ("a-b_c.d~e%20", true), ("topics/news", false), ("новости", false),
      ("news sale", false), ("news:2026", false), ("", false), ("/topics/", false),
      (String(repeating: "a", count: 900), true), (String(repeating: "a", count: 901), false),
    ])
  func topics(name: String, isTaken: Bool) throws {
    let refusal = try refusal(#"{"targets":[{"channel_id":1,"topic":"\#(name)"}]}"#, LaunchOptions.init(json:))
    #expect((refusal == nil) == isTaken)
    if let refusal {
      #expect(refusal.hasPrefix("options.targets[0].topic: 1 to 900 of the characters a-z A-Z 0-9 - _ . ~ %, not "))
    }
  }

  @Test(
    "what is wrong is named, with what is allowed",
    arguments: [
      ("null", "options: an object, not null"),
      (#"{"unkown":"hold"}"#, "options.unkown: no such key; did you mean unknown?"),
      (#"{"tracking":"all"}"#, #"options.tracking: message or group, not the text "all""#),
      (#"{"unknown":"retry"}"#, #"options.unknown: hold or resend or ask, not the text "retry""#),
      (#"{"fcm_5xx":true}"#, "options.fcm_5xx: retry or unknown, not true"),
      (#"{"request_budget":0}"#, "options.request_budget: 1 to 10, not 0"),
      (#"{"attempts":"3"}"#, #"options.attempts: a whole number, 1 to 100, not the text "3""#),
      (#"{"rate":-1}"#, "options.rate: 0.001 to 1000000 a second, not -1"),
      (#"{"catch_up_minutes":-5}"#, "options.catch_up_minutes: 0 to 525600, not -5"),
      (#"{"local_time":"9:00"}"#, #"options.local_time: HH:MM, 00:00 to 23:59, not the text "9:00""#),
      (#"{"local_time":"24:00"}"#, #"options.local_time: HH:MM, 00:00 to 23:59, not the text "24:00""#),
      (#"{"local_time":"12:60"}"#, #"options.local_time: HH:MM, 00:00 to 23:59, not the text "12:60""#),
      (#"{"quiet_hours":"night"}"#, #"options.quiet_hours: an object, not the text "night""#),
      (#"{"quiet_hours":{"from":"22:00"}}"#, "options.quiet_hours.to: is missing"),
      (#"{"quiet_hours":{"from":"08:00","to":"08:00"}}"#, "options.quiet_hours: from and to are the same time"),
      (#"{"tag":""}"#, #"options.tag: 1 to 255 bytes of text, not the text """#),
      (#"{"max_recipients":0}"#, "options.max_recipients: 1 or more, not 0"),
      (#"{"targets":[{"topic":"a"}]}"#, "options.targets[0].channel_id: is missing"),
      (#"{"targets":[{"channel_id":1}]}"#, "options.targets[0]: either topic or condition is expected"),
      (
        #"{"targets":[{"channel_id":1,"topic":"a","condition":"b"}]}"#,
        "options.targets[0]: either topic or condition is expected"
      ),
      (
        #"{"analytics_label":"a b"}"#,
        #"options.analytics_label: 1 to 50 of the characters a-z A-Z 0-9 - _ . ~ %, not the text "a b""#
      ),
    ])
  func refused(text: String, message: String) throws {
    #expect(try refusal(text, LaunchOptions.init(json:)) == message)
  }
}
