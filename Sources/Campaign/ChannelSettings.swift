public import Base

/// `channel.settings`, every key typed; nil = the provider's default. Unknown keys were refused by
/// name when it was read.
public struct ChannelSettings: Sendable, Equatable {
  /// `https://host[:port]`, no path.
  public var endpoint: String?
  /// `token_endpoint`: https URL where HMS credentials are exchanged for access.
  public var tokenEndpoint: String?
  /// `ca_file`: path of a PEM file of authorities that replaces the system's for this channel.
  public var caFile: String?
  /// `proxy`: `http://`, `https://`, `socks5://` or `socks5h://`, maybe with a password; nil = none.
  public var proxy: String?
  /// `project_id`: a segment of the path at Firebase, RuStore and HMS v2; nil = the credential's, RuStore needs it.
  public var projectID: String?
  /// `api`: `v1` (path by client id) or `v2` (by project id) of HMS; nil = `v1`.
  public var api: String?
  /// `topic`: the iOS app's bundle id, which APNs needs; FCM and HMS hand it on to APNs where it is given.
  public var topic: String?
  /// `environment` of APNs: `production` or `sandbox`; nil = `production`.
  public var environment: String?
  /// `team_id`: the Apple developer team, issuer of APNs' tokens.
  public var teamID: String?
  /// `key_id`: which of the team's keys signs APNs' tokens.
  public var keyID: String?
  /// `auth` at APNs: `token` or `certificate`; nil = `token`.
  public var auth: String?
  /// `group_id`: AppMetrica's group of transfers, from 1; needed there.
  public var groupID: Int64?
  /// `id_type`: what AppMetrica's device ids are; nil = `ios_push_token` on iOS, `google_aid` on Android.
  public var idType: String?
  /// `open_action` at AppMetrica: `published` (url and deep link), `api` (the one that the API knows on the platform);
  /// nil = `published`.
  public var openAction: String?
  /// `data_form` of HMS' `message.data`: `string`, or `object` to keep it one; nil = `string`.
  public var dataForm: String?
  /// `target_user_type` of iOS apps at HMS: 1 test, 2 formal; nil = 1.
  public var targetUserType: Int64?
  /// `priority_field`: whether RuStore's message carries the published priority, which its reference doesn't know;
  /// nil = true.
  public var priorityField: Bool?
  /// `content_available`: `content-available` of Mindbox's payload for Apple's devices, 0 or 1; nil = 1.
  public var contentAvailable: Int64?
  /// `connections` to the provider, 1…100.
  public var connections: Int?
  /// `streams`: requests at once on one connection, 1…1000.
  public var streams: Int?
  /// Units a second; what a unit is depends on the provider.
  public var rate: Double?
  /// `requests_per_day` (GMT), from 2, where the provider limits them: AppMetrica.
  public var requestsPerDay: Int?
  /// `ramp`: seconds from the first message until the full rate, 0…86,400.
  public var rampSeconds: Double?
  /// `timeout`: seconds that one request may take once it is handed to the network, 0.1…40; nil = 20.
  public var timeoutSeconds: Double?
  /// `retry_5xx_after`: seconds until a message is tried again after a 5xx, 0…86,400, unless `retry-after` asks for
  /// more (at FCM: says anything); nil = 900 at APNs, 10 at FCM, 5 at HMS and RuStore. AppMetrica's are settled later.
  public var retry5xxAfterSeconds: Double?
  /// `breaker`
  public var breaker = BreakerSettings()
  /// `hub_url`: https address under which tracking links live; nil = the account's.
  public var hubURL: String?
  /// `ttl` in milliseconds (seconds in the JSON); nil = the account's.
  public var ttlMilliseconds: Int64?

  /// Keys that the row gives a value, for a provider to refuse those that mean nothing there.
  public var givenKeys: [String] = []

  /// An empty `channel.settings`: every value is the provider's default.
  public init() {}

  /// Keys of the JSON.
  public static let keys = [
    "endpoint", "token_endpoint", "ca_file", "proxy", "project_id", "api", "topic", "environment", "team_id", "key_id",
    "auth", "group_id", "id_type", "open_action", "data_form", "target_user_type", "priority_field",
    "content_available", "connections", "streams", "rate", "requests_per_day", "ramp", "timeout", "retry_5xx_after",
    "breaker", "hub_url", "ttl",
  ]

  /// Reads `channel.settings`.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown keys are refused.
  public init(json: JSON) throws(CampaignError) {
    let fields = try FieldReader(json, path: "settings", keys: Self.keys)
    givenKeys = fields.given
    endpoint = try fields.text("endpoint", "https://host or https://host:port, without a path") {
      WebAddress($0)?.path.isEmpty == true
    }
    tokenEndpoint = try fields.text("token_endpoint", "an https URL without a query") { WebAddress($0) != nil }
    caFile = try fields.text("ca_file", "the path of a file") { !$0.isEmpty && !$0.utf8.contains(0) }
    proxy = try fields.proxy("proxy")
    projectID = try fields.word("project_id", or: ":.-_")
    api = try fields.choice("api", of: ["v1", "v2"])
    topic = try fields.word("topic", or: ".-")
    environment = try fields.choice("environment", of: ["production", "sandbox"])
    teamID = try fields.word("team_id", or: "")
    keyID = try fields.word("key_id", or: "")
    auth = try fields.choice("auth", of: ["token", "certificate"])
    groupID = try fields.whole("group_id", 1...Int64.max)
    idType = try fields.choice(
      "id_type",
      of: [
        "ios_push_token", "google_aid", "appmetrica_device_id", "android_push_token", "huawei_push_token",
        "huawei_oaid", "ios_ifa",
      ])
    openAction = try fields.choice("open_action", of: ["published", "api"])
    dataForm = try fields.choice("data_form", of: ["string", "object"])
    targetUserType = try fields.whole("target_user_type", 1...2)
    priorityField = try fields.flag("priority_field")
    contentAvailable = try fields.whole("content_available", 0...1)
    connections = try fields.whole("connections", 1...100)
    streams = try fields.whole("streams", 1...1000)
    rate = try fields.rate("rate")
    requestsPerDay = try fields.whole("requests_per_day", 2...Int.max)
    rampSeconds = try fields.decimal("ramp", 0...86_400, "0 to 86400 seconds")
    timeoutSeconds = try fields.decimal("timeout", 0.1...40, "0.1 to 40 seconds")
    retry5xxAfterSeconds = try fields.decimal("retry_5xx_after", 0...86_400, "0 to 86400 seconds")
    if let value = fields["breaker"] { breaker = try BreakerSettings(json: value) }
    hubURL = try fields.hubURL("hub_url")
    ttlMilliseconds = try fields.timeToLive("ttl")
  }
}

/// When a wave of dead tokens stops a lane.
public struct BreakerSettings: Sendable, Equatable {
  /// Verdicts before the first decision.
  public var sample: Int
  /// Share of dead tokens above which the lane stops, 0…1.
  public var share: Double
  /// And at least so many dead ones.
  public var minimum: Int

  /// The defaults of `breaker`; `init(json:)` checks what a row says instead.
  public init(sample: Int = 200, share: Double = 0.5, minimum: Int = 20) {
    self.sample = sample
    self.share = share
    self.minimum = minimum
  }

  init(json: JSON) throws(CampaignError) {
    let fields = try FieldReader(json, path: "settings.breaker", keys: ["sample", "share", "min"])
    self.init()
    sample = try fields.whole("sample", 1...1_000_000) ?? sample
    share = try fields.decimal("share", 0...1, "0 to 1") ?? share
    minimum = try fields.whole("min", 1...1_000_000) ?? minimum
  }
}

extension FieldReader {
  /// An identifier that goes into a path or a header: ASCII letters, digits and `others`.
  fileprivate func word(_ key: String, or others: String) throws(CampaignError) -> String? {
    let allowed = "1 to 255 letters, digits" + (others.isEmpty ? "" : " and \(others)")
    return try text(key, allowed) { text in
      (1...255).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || others.utf8.contains(byte)
        }
    }
  }

  /// A proxy's URL. It may carry a password, so a wrong one isn't shown.
  fileprivate func proxy(_ key: String) throws(CampaignError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string, ["http://", "https://", "socks5://", "socks5h://"].contains(where: text.hasPrefix),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw CampaignError(
        field: "\(path).\(key)", message: "a URL that begins http://, https://, socks5:// or socks5h:// is expected")
    }
    return text
  }
}
