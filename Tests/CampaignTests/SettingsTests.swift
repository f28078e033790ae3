import Base
import Campaign
import Testing

@Suite("Settings of accounts and channels")
struct SettingsTests {
  private func channel(_ text: String) throws -> ChannelSettings { try ChannelSettings(json: JSONScanner.parse(text)) }
  private func account(_ text: String) throws -> AccountSettings { try AccountSettings(json: JSONScanner.parse(text)) }

  @Test("an account's settings and their defaults")
  func accounts() throws {
    #expect(try account("{}") == AccountSettings())
    #expect(try account("{}").timeZone == "UTC")
    let full = try account(
      #"""
      {"ttl":86400,"time_zone":"America/Argentina/Buenos_Aires","hub_url":"https://hub.example:8443/p",
       "link_keys":["file:hub-2.key","env:HUB_1"]}
      """#)
    #expect(full.ttlMilliseconds == 86_400_000)
    #expect(full.timeZone == "America/Argentina/Buenos_Aires")
    #expect(full.hubURL == "https://hub.example:8443/p")
    #expect(full.linkKeys == [.file("hub-2.key"), .environment("HUB_1")])
  }

  @Test("every key of a channel lands in its field, and is remembered as given")
  func everything() throws {
    let text = #"""
      {"endpoint":"https://127.0.0.1:8443","token_endpoint":"https://login.example/oauth2/v3/token",
       "ca_file":"/etc/ca.pem","proxy":"http://user:pw@proxy:3128","project_id":"example.com:my-app_1","api":"v2",
       "topic":"com.example.App","environment":"sandbox","team_id":"TEAM123456","key_id":"KEY1234567","auth":"token",
       "group_id":42,"id_type":"google_aid","open_action":"api","data_form":"object","target_user_type":2,
       "priority_field":true,"content_available":1,"connections":4,"streams":100,"rate":0.5,"requests_per_day":5000,
       "ramp":60,"timeout":20,"retry_5xx_after":900,"breaker":{"sample":100,"share":0.25,"min":5},
       "hub_url":"https://hub.example","ttl":3.5}
      """#
    let settings = try channel(text)
    #expect(settings.endpoint == "https://127.0.0.1:8443")
    #expect(settings.tokenEndpoint == "https://login.example/oauth2/v3/token")
    #expect(settings.caFile == "/etc/ca.pem")
    #expect(settings.proxy == "http://user:pw@proxy:3128")
    #expect(settings.projectID == "example.com:my-app_1")
    #expect(settings.api == "v2")
    #expect(settings.topic == "com.example.App")
    #expect(settings.environment == "sandbox")
    #expect(settings.teamID == "TEAM123456")
    #expect(settings.keyID == "KEY1234567")
    #expect(settings.auth == "token")
    #expect(settings.groupID == 42)
    #expect(settings.idType == "google_aid")
    #expect(settings.openAction == "api")
    #expect(settings.dataForm == "object")
    #expect(settings.targetUserType == 2)
    #expect(settings.priorityField == true)
    #expect(settings.contentAvailable == 1)
    #expect(settings.connections == 4)
    #expect(settings.streams == 100)
    #expect(settings.rate == 0.5)
    #expect(settings.requestsPerDay == 5000)
    #expect(settings.rampSeconds == 60)
    #expect(settings.timeoutSeconds == 20)
    #expect(settings.retry5xxAfterSeconds == 900)
    #expect(settings.breaker == BreakerSettings(sample: 100, share: 0.25, minimum: 5))
    #expect(settings.hubURL == "https://hub.example")
    #expect(settings.ttlMilliseconds == 3500)
    #expect(settings.givenKeys == ChannelSettings.keys)
  }

  @Test("null is absent; a breaker keeps the defaults that it does not name")
  func absent() throws {
    #expect(try channel(#"{"rate":null,"endpoint":null}"#) == ChannelSettings())
    #expect(try channel(#"{"breaker":{"min":1}}"#).breaker == BreakerSettings(sample: 200, share: 0.5, minimum: 1))
  }

  @Test(
    "endpoints are https, host and port alone",
    arguments: [
      "http://push.example", "https://", "https://push.example/", "https://push.example/v1", "https://push.example?x",
      "https://push.example#x", "https://user@push.example", "https://push.example:", "https://push.example:0",
      "https://push.example:65536", "https://push.example:+1", "https://push example", "https://push.example\\n",
      "https://[::1", "https://[zz::1]", "push.example", "HTTPS://push.example", "https://пуш.example",
    ])
  func endpoints(url: String) throws {
    let message = try refusal(#"{"endpoint":"\#(url)"}"#, ChannelSettings.init(json:))
    #expect(message?.hasPrefix("settings.endpoint: https://host or https://host:port, without a path, not ") == true)
  }

  @Test("addresses that are taken", arguments: ["https://push.example", "https://a-b.c:1", "https://[::1]:65535"])
  func goodEndpoints(url: String) throws {
    #expect(try channel(#"{"endpoint":"\#(url)"}"#).endpoint == url)
  }

  @Test(
    "what is wrong is named, with what is allowed",
    arguments: [
      (#"{"topics":"x"}"#, "settings.topics: no such key; did you mean topic?"),
      (#"{"time_out":5}"#, "settings.time_out: no such key; did you mean timeout?"),
      (
        #"{"token_endpoint":"https://a/b?c"}"#,
        #"settings.token_endpoint: an https URL without a query, not the text "https://a/b?c""#
      ),
      (
        #"{"proxy":"ftp://user:pw@x"}"#,
        "settings.proxy: a URL that begins http://, https://, socks5:// or socks5h:// is expected"
      ),
      (#"{"api":"v3"}"#, #"settings.api: v1 or v2, not the text "v3""#),
      (#"{"environment":"prod"}"#, #"settings.environment: production or sandbox, not the text "prod""#),
      (#"{"team_id":"a b"}"#, #"settings.team_id: 1 to 255 letters, digits, not the text "a b""#),
      (
        #"{"topic":"com.example/../x"}"#,
        #"settings.topic: 1 to 255 letters, digits and .-, not the text "com.example/../x""#
      ),
      (#"{"project_id":""}"#, #"settings.project_id: 1 to 255 letters, digits and :.-_, not the text """#),
      (#"{"group_id":0}"#, "settings.group_id: 1 or more, not 0"),
      (#"{"group_id":"42"}"#, #"settings.group_id: a whole number, 1 or more, not the text "42""#),
      (#"{"target_user_type":3}"#, "settings.target_user_type: 1 to 2, not 3"),
      (#"{"connections":0}"#, "settings.connections: 1 to 100, not 0"),
      (#"{"streams":1.5}"#, "settings.streams: a whole number, 1 to 1000, not 1.5"),
      (#"{"rate":0}"#, "settings.rate: 0.001 to 1000000 a second, not 0"),
      (#"{"timeout":0}"#, "settings.timeout: 0.1 to 40 seconds, not 0"),
      (#"{"timeout":40.1}"#, "settings.timeout: 0.1 to 40 seconds, not 40.1"),
      (#"{"timeout":1e999}"#, "settings.timeout: 0.1 to 40 seconds, not 1e999"),
      (#"{"breaker":{"share":1.5}}"#, "settings.breaker.share: 0 to 1, not 1.5"),
      (#"{"breaker":{"minimum":1}}"#, "settings.breaker.minimum: no such key"),
      (
        #"{"hub_url":"http://hub"}"#,
        #"settings.hub_url: an https URL without a query, as https://hub.example/p, not the text "http://hub""#
      ),
      (#"{"ttl":-1}"#, "settings.ttl: 0 to 2419200 seconds, not -1"),
    ])
  func refused(text: String, message: String) throws {
    #expect(try refusal(text, ChannelSettings.init(json:)) == message)
  }

  @Test(
    "an account's mistakes",
    arguments: [
      (#"{"timezone":"UTC"}"#, "settings.timezone: no such key; did you mean time_zone?"),
      (
        #"{"time_zone":"Europe/Berlin; --"}"#,
        #"settings.time_zone: an IANA name, as Europe/Berlin, not the text "Europe/Berlin; --""#
      ),
      (#"{"link_keys":"file:a"}"#, #"settings.link_keys: an array, not the text "file:a""#),
      (#"{"link_keys":["file:a","0123abcd"]}"#, "settings.link_keys[1]: file:NAME or env:NAME is expected"),
      (#"{"link_keys":["file:../a"]}"#, "settings.link_keys[0]: file:NAME or env:NAME is expected"),
    ])
  func refusedAccounts(text: String, message: String) throws {
    #expect(try refusal(text, AccountSettings.init(json:)) == message)
  }

  @Test("references to secrets: two forms, no path")
  func references() {
    #expect(CredentialReference("file:fcm.json") == .file("fcm.json"))
    #expect(CredentialReference("env:APNS_KEY") == .environment("APNS_KEY"))
    #expect(CredentialReference("file:fcm.json")?.description == "file:fcm.json")
    #expect(CredentialReference("env:APNS_KEY")?.description == "env:APNS_KEY")
    for text in ["", "file:", "env:", "file:a/b", "file:..", "file:.", "file:a\u{0}", "env:A=B", "FILE:a", "secret"] {
      #expect(CredentialReference(text) == nil)
    }
  }
}
