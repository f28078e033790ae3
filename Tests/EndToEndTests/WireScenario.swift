import Testing

/// One row of the table in Docker/providers/README.md: a server that misbehaves in one way, and how a launch of
/// 120 messages must end there.
struct WireScenario: Sendable, CustomTestStringConvertible {
  enum Provider: String, Sendable {
    case fcm, apns
  }

  let name: String
  let provider: Provider
  /// Of h2server.py.
  let options: [String]
  var settings: [String: TestLane.JSONValue] = [:]
  var exit: Int32 = 0
  /// How many may end so; what isn't named must be 0.
  let ends: [String: ClosedRange<Int>]
  /// Requests beyond one a message.
  var repeats: ClosedRange<Int> = 0...10_000

  static let messages = 120

  var testDescription: String { "\(provider): \(name)" }

  private init(
    _ name: String, _ provider: Provider, _ options: String, settings: [String: TestLane.JSONValue] = [:],
    exit: Int32 = 0, repeats: ClosedRange<Int>? = nil, _ ends: [String: ClosedRange<Int>]
  ) {
    self.name = name
    self.provider = provider
    self.options = options.split(separator: " ").map(String.init)
    self.settings = settings
    self.exit = exit
    self.ends = ends
    if let repeats { self.repeats = repeats }
  }

  private static let allSent = ["sent": 120...120]

  static let all: [WireScenario] = [
    .init("as it should be", .fcm, "", repeats: 0...0, allSent),
    .init("one stream until the first answer, then 1000", .apns, "streams=1 raise=1000", repeats: 0...0, allSent),
    .init("GOAWAY NO_ERROR, streams above the last one unread", .fcm, "goaway=30 last=20 dropto=3", allSent),
    .init("GOAWAY NO_ERROR, streams above the last one unread", .apns, "goaway=30 last=20 dropto=3", allSent),
    .init(
      "GOAWAY ENHANCE_YOUR_CALM, streams above the last one unread", .fcm, "goaway=30 last=20 error=11 dropto=2",
      allSent),
    .init(
      "GOAWAY, none of the read ones answered", .apns, "warm=1 goaway=30 last=20 answer=0 dropto=1",
      ["sent": 100...100, "unknown": 20...20]),
    // libcurl 7.88.1 tells of a refused stream only on connections that carried nothing before.
    .init(
      "REFUSED_STREAM for every 10th", .fcm, "order=rst/7 every=10 orders=12",
      ["sent": 108...120, "unknown": 0...12]),
    .init(
      "REFUSED_STREAM for every 10th", .apns, "order=rst/7 every=10 orders=12",
      ["sent": 108...120, "unknown": 0...12]),
    .init("REFUSED_STREAM for all", .fcm, "order=rst/7", exit: 69, ["remaining": 120...120]),
    .init(
      "RST_STREAM INTERNAL_ERROR for every 20th", .fcm, "order=rst/2 every=20 orders=6", repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "RST_STREAM CANCEL for every 20th", .apns, "order=rst/8 every=20 orders=6", repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "connection dropped after reading 20", .fcm, "warm=1 drop=20 dropto=1", ["sent": 80...100, "unknown": 20...40]),
    .init(
      "connection dropped before reading the 20th", .apns, "warm=1 dropopen=20 dropto=2",
      ["sent": 40...120, "unknown": 0...80]),
    .init("every connection dropped at once", .fcm, "hangup=1", exit: 69, ["remaining": 110...120, "unknown": 0...10]),
    .init(
      "silence for every 20th", .fcm, "order=never every=20 orders=6", settings: ["timeout": 1], repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "silence for all", .apns, "order=never", settings: ["timeout": 1], exit: 69,
      ["remaining": 110...119, "unknown": 1...10]),
    .init("answers 700 ms late", .apns, "order=delay/700", repeats: 0...0, allSent),
    .init(
      "answers later than the time-out for every 20th", .fcm, "order=delay/1800 every=20 orders=6",
      settings: ["timeout": 1],
      repeats: 0...0, ["sent": 114...114, "unknown": 6...6]),
    .init(
      "stream limit lowered to 5 in the middle", .fcm, "order=delay/20 change=30:5",
      ["sent": 40...120, "unknown": 0...80]),
    .init("SETTINGS half a second late", .apns, "settings=0.5 streams=5 order=delay/10", repeats: 0...0, allSent),
    .init(
      "the connection is killed at the 101st open stream", .fcm, "order=delay/100 overflow=100",
      settings: ["connections": 1, "streams": 1000], repeats: 0...0, allSent),
    .init(
      "an HTML page with 502 for every 10th", .apns, "order=html/502 every=10 orders=12",
      settings: ["retry_5xx_after": 1],
      repeats: 12...12, allSent),
    .init(
      "503 with Retry-After 2 for every 10th", .apns, "order=status/503/2 every=10 orders=12",
      settings: ["retry_5xx_after": 1],
      repeats: 12...12, allSent),
    .init(
      "503 with Retry-After 2 for every 40th", .fcm, "order=status/503/2 every=40 orders=3", repeats: 3...3, allSent),
    .init(
      "the answer breaks off behind status 200", .fcm, "order=half/2 every=20 orders=6", repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init("HTTP/1.1 only", .fcm, "alpn=http/1.1", exit: 69, repeats: 0...0, ["remaining": 120...120]),
    .init("HTTP/1.1 only", .apns, "alpn=http/1.1", exit: 69, repeats: 0...0, ["remaining": 120...120]),
  ]
}
