import Testing

/// All rows of the table, provider by provider.
enum WireScenarios {
  private static let allSent = ["sent": 120...120]

  private static let single: [WireScenario] = [
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
    .init("REFUSED_STREAM for every 10th", .fcm, "order=rst/7 every=10 orders=12", repeats: 12...24, allSent),
    .init("REFUSED_STREAM for every 10th", .apns, "order=rst/7 every=10 orders=12", repeats: 12...24, allSent),
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
      "silence for every 20th", .fcm, "order=never every=20 orders=6", settings: ["timeout": 2], repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "silence for all", .apns, "order=never", settings: ["timeout": 2], exit: 69,
      ["remaining": 110...119, "unknown": 1...10]),
    .init("answers 700 ms late", .apns, "order=delay/700", repeats: 0...0, allSent),
    .init(
      "answers later than the time-out for every 20th", .fcm, "order=delay/3500 every=20 orders=6",
      settings: ["timeout": 2],
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

  /// Tokens of RuStore travel alone, as FCM's.
  private static let ruStore: [WireScenario] = [
    .init("as it should be", .rustore, "", repeats: 0...0, allSent),
    .init(
      "connection dropped after reading 20", .rustore, "warm=1 drop=20 dropto=1",
      ["sent": 80...100, "unknown": 20...40]),
    .init(
      "connection dropped before reading the 20th", .rustore, "warm=1 dropopen=20 dropto=2",
      ["sent": 40...120, "unknown": 0...80]),
    .init(
      "RST_STREAM INTERNAL_ERROR for every 20th", .rustore, "order=rst/2 every=20 orders=6", repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "silence for every 20th", .rustore, "order=never every=20 orders=6", settings: ["timeout": 3], repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
    .init(
      "an HTML page with 502 for every 10th", .rustore, "order=html/502 every=10 orders=12",
      settings: ["retry_5xx_after": 1], repeats: 12...12, allSent),
    .init(
      "503 with Retry-After 2 for every 40th", .rustore, "order=status/503/2 every=40 orders=3",
      settings: ["retry_5xx_after": 1], repeats: 3...3, allSent),
    .init(
      "the answer breaks off behind status 200", .rustore, "order=half/2 every=20 orders=6", repeats: 0...0,
      ["sent": 114...114, "unknown": 6...6]),
  ]

  /// 2,400 tokens in three requests, each 10th token dead. What becomes of the second request is that of all its
  /// tokens; it may be the one of 400.
  private static let hms: [WireScenario] = [
    .init(
      "partial success (80100000), every 10th token dead", .hms, "", repeats: 0...0,
      ["sent": 2_160...2_160, "token_retired": 240...240]),
    .init(
      "connection dropped after reading the 2nd request", .hms, "warm=1 drop=1 dropto=1", settings: ["streams": 1],
      repeats: 0...0, oneUnknown),
    .init(
      "connection dropped before reading the 2nd request", .hms, "warm=1 dropopen=1 dropto=1",
      settings: ["streams": 1],
      ["sent": 1_260...2_160, "token_retired": 140...240, "unknown": 0...1_000]),
    .init(
      "RST_STREAM INTERNAL_ERROR for the 2nd request", .hms, "order=rst/2 every=2 orders=1", repeats: 0...0,
      oneUnknown),
    .init(
      "silence for the 2nd request", .hms, "order=never every=2 orders=1", settings: ["timeout": 3], repeats: 0...0,
      oneUnknown),
    .init(
      "an HTML page with 502 for the 2nd request", .hms, "order=html/502 every=2 orders=1",
      settings: ["retry_5xx_after": 1], repeats: 400...1_000,
      ["sent": 2_160...2_160, "token_retired": 240...240]),
    .init(
      "503 with Retry-After 2 for the 2nd request", .hms, "order=status/503/2 every=2 orders=1",
      settings: ["retry_5xx_after": 1], repeats: 400...1_000,
      ["sent": 2_160...2_160, "token_retired": 240...240]),
    .init(
      "the answer breaks off behind status 200", .hms, "order=half/2 every=2 orders=1", repeats: 0...0, oneUnknown),
  ]

  /// 120 messages are one transfer. Whatever became of its request, it is asked about by its id; only a transfer that
  /// AppMetrica doesn't know is sent again, and under a new id.
  private static let appMetrica: [WireScenario] = [
    .init("as it should be", .appmetrica, "", repeats: 0...0, allSent),
    .init("connection dropped after reading", .appmetrica, "drop=1 dropto=1", repeats: 0...0, allSent),
    .init("connection reset after reading", .appmetrica, "order=rst orders=1", repeats: 0...0, allSent),
    .init("connection dropped before reading", .appmetrica, "dropopen=1 dropto=1", repeats: 120...120, allSent),
    .init(
      "silence", .appmetrica, "order=never orders=1", settings: ["timeout": 3], repeats: 0...0, allSent),
    .init("an HTML page with 502", .appmetrica, "order=html/502 orders=1", repeats: 120...120, allSent),
    .init("503 with Retry-After 2", .appmetrica, "order=status/503/2 orders=1", repeats: 120...120, allSent),
    .init("the answer breaks off behind status 200", .appmetrica, "order=half orders=1", repeats: 0...0, allSent),
    .init(
      "an HTML page with 502 for two questions", .appmetrica, "asked=html/502 orders=2", repeats: 0...0, allSent),
  ]

  private static let oneUnknown = [
    "sent": 1_260...1_800, "token_retired": 140...200, "unknown": 400...1_000,
  ]

  static let all = single + ruStore + hms + appMetrica

  /// Some that are run side by side: most of their time they wait.
  struct Batch: Sendable, CustomTestStringConvertible {
    static let size = 4
    let scenarios: [WireScenario]

    var testDescription: String { scenarios.map(\.row).joined(separator: "; ") }
  }

  static let batches = stride(from: 0, to: all.count, by: Batch.size).map {
    Batch(scenarios: Array(all[$0..<min($0 + Batch.size, all.count)]))
  }
}
