import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Absence")
struct AbsenceTests {
  @Test(
    "C11: no badge, 0 and 5",
    arguments: [
      (nil, #"{"aps":{"a":1,"z":2}}"#), (0, #"{"aps":{"a":1,"badge":0,"z":2}}"#),
      (5, #"{"aps":{"a":1,"badge":5,"z":2}}"#),
    ] as [(Int?, String)])
  func badge(badge: Int?, expected: String) throws {
    var bench = Bench(#"{"aps":{"a":1,"badge":{{.Badge}},"z":2}}"#)
    bench.content.badge = badge
    #expect(try bench.payload() == expected)
  }

  @Test(
    "a member goes wherever it stands, and the commas with it",
    arguments: [
      (#"{"x":{{.Badge}},"a":1,"b":2}"#, #"{"a":1,"b":2}"#),
      (#"{"a":1,"b":2,"x":{{.Badge}}}"#, #"{"a":1,"b":2}"#),
      (#"{"a":1,"x":{{.Badge}},"y":"{{.Badge}}","b":2}"#, #"{"a":1,"b":2}"#),
      (#"{"a":[{{.Badge}},1,{{.Badge}},2,"{{.Badge}}"]}"#, #"{"a":[1,2]}"#),
      (#"{"a":[{{.Badge}}]}"#, #"{"a":[]}"#),
      (#"{"a":1,"x":{"y":{{.Badge}}}}"#, #"{"a":1}"#),
      (#"{"a":1,"x":{"y":{"z":{{.Badge}},"w":"{{.Badge}}"}}}"#, #"{"a":1}"#),
      (#"{"a":1,"x":{"y":{"z":{{.Badge}}},"k":[]}}"#, #"{"a":1,"x":{"k":[]}}"#),
      (#"{"a":1,"x":{}}"#, #"{"a":1,"x":{}}"#),
      (#"{"a":[{"y":{{.Badge}}},{}]}"#, #"{"a":[{}]}"#),
      (#"{"a":1,"x":"{\"y\":{{.Badge}}}"}"#, #"{"a":1}"#),
      (#"{"a":1,"x":"{\"y\":{{.Badge}},\"z\":null}"}"#, #"{"a":1,"x":"{\"z\":null}"}"#),
      (#"{"x":{{.Badge}}}"#, #"{}"#),
      (#"{"x":null}"#, #"{"x":null}"#),
      (#"{"x":"n={{.Badge}}"}"#, #"{"x":"n="}"#),
      (#"{"x":{{json .Badge}},"y":{{default nil .Badge}}}"#, #"{}"#),
      (#"{"x":{{default 0 .Badge}}}"#, #"{"x":0}"#),
      (#"{"a":1,"x":{{if .Title}}{{.Badge}}{{else}}0{{end}}}"#, #"{"a":1}"#),
      (#"{"x":{{if .Title}}{"y":{{.Badge}}}{{else}}0{{end}},"a":1}"#, #"{"a":1}"#),
      (#"{"x":{ {{if .Body}}"y":1{{end}} }}"#, #"{"x":{}}"#),
      (#"{"x":"{{.Body}}"}"#, #"{"x":""}"#),
      (#"{"x":{{.collapse_id}},"y":"{{.thread_id}}","z":{{.Data}}}"#, #"{}"#),
    ])
  func removal(template: String, expected: String) throws {
    var bench = Bench(template)
    bench.content.title = "T"
    #expect(try bench.payload() == expected)
  }

  /// A title that only the message knows, and one that the launch knows, must come to the same.
  @Test(
    "members whose text came out empty go where the shape says so",
    arguments: [
      (#"{"a":{"t":"{{.Title}}","u":"{{.SubTitle}}","b":"{{.Body}}"}}"#, #"{"a":{"b":"B"}}"#),
      (#"{"a":{"b":"{{.Body}}","t":"{{.Title}}"}}"#, #"{"a":{"b":"B"}}"#),
      (#"{"z":1,"a":{"t":"{{.Title}}","u":"{{.Title}}{{.SubTitle}}"},"y":2}"#, #"{"z":1,"y":2}"#),
      (#"{"a":{"t":"{{.Title}}"}}"#, #"{}"#),
      (#"{"a":{"t":"{{.Title}}","n":10,"o":{},"e":[],"b":""}}"#, #"{"a":{"n":10,"o":{},"e":[]}}"#),
      (#"{"a":{"t":"{{.Title}}","k":{"t":"{{.Title}}"}}}"#, #"{"a":{"k":{"t":""}}}"#),
      (#"{"a":{"t":{{.Title}},"u":{{json .Title}},"s":" "}}"#, #"{"a":{"s":" "}}"#),
      (#"{"a":{"t":{{if .Title}}"x"{{else}}{{.Badge}}{{end}},"s":1}}"#, #"{"a":{"s":1}}"#),
      (#"{"a":{"t":{{if .Title}}{{.Badge}}{{else}}"x"{{end}},"s":1}}"#, #"{"a":{"t":"x","s":1}}"#),
      (#"{"a":{ {{if .Title}}"t":1,{{end}}"s":1}}"#, #"{"a":{"s":1}}"#),
      (#"{"a":{"s":1{{if .Title}},"t":1{{end}}},"b":"{{.Title}}"}"#, #"{"a":{"s":1},"b":""}"#),
    ], [nil, "{{.Vars.t}}"] as [String?])
  func dropEmpty(row: (template: String, expected: String), title: String?) throws {
    var bench = Bench(row.template)
    bench.dropEmpty = ["a.*"]
    bench.content.title = title
    bench.content.body = "B"
    bench.recipients = [.init(variables: #"{"t":""}"#)]
    #expect(try bench.payload() == row.expected)
  }

  @Test("they go inside JSON in a string too, and take the string along")
  func dropEmptyInside() throws {
    var bench = Bench(#"{"d":"{\"o\":{\"t\":\"{{.Title}}\"}}","e":"{\"t\":\"{{.Title}}\",\"u\":\"{{.Title}}!\"}"}"#)
    bench.dropEmpty = ["d{}.o.t", "e{}.*"]
    bench.content.title = "{{.Vars.t}}"
    bench.recipients = [.init(variables: #"{"t":""}"#), .init(variables: #"{"t":"\""}"#)]
    #expect(
      try bench.payloads() == [
        #"{"e":"{\"u\":\"!\"}"}"#,
        #"{"d":"{\"o\":{\"t\":\"\\\"\"}}","e":"{\"t\":\"\\\"\",\"u\":\"\\\"!\"}"}"#,
      ])
  }

  /// Milliseconds, APNs' header, FCM's ttl, Huawei's, AppMetrica's.
  static let timesToLive: [(Int64?, String?, String?, String?, String?)] = [
    (nil, nil, nil, nil, nil),
    (0, "0", "0s", "0s", "0"),
    (3_600_000, "1760003600", "3600s", "3600s", "3600"),
    (2_419_200_000, "1762419200", "2419200s", "2419200s", "2419200"),
    (3500, "1760000003", "3.5s", "3s", "3"),
    (1050, "1760000001", "1.05s", "1s", "1"),
  ]

  @Test("C12: a time to live is what its place means", arguments: timesToLive)
  func timeToLive(milliseconds: Int64?, apns: String?, fcm: String?, hms: String?, appMetrica: String?) throws {
    var bench = Bench(
      #"{"headers":{"apns-expiration":"{{.TTL}}"},"ttl":{{.TTL}},"q":{"ttl":"{{.TTL}}"},"time_to_live":{{.TTL}},"#
        + #""expiration":{{.TTL}},"seconds":{{.TTLSeconds}},"at":{{.ExpiresAt}},"e":{{.Expiration}}}"#)
    bench.content.ttlMilliseconds = milliseconds
    var json = try bench.json()
    #expect(json["headers/apns-expiration"]?.string == apns)
    #expect((json["headers"] == nil) == (apns == nil))
    #expect(json["ttl"]?.string == fcm)
    #expect(json["q/ttl"]?.string == fcm)
    #expect(json["time_to_live"] == appMetrica.map { .number($0) })
    #expect(json["expiration"] == appMetrica.map { .number($0) })
    #expect(json["seconds"] == appMetrica.map { .number($0) })
    #expect(json["e"] == appMetrica.map { .number($0) })
    #expect(json["at"] == apns.map { .number($0) })
    bench.provider = "android-hms"
    json = try bench.json()
    #expect(json["ttl"]?.string == hms)
  }

  @Test("the launch's time to live wins over the channel's, that over the account's")
  func timeToLiveOrder() throws {
    var bench = Bench(#"{"s":{{.TTLSeconds}}}"#)
    bench.account.ttlMilliseconds = 1000
    #expect(try bench.payload() == #"{"s":1}"#)
    bench.settings.ttlMilliseconds = 2000
    #expect(try bench.payload() == #"{"s":2}"#)
    bench.content.ttlMilliseconds = 0
    #expect(try bench.payload() == #"{"s":0}"#)
  }

  @Test("the moment of expiry is not after the launch's end; elsewhere a time to live is seconds")
  func notAfter() throws {
    var bench = Bench(#"{"apns-expiration":"{{.TTL}}","x":{{.TTL}},"y":"{{.TTL}} s"}"#)
    bench.content.ttlMilliseconds = 3_600_500
    bench.notAfter = EpochMilliseconds(Bench.start + 600_000)
    #expect(try bench.payload() == #"{"apns-expiration":"1760000600","x":3600.5,"y":"3600.5 s"}"#)
  }
}
