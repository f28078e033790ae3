internal import Base
internal import Campaign
internal import Rendering
internal import Transport

/// Requests to `POST /v1/{client_id}/messages:send` or `/v2/{project_id}/messages:send`. The rendered payload is cut at
/// two places: the token array is filled with up to 1,000 tokens, and the `data` object becomes the text that Huawei
/// takes, encoded once.
struct HMSLane: ProviderLane {
  /// The token array and the data object of a payload.
  static let landmarks: [JSONPath] = ["message.token", "message.data"]

  let pool: PoolConfiguration
  let access: any AccessSource
  /// Huawei counts devices, not requests; an app's quota begins at 6,000 a second.
  var pace: PaceRules { PaceRules(rate: 6_000) }
  let messagesPerRequest = 1000
  /// 4,096 bytes of the final body without its tokens, else 80300008.
  let limits = PayloadLimits(payload: 4096)
  private let path: [UInt8]
  /// `data_form`: `object` leaves `data` as it was rendered, for a proxy that wants it so.
  private let encodesData: Bool
  private let classifier: HMSClassifier

  /// Milliseconds. Huawei stores a message for fifteen days at most.
  static let longestTimeToLive: Int64 = 1_296_000_000

  /// - Throws: `ProviderError` when the path's client or project id is missing or can't stand in a path, or the
  ///   message may live longer than Huawei keeps it.
  init(channel: Channel, launch: Launch, account: HMSCredential) throws(ProviderError) {
    let settings = channel.settings
    let ttl = launch.content.timeToLive(channel: settings, account: launch.account.settings) ?? 0
    guard ttl <= Self.longestTimeToLive else {
      throw ProviderError(
        .content,
        "ttl may be \(Self.longestTimeToLive / 1000) s (15 days) at most for \(channel.label), not \(ttl / 1000) s")
    }
    let api = settings.api ?? "v1"
    let id: String?
    if api == "v2" {
      id = settings.projectID ?? account.projectID
      guard id != nil else {
        throw ProviderError(
          .configuration, "\(channel.label): api v2 needs project_id in the settings or the credential")
      }
    } else {
      id = account.clientID
      guard id != nil else {
        throw ProviderError(
          .configuration,
          "\(channel.label): api v1 needs a client_id in the credential; with a service account set api to \"v2\"")
      }
    }
    guard let id, WireText.isPathSegment(id) else {
      throw ProviderError(
        .configuration, "\(channel.label): client_id and project_id may hold letters, digits, '.', ':' and '-'")
    }
    encodesData = settings.dataForm != "object"
    var pool = PoolConfiguration(channel, host: "push-api.cloud.huawei.com", connections: 2, streams: 50)
    // A partial success names every dead token; a cut list would leave a thousand messages unknown.
    pool.answerLimit = messagesPerRequest * (TokenShape.longest + 8)
    self.pool = pool
    access = account
    path = Array("/\(api)/\(id)/messages:send".utf8)
    classifier = HMSClassifier(retry5xxAfter: settings.retry5xxAfterSeconds ?? 5, fullBatch: messagesPerRequest)
  }

  func headerLines(_ access: Access) -> [String] {
    access.headerLines + ["content-type: application/json;charset=utf-8"]
  }

  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    TokenShape.appendOpaque(token, to: &out)
  }

  /// Neighbours that share one body travel together, 1,000 at most a request.
  func requests(
    for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64
  ) -> RequestBatch {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(slice.bytes.count + slice.bytes.count / 4 + input.tokens.count)
    let path = bytes.place(path)
    var requests: [Request] = []
    var spans: [RequestSpan] = []
    var tooLarge: [(message: Int, bytes: Int)] = []
    var start = 0
    while start < slice.messages.count {
      let body = slice.messages[start].body
      var end = start + 1
      while end < slice.messages.count, end - start < messagesPerRequest, slice.messages[end].body == body { end += 1 }
      let bodyStart = bytes.count
      let tokenBytes = appendBody(of: start..<end, slice: slice, input: input, to: &bytes)
      let size = bytes.count - bodyStart - tokenBytes
      if size > limits.payload {
        bytes.removeLast(bytes.count - bodyStart)
        tooLarge += (start..<end).map { ($0, size) }
      } else {
        requests.append(
          Request(
            path: path, headers: ByteRange(lower: 0, upper: 0), body: ByteRange(lower: bodyStart, upper: bytes.count)))
        spans.append(RequestSpan(messages: start..<end))
      }
      start = end
    }
    return RequestBatch(
      page: RequestPage(bytes: bytes, requests: requests, headers: headers), spans: spans, slice: slice, input: input,
      tooLarge: tooLarge)
  }

  /// Huawei leaves the tokens out: visible ASCII, each in quotes, with a comma between them.
  func payloadSize(of message: Int, in batch: RequestBatch, request: Int) -> Int {
    let messages = batch.spans[request].messages
    let tokens = messages.reduce(messages.count - 1) {
      $0 + batch.input.messages[batch.slice.messages[$1].input].token.count + 2
    }
    return batch.page.requests[request].body.count - tokens
  }

  /// Appends the body of the request for some messages of one payload.
  /// - Returns: bytes of the token list between its brackets.
  private func appendBody(
    of messages: Range<Int>, slice: RenderedSlice, input: RenderInput, to out: inout [UInt8]
  ) -> Int {
    let body = slice.messages[messages.lowerBound].body
    let first = messages.lowerBound * Self.landmarks.count
    let token = slice.landmarks[first]
    let data = slice.landmarks[first + 1]
    var tokenBytes = 0
    var at = body.range.lowerBound
    for place in token.lower < data.lower ? [token, data] : [data, token] {
      guard place.isPart(of: body), place.range.lowerBound >= at else { continue }
      out.append(slice.bytes, at..<place.range.lowerBound)
      at = place.range.upperBound
      if place == token {
        out.append(UInt8(ascii: "["))
        let listStart = out.count
        for message in messages {
          if message > messages.lowerBound { out.append(UInt8(ascii: ",")) }
          out.append(UInt8(ascii: "\""))
          out.appendEscaped(input.tokens, input.messages[slice.messages[message].input].token.range)
          out.append(UInt8(ascii: "\""))
        }
        tokenBytes = out.count - listStart
        out.append(UInt8(ascii: "]"))
      } else if encodesData, slice.bytes[place.range.lowerBound] == UInt8(ascii: "{") {
        out.append(UInt8(ascii: "\""))
        out.appendEscaped(slice.bytes, place.range)
        out.append(UInt8(ascii: "\""))
      } else {
        out.append(slice.bytes, place.range)
      }
    }
    out.append(slice.bytes, at..<body.range.upperBound)
    return tokenBytes
  }

  func verdicts(
    for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
  ) -> [MessageVerdict] {
    switch exchange {
    case .answered(let answer):
      let tokens = span.messages.map { message in
        batch.input.messages[batch.slice.messages[message].input].token.range
      }
      return classifier.verdicts(of: answer, tokens: tokens, in: batch.input.tokens, now: now)
    case .notSent(let cause):
      return Array(repeating: MessageVerdict(notSent: cause), count: span.messages.count)
    case .unknown(let how):
      return Array(repeating: MessageVerdict(noAnswer: how), count: span.messages.count)
    }
  }
}
