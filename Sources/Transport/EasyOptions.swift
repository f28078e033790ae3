internal import CCurl
import Glibc

/// The options of an easy handle that never change. Remembers the first one that libcurl refused.
struct EasyOptions {
  private let curl: OpaquePointer
  private(set) var refused: (option: String, reason: String)?

  init(_ curl: OpaquePointer) { self.curl = curl }

  mutating func set(_ configuration: PoolConfiguration, trust: TrustFile) {
    let isHTTP2 = configuration.version == .http2
    // Signals would call sigaction around every perform.
    set("NOSIGNAL", CURLOPT_NOSIGNAL, 1)
    set("PROTOCOLS_STR", CURLOPT_PROTOCOLS_STR, "https")
    // An RTSP option that HTTP requests never look at, but for one place: with it, 7.88.1 doesn't take the end of a
    // stream on a reused connection for a dead connection, and tells that the stream was refused (from 8.16 on there
    // is CURLOPT_FORBID_RETRY_ON_REUSE for that).
    set("RTSP_REQUEST", CURLOPT_RTSP_REQUEST, CURL_RTSPREQ_RECEIVE)
    // Empty, not unset: libcurl would ask the environment several times for each transfer.
    set("PROXY", CURLOPT_PROXY, configuration.proxy ?? "")
    set("FOLLOWLOCATION", CURLOPT_FOLLOWLOCATION, 0)
    set("HTTP_VERSION", CURLOPT_HTTP_VERSION, isHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    // Without it the requests of one moment would open a connection each.
    set("PIPEWAIT", CURLOPT_PIPEWAIT, isHTTP2 ? 1 : 0)
    // A buffer of each size is allocated per transfer, and with HTTP/2 a thousand are in flight: bodies are a few kB,
    // answers a few hundred bytes; longer ones are read in pieces.
    set("BUFFERSIZE", CURLOPT_BUFFERSIZE, isHTTP2 ? 1_024 : 16_384)
    set("UPLOAD_BUFFERSIZE", CURLOPT_UPLOAD_BUFFERSIZE, isHTTP2 ? 16_384 : 262_144)

    set("TIMEOUT_MS", CURLOPT_TIMEOUT_MS, milliseconds(configuration.timeout))
    set("CONNECTTIMEOUT_MS", CURLOPT_CONNECTTIMEOUT_MS, milliseconds(configuration.connectTimeout))
    set("TCP_KEEPALIVE", CURLOPT_TCP_KEEPALIVE, 1)
    set("TCP_KEEPIDLE", CURLOPT_TCP_KEEPIDLE, 60)
    set("TCP_KEEPINTVL", CURLOPT_TCP_KEEPINTVL, 30)
    // An idle connection of that age is replaced, so that a change of DNS is followed.
    set("MAXLIFETIME_CONN", CURLOPT_MAXLIFETIME_CONN, 3_600)

    set("SSLVERSION", CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set("SSL_VERIFYPEER", CURLOPT_SSL_VERIFYPEER, 1)
    set("SSL_VERIFYHOST", CURLOPT_SSL_VERIFYHOST, 2)
    if let file = trust.path {
      set("CAINFO", CURLOPT_CAINFO, file)
      // Otherwise the system's hashed directory would be trusted beside it.
      set("CAPATH", CURLOPT_CAPATH, nil)
    }
    if let file = trust.certificatePath {
      set("SSLCERT", CURLOPT_SSLCERT, file)
      set("SSLKEY", CURLOPT_SSLKEY, file)
    }
  }

  /// The callbacks, each together with its userdata. `handle` is an `EasyHandle`, `driver` its `PoolDriver`.
  mutating func set(
    errorText: UnsafeMutablePointer<CChar>, handle: UnsafeMutableRawPointer, driver: UnsafeMutableRawPointer
  ) {
    check("ERRORBUFFER", ccurl_set_error_buffer(curl, errorText))
    check("PRIVATE", ccurl_set_private(curl, handle))
    check("READFUNCTION", ccurl_set_read(curl, TransferCallbacks.read, handle))
    check("SEEKFUNCTION", ccurl_set_seek(curl, TransferCallbacks.seek, handle))
    check("WRITEFUNCTION", ccurl_set_write(curl, TransferCallbacks.write, handle))
    check("PREREQFUNCTION", ccurl_set_prerequest(curl, TransferCallbacks.prerequest, handle))
    check("SOCKOPTFUNCTION", ccurl_set_new_socket(curl, TransferCallbacks.newSocket, driver))
    check("CLOSESOCKETFUNCTION", ccurl_set_close_socket(curl, TransferCallbacks.closeSocket, driver))
    // 9 % of a request's CPU: the only place where libcurl tells stream ids and GOAWAY.
    check("DEBUGFUNCTION", ccurl_set_debug(curl, TransferCallbacks.debug, handle))
    set("VERBOSE", CURLOPT_VERBOSE, 1)
  }

  private mutating func set(_ name: String, _ option: CURLoption, _ value: Int) {
    check(name, ccurl_set_long(curl, option, value))
  }

  private mutating func set(_ name: String, _ option: CURLoption, _ value: String?) {
    check(name, ccurl_set_string(curl, option, value))
  }

  private mutating func check(_ name: String, _ code: CURLcode) {
    if code != CURLE_OK && refused == nil { refused = (name, String(cString: curl_easy_strerror(code))) }
  }

  /// At least 1, because 0 means "no limit" to libcurl; at most what its 32-bit platforms hold.
  private func milliseconds(_ seconds: Double) -> Int { Int(max(1, min(seconds * 1000, 2e9))) }
}

/// What libcurl calls during `curl_multi_perform`. They capture nothing, throw nothing, take no lock and call no
/// libcurl function.
enum TransferCallbacks {
  static let read: curl_read_callback = { buffer, size, count, handle in
    guard let buffer, let handle else { return Int(CURL_READFUNC_ABORT) }
    return EasyHandle.from(handle).readBody(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
  }

  /// No rewinding, so libcurl can't send again on its own what it has read once (it ends with 65 instead).
  static let seek: curl_seek_callback = { _, _, _ in CURL_SEEKFUNC_FAIL }

  static let write: curl_write_callback = { bytes, size, count, handle in
    guard let bytes, let handle else { return 0 }
    EasyHandle.from(handle).responseArrived(UnsafeRawBufferPointer(start: bytes, count: size * count))
    // The rest of a long body is taken and dropped: an error here would hide a status that came before it.
    return size * count
  }

  static let prerequest: curl_prereq_callback = { handle, _, _, _, localPort in
    guard let handle else { return CURL_PREREQFUNC_ABORT }
    return EasyHandle.from(handle).connectionChosen(Int(localPort)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  /// Everything but INFO_TEXT is dropped unread: the rest holds bodies and credentials.
  static let debug: curl_debug_callback = { _, type, bytes, count, handle in
    guard type == CURLINFO_TEXT, let bytes, let handle else { return 0 }
    if let line = InfoLine(UnsafeRawBufferPointer(start: bytes, count: count)) {
      EasyHandle.from(handle).lineArrived(line)
    }
    return 0
  }

  static let newSocket: curl_sockopt_callback = { driver, socket, _ in
    if let driver { PoolDriver.from(driver).socketOpened(socket) }
    return CURL_SOCKOPT_OK
  }

  static let closeSocket: curl_closesocket_callback = { driver, socket in
    if let driver { PoolDriver.from(driver).socketCloses(socket) }
    return close(socket)
  }
}

extension EasyHandle {
  fileprivate static func from(_ raw: UnsafeMutableRawPointer) -> EasyHandle {
    Unmanaged<EasyHandle>.fromOpaque(raw).takeUnretainedValue()
  }
}
