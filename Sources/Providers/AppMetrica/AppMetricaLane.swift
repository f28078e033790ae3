internal import Base
internal import Campaign
internal import Rendering
internal import Transport

/// Requests to `POST /push/v1/send-batch`. Each rendered payload is a whole `push_batch_request` of one entry; the
/// entries of a window are joined under the first one's head, with the window's id as `client_transfer_id`.
struct AppMetricaLane: ProviderLane {
  /// The request object, its batch, and the ids of the entry.
  static let landmarks: [JSONPath] = [
    "push_batch_request", "push_batch_request.batch", "push_batch_request.batch[].devices[].id_values",
  ]

  let pool: PoolConfiguration
  let access: any AccessSource
  /// Yandex takes 30 requests a second from an address and 5,000 a day from an account.
  var pace: PaceRules { PaceRules(unit: .requests, rate: 10, requestsPerDay: 5_000) }
  let messagesPerRequest = 5000
  /// AppMetrica documents no size; 6 MiB a request keeps parsing there and memory here bounded.
  let limits = PayloadLimits(payload: 6 << 20, request: 6 << 20)
  let settlesLater = true
  private let groupID: Int64
  private let classifier = AppMetricaClassifier()

  static let path = Array("/push/v1/send-batch".utf8)

  /// - Throws: `ProviderError` when the settings have no group.
  init(channel: Channel, access: StaticToken) throws(ProviderError) {
    guard let groupID = channel.settings.groupID else {
      throw ProviderError(.configuration, "\(channel.label): the settings need group_id")
    }
    self.groupID = groupID
    self.access = access
    pool = PoolConfiguration(
      channel, host: "push.api.appmetrica.yandex.net", connections: 1, streams: 1, version: .http1)
  }

  func headerLines(_ access: Access) -> [String] {
    access.headerLines + ["content-type: application/json"]
  }

  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    TokenShape.appendOpaque(token, to: &out)
  }

  /// One request with the longest prefix of the slice that fits: 5,000 messages, 6 MiB. Neighbours that share a
  /// payload share an entry. A message too large for any request is reported; the prefix ends before the next one.
  func requests(
    for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64
  ) -> RequestBatch {
    var body = AppMetricaBody(slice: slice, input: input, requestKey: requestKey, limit: limits.request)
    var tooLarge: [(message: Int, bytes: Int)] = []
    var start = 0
    while start < slice.messages.count, let size = body.begin(at: start) {
      tooLarge.append((start, size))
      start += 1
    }
    let end = body.fill(from: start, to: min(start + messagesPerRequest, slice.messages.count))
    var bytes = body.bytes
    guard end > start else {
      return RequestBatch(
        page: RequestPage(bytes: [], requests: [], headers: headers), spans: [], slice: slice, input: input,
        tooLarge: tooLarge)
    }
    let whole = ByteRange(lower: 0, upper: bytes.count)
    let request = Request(path: bytes.place(Self.path), headers: ByteRange(lower: 0, upper: 0), body: whole)
    return RequestBatch(
      page: RequestPage(bytes: bytes, requests: [request], headers: headers),
      spans: [RequestSpan(messages: start..<end)], slice: slice, input: input, tooLarge: tooLarge)
  }

  /// Entries of many payloads share a request.
  func payloadSize(of message: Int, in batch: RequestBatch, request: Int) -> Int {
    batch.slice.messages[message].body.count
  }

  func verdicts(
    for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
  ) -> [MessageVerdict] {
    let verdict =
      switch exchange {
      case .answered(let answer): classifier.verdict(of: answer, now: now)
      case .notSent(let cause): MessageVerdict(notSent: cause)
      case .unknown(let how): MessageVerdict(.accepted, reason: "no_answer", detail: how)
      }
    return Array(repeating: verdict, count: span.messages.count)
  }

  func statusRequest(requestKey: Int64, headers: HeaderSet) -> RequestPage? {
    var bytes: [UInt8] = []
    let path = bytes.place(Array("/push/v1/status/\(groupID)/\(requestKey)".utf8))
    let none = ByteRange(lower: 0, upper: 0)
    return RequestPage(
      bytes: bytes, requests: [Request(method: .get, path: path, headers: none, body: none)], headers: headers)
  }

  func transferStatus(from exchange: Exchange) -> TransferStatus {
    switch exchange {
    case .answered(let answer): classifier.status(from: answer)
    case .notSent: .unclear("the status wasn't asked: nothing was sent")
    case .unknown(let how): .unclear(AnswerText.line(how))
    }
  }
}
