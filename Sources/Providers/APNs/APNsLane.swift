internal import Base
internal import Campaign
internal import Rendering
internal import Signing
internal import Transport

/// Requests to `POST /3/device/{token}`. The rendered payload is the whole body; topic, push type, priority and
/// expiration are the same for the lane, the ids a message's own.
struct APNsLane: ProviderLane {
  let pool: PoolConfiguration
  let access: any AccessSource
  let messagesPerRequest = 1
  /// 4,096 bytes of the final body, else 413 PayloadTooLarge.
  let limits = PayloadLimits(payload: 4096)
  /// Header lines of the lane but the authorization.
  private let lines: [String]
  /// The content names a collapse id, so no message gets one of its own.
  private let isCollapsed: Bool
  private let classifier: APNsClassifier

  /// - Throws: `ProviderError` when the topic is missing, or the content's collapse id can't be a header of 64 bytes.
  init(channel: Channel, launch: Launch, credential: [UInt8]) throws(ProviderError) {
    guard let topic = channel.settings.topic, WireText.isHeaderWord(topic) else {
      throw ProviderError(.configuration, "\(channel.label): the settings need topic, the app's bundle id")
    }
    let isSandbox = channel.settings.environment == "sandbox"
    let host = isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
    var pool = PoolConfiguration(channel, host: host, connections: 2, streams: 500)
    pool.startsWithOneRequest = true
    if channel.settings.auth == "certificate" {
      let certificate = try APNsCertificate(credential, of: channel)
      pool.clientCertificate = certificate.pem
      access = certificate
    } else {
      access = try APNsCredential(credential, of: channel)
    }
    self.pool = pool
    let content = launch.content
    // A background push with priority 10 is an error at Apple's.
    let isUrgent = content.isUrgent && !content.silent
    var lines = [
      "apns-topic: \(topic)", "apns-push-type: \(content.silent ? "background" : "alert")",
      "apns-priority: \(isUrgent ? 10 : 5)",
    ]
    if let expiration = Self.expiration(channel: channel, launch: launch) {
      lines.append("apns-expiration: \(expiration)")
    }
    let collapseID = try RelayedAPNs.collapseID(of: content, for: channel)
    if let collapseID { lines.append("apns-collapse-id: \(collapseID)") }
    isCollapsed = collapseID != nil
    self.lines = lines
    classifier = APNsClassifier(retry5xxAfter: channel.settings.retry5xxAfterSeconds ?? 900)
  }

  /// Seconds since the epoch, counted from the launch's first plan, or its being due, so that no attempt moves it; 0 for a time to live
  /// of 0 (one try, nothing stored); nil without one. A launch that may not run after a moment doesn't arrive later.
  private static func expiration(channel: Channel, launch: Launch) -> Int64? {
    let account = launch.account.settings
    guard let ttl = launch.content.timeToLive(channel: channel.settings, account: account) else { return nil }
    if ttl == 0 { return 0 }
    guard let start = launch.liveFrom ?? launch.notBefore else { return nil }
    let end = start.value.addingReportingOverflow(ttl)
    guard !end.overflow else { return nil }
    return min(EpochMilliseconds(end.partialValue), launch.notAfter ?? EpochMilliseconds(.max)).seconds
  }

  func headerLines(_ access: Access) -> [String] {
    access.headerLines + ["content-type: application/json"] + lines
  }

  func hint(onRefusalOfFreshAccess verdict: MessageVerdict) -> String? {
    guard verdict.providerCode == "ExpiredProviderToken" else { return nil }
    return
      "a token made a moment ago was called expired, so this machine's clock is an hour or more behind: set it right"
  }

  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    TokenShape.appendHex(token, to: &out)
  }

  func requests(
    for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64
  ) -> RequestBatch {
    var kept = slice
    // A path of 11 and up to 200 bytes, two ids of 36 with their names.
    kept.bytes.reserveCapacity(slice.bytes.count + slice.messages.count * 320)
    var requests: [Request] = []
    var spans: [RequestSpan] = []
    var tooLarge: [(message: Int, bytes: Int)] = []
    requests.reserveCapacity(slice.messages.count)
    spans.reserveCapacity(slice.messages.count)
    var id: [UInt8] = []
    for (index, message) in slice.messages.enumerated() {
      guard message.body.count <= limits.payload else {
        tooLarge.append((index, message.body.count))
        continue
      }
      let token = input.messages[message.input].token
      let pathStart = kept.bytes.count
      kept.bytes.append(contentsOf: "/3/device/".utf8)
      kept.bytes.append(input.tokens, token.range)
      let headersStart = kept.bytes.count
      Self.makeID(of: message, token: token, slice: slice, input: input, in: &id)
      kept.bytes.append(contentsOf: "apns-id: ".utf8)
      kept.bytes.append(contentsOf: id)
      kept.bytes.append(0)
      if !isCollapsed {
        kept.bytes.append(contentsOf: "apns-collapse-id: ".utf8)
        kept.bytes.append(contentsOf: id)
        kept.bytes.append(0)
      }
      requests.append(
        Request(
          path: ByteRange(lower: pathStart, upper: headersStart),
          headers: ByteRange(lower: headersStart, upper: kept.bytes.count), body: message.body))
      spans.append(RequestSpan(messages: index..<index + 1))
    }
    return RequestBatch(
      page: RequestPage(bytes: kept.bytes, requests: requests, headers: headers), spans: spans, slice: kept,
      input: input, tooLarge: tooLarge)
  }

  /// Puts the message's `apns-id` into `id`, an array used again and again: the UUIDv5 of its uid, the same on every
  /// attempt, so that a repeat replaces instead of doubling on the screen. A group's uid (`U…`) names many messages,
  /// so the token goes in as well.
  private static func makeID(
    of message: RenderedSlice.Message, token: ByteRange, slice: RenderedSlice, input: RenderInput, in id: inout [UInt8]
  ) {
    id.removeAll(keepingCapacity: true)
    let uid = slice.bytes[message.uid.range]
    if uid.first == UInt8(ascii: "U") {
      UUIDv5.append(of: (uid + input.tokens[token.range])[...], to: &id)
    } else {
      UUIDv5.append(of: uid, to: &id)
    }
  }

  func verdicts(
    for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
  ) -> [MessageVerdict] {
    let message = batch.slice.messages[span.messages.lowerBound]
    let row = batch.input.messages[message.input]
    var verdict =
      switch exchange {
      case .answered(let answer):
        classifier.verdict(of: answer, registeredAt: batch.input.page.rows[row.row].registeredAt, now: now)
      case .notSent(let cause): MessageVerdict(notSent: cause)
      case .unknown(let how): MessageVerdict(noAnswer: how)
      }
    // Apple echoes the id in a header only, so it is made once more.
    var id: [UInt8] = []
    Self.makeID(of: message, token: row.token, slice: batch.slice, input: batch.input, in: &id)
    verdict.providerMessageID = String(decoding: id, as: UTF8.self)
    return [verdict]
  }
}
