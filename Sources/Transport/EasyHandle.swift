internal import Base
internal import CCurl
import Glibc

/// One transfer at a time, many in turn: the only owner of its `CURL *`, of the header nodes and of the error buffer.
/// Confined to its pool's thread; callbacks get it unretained, the driver keeps it until after `curl_easy_cleanup`.
final class EasyHandle {
  let curl: OpaquePointer
  private unowned let driver: PoolDriver
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let ownHeaders = RequestHeaders()
  private var url: [UInt8]
  private let endpointBytes: Int
  private var method: Request.Method?

  /// Whose request it carries now; nil = idle.
  private(set) var run: PageRun?
  private(set) var index = 0
  private var body: ByteRange = ByteRange(lower: 0, upper: 0)
  private var bodyAt = 0
  private var responseBody: [UInt8] = []
  private var evidence = TransferEvidence()

  /// Where libcurl placed it: the connection's local port.
  private(set) var connection: PoolState.ConnectionID?
  /// Its stream on that connection; nil before libcurl told, and once it left the connection to try another.
  private(set) var stream: Int?
  private(set) var startedAt = BootInstant(nanoseconds: 0)
  private(set) var placedAt = BootInstant(nanoseconds: 0)
  /// libcurl wanted to send something again by itself. 7.88.1 then remembers a refused stream beyond the transfer, so
  /// that the next one's lost connection would look refused too: such a handle is not used again.
  private(set) var isSpent = false
  /// What this transfer's own TLS handshake agreed on; nil = it made none.
  private var speaksHTTP2: Bool?

  /// - Returns: nil when libcurl has no memory or refuses an option.
  init?(_ configuration: PoolConfiguration, trust: TrustFile, driver: PoolDriver) {
    guard let curl = curl_easy_init() else { return nil }
    self.curl = curl
    self.driver = driver
    url = Array(configuration.endpoint.utf8)
    endpointBytes = url.count
    errorText.pointee = 0
    var options = EasyOptions(curl)
    options.set(configuration, trust: trust)
    options.set(
      errorText: errorText, handle: Unmanaged.passUnretained(self).toOpaque(),
      driver: Unmanaged.passUnretained(driver).toOpaque())
    if options.refused != nil { return nil }
  }

  deinit {
    // No callback into an object that is going away.
    _ = ccurl_set_long(curl, CURLOPT_VERBOSE, 0)
    curl_easy_cleanup(curl)
    errorText.deallocate()
  }

  /// Sets what differs from request to request: everything that the last one left is overwritten.
  /// - Returns: false when the request itself is malformed.
  func prepare(_ run: PageRun, _ index: Int, at now: BootInstant) -> Bool {
    let request = run.page.requests[index]
    let bytes = run.page.bytes
    guard let path = bytes.slice(request.path), let headers = bytes.slice(request.headers),
      let body = bytes.slice(request.body), path.first == UInt8(ascii: "/"),
      !path.contains(where: { isControl($0) || $0 == 0x20 || $0 == 0x09 }),
      let shared = run.headers, let list = ownHeaders.link(headers, before: shared.head)
    else { return false }
    self.run = run
    self.index = index
    self.body = request.body
    bodyAt = 0
    responseBody = []
    evidence = TransferEvidence()
    evidence.bodyBytes = body.count
    connection = nil
    stream = nil
    speaksHTTP2 = nil
    startedAt = now
    errorText.pointee = 0

    url.removeSubrange(endpointBytes...)
    url += path
    url.append(0)
    var code = url.withUnsafeBytes {
      ccurl_set_string(curl, CURLOPT_URL, $0.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
    if code == CURLE_OK { code = ccurl_set_headers(curl, list) }
    if code == CURLE_OK, method != request.method {
      code = ccurl_set_long(curl, request.method == .get ? CURLOPT_HTTPGET : CURLOPT_POST, 1)
      method = request.method
    }
    if code == CURLE_OK { code = ccurl_set_offset(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) }
    return code == CURLE_OK
  }

  /// Reads what became of the transfer and lets go of its page. Call before anything else is set on the handle.
  /// - Parameter reason: replaces libcurl's own words.
  func finish(_ code: CURLcode, because reason: String?) -> (result: ExchangeResult, evidence: TransferEvidence) {
    evidence.code = code.rawValue
    evidence.status = ccurl_get_long(curl, CURLINFO_RESPONSE_CODE)
    evidence.madeConnection = ccurl_get_long(curl, CURLINFO_NUM_CONNECTS) > 0
    evidence.detail = detail(code, reason)
    let exchange = Exchange.from(evidence, answer: answer())
    return (ExchangeResult(exchange: exchange, handedOver: evidence.wasHandedOver ? 1 : 0), evidence)
  }

  /// Lets go of the page, so that it is freed with its last answer.
  func clear() {
    run = nil
    responseBody = []
  }

  private func answer() -> Answer {
    // Looked up only where it can mean something: libcurl walks the answer's headers for it.
    let retryAfter = evidence.status >= 300 ? ccurl_header(curl, "retry-after").map { String(cString: $0) } : nil
    return Answer(status: evidence.status, retryAfter: retryAfter, body: responseBody)
  }

  private func detail(_ code: CURLcode, _ reason: String?) -> String {
    let endpoint = driver.configuration.endpoint
    if let reason { return "\(endpoint): \(reason)" }
    if code == CURLE_OK || evidence.withheld != nil { return endpoint }
    let text = errorText.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    return "\(endpoint): \(text) (libcurl \(code.rawValue))"
  }

  /// A connection is there and the request would be written next. Called again when libcurl retries by itself.
  /// - Returns: false to end the transfer here.
  func connectionChosen(_ id: PoolState.ConnectionID) -> Bool {
    // libcurl's silent second copy of a request that may have been taken: never.
    if evidence.wasHandedOver { return false }
    let now = BootInstant.now
    if let reason = driver.reasonToWithhold(self, on: id, speaksHTTP2: speaksHTTP2, at: now) {
      evidence.withheld = reason
      return false
    }
    driver.note(.requestPlaced(on: id, insteadOf: connection))
    evidence.wasPlaced = true
    evidence.refusal = nil
    connection = id
    stream = nil
    speaksHTTP2 = nil
    placedAt = now
    return true
  }

  /// Copies the next bytes of the body, straight from the page.
  func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let run else { return 0 }
    let count = min(buffer.count, body.count - bodyAt)
    guard count > 0, let target = buffer.baseAddress else { return 0 }
    let from = body.range.lowerBound + bodyAt
    run.page.bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      target.copyMemory(from: source + from, byteCount: count)
    }
    bodyAt += count
    evidence.bodyBytesRead = bodyAt
    return count
  }

  func responseArrived(_ bytes: UnsafeRawBufferPointer) {
    driver.isReading(self)
    let room = driver.configuration.answerLimit - responseBody.count
    if room > 0 { responseBody.append(contentsOf: bytes.prefix(room)) }
  }

  func lineArrived(_ line: InfoLine) {
    switch line {
    case .stream(let id): stream = id
    case .goAway(let error, let last):
      // Without a stream this transfer is still looking at connections: the GOAWAY is of one that nobody uses.
      if let connection, stream != nil { driver.goAwayArrived(on: connection, error: error, lastStream: last) }
    case .http2: speaksHTTP2 = true
    case .http1: speaksHTTP2 = false
    case .retry:
      stream = nil
      isSpent = true
    case .refusedStream:
      // Said before libcurl looks for another connection; on one that it finds, the refusal is forgotten.
      // After a GOAWAY, libcurl calls the streams above the last one refused too.
      if evidence.wasHandedOver, evidence.refusal == nil {
        evidence.refusal = "REFUSED_STREAM: the peer did not process the request"
      }
    }
  }

  /// The peer said that it processes no stream above `lastStream` of `connection`.
  func refuse(above lastStream: Int, on connection: PoolState.ConnectionID, error: Int) {
    guard run != nil, self.connection == connection, let stream, stream > lastStream else { return }
    evidence.refusal = "GOAWAY with error \(error): stream \(stream) is above the last one processed, \(lastStream)"
  }
}

extension [UInt8] {
  /// The bytes of a range; nil when it isn't one of this arena's.
  fileprivate func slice(_ range: ByteRange) -> ArraySlice<UInt8>? {
    range.lower <= range.upper && Int(range.upper) <= count ? self[range.range] : nil
  }
}
