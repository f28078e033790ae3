import Base
internal import CMicroHTTPD
import Glibc

/// A small HTTP/1.1 server on libmicrohttpd: one thread of its own, few connections, short requests, an absolute end
/// for each. Whatever is sent to it costs the process a few hundred kB and a little of one core.
///
/// Requests are answered by tasks while their connection is suspended, so that one that waits for the database holds
/// nobody else up.
final class HTTPServer: Sendable {
  /// At once; more wait in the system's backlog.
  static let connections: UInt32 = 32
  /// Without a byte.
  static let idleSeconds: UInt32 = 5
  /// From accept to close, however slowly bytes trickle: libmicrohttpd itself counts idle time alone.
  static let longestConnection = 15.0
  /// Of request line and headers together.
  static let headerBytes = 16_384
  static let bodyBytes = 1_024

  private let core: Core
  // Set once, before anybody else sees the server; libmicrohttpd's calls on it are safe from any thread.
  private nonisolated(unsafe) let daemon: OpaquePointer
  /// What it listens on in fact.
  let port: UInt16

  /// Starts listening.
  /// - Parameters:
  ///   - address: a numeric address; port 0 lets the system choose one.
  ///   - answer: called for every request.
  /// - Throws: `ListenError` when the address can't be had.
  init(
    _ address: ListenAddress, answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws(ListenError) {
    let core = Core(answer)
    self.core = core
    let daemon = cmicrohttpd_start(
      address.host, address.port,
      cmicrohttpd_limits(connections: Self.connections, idle_seconds: Self.idleSeconds, memory: Self.headerBytes),
      { Core.of($0)?.access($1, $2, $3, $6, $7) ?? MHD_Result.NO },
      { _, _, userdata, _ in
        guard let raw = userdata?.pointee else { return }
        userdata?.pointee = nil
        HTTPExchange.release(raw)
      },
      { Core.of($0)?.notified($1, $3) },
      Unmanaged.passRetained(core).toOpaque())
    let error = errno
    guard let daemon else {
      Unmanaged.passUnretained(core).release()
      throw ListenError(address: address, reason: error == 0 ? "refused" : String(cString: strerror(error)))
    }
    self.daemon = daemon
    port = cmicrohttpd_port(daemon)
    core.startSweeping()
  }

  /// Takes no further connection, lets the answers under way end, and closes. Should one of them hang on a database
  /// that is away, the thread is left to the end of the process.
  func stop() async {
    let listening = MHD_quiesce_daemon(daemon)
    if listening >= 0 { close(listening) }
    let end = BootInstant.now.advanced(seconds: 2)
    while core.pending > 0, end > .now { try? await Task.sleep(nanoseconds: 10_000_000) }
    guard core.close() else { return }
    nonisolated(unsafe) let daemon = daemon
    // Waits for the thread.
    try? await Worker(name: "listen-stop").run { MHD_stop_daemon(daemon) }
    Unmanaged.passUnretained(core).release()
  }
}

/// What libmicrohttpd's callbacks share; the daemon keeps it.
private final class Core: Sendable {
  private struct State {
    /// Suspended connections.
    var pending = 0
    var isClosed = false
    /// By socket, when each was accepted.
    var accepted: [Int32: BootInstant] = [:]
  }

  private let answer: @Sendable (HTTPRequest) async -> HTTPResponse
  private let state = Guarded(State())

  init(_ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.answer = answer }

  static func of(_ raw: UnsafeMutableRawPointer?) -> Core? {
    raw.map { Unmanaged<Core>.fromOpaque($0).takeUnretainedValue() }
  }

  var pending: Int { state.withLock { $0.pending } }

  /// - Returns: false while connections are suspended: the daemon must not be stopped then.
  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      return state.pending == 0
    }
  }

  // MARK: Requests

  /// First call: the headers are there. Then pieces of the body; then, with none, the answer is due; and once more
  /// after the connection was resumed.
  func access(
    _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?,
    _ userdata: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let connection, let url, let method, let size, let userdata else { return MHD_Result.NO }
    guard let raw = userdata.pointee else {
      userdata.pointee = HTTPExchange(connection, method: method, url: url).retained()
      return MHD_Result.YES
    }
    let exchange = HTTPExchange.of(raw)
    if size.pointee > 0 {
      // Closed without an answer: libmicrohttpd takes none while a body is coming.
      guard exchange.received(size.pointee, limit: HTTPServer.bodyBytes) else { return MHD_Result.NO }
      size.pointee = 0
      return MHD_Result.YES
    }
    if let response = exchange.response { return HTTPExchange.queue(response, on: connection) }
    let mayBegin = state.withLock { state in
      if !state.isClosed { state.pending += 1 }
      return !state.isClosed
    }
    guard mayBegin else { return MHD_Result.NO }
    MHD_suspend_connection(connection)
    // Nobody else touches a suspended connection, and libmicrohttpd keeps it until it is resumed.
    nonisolated(unsafe) let suspended = connection
    Task { [self] in
      exchange.answered(await answer(exchange.request))
      MHD_resume_connection(suspended)
      state.withLock { $0.pending -= 1 }
    }
    return MHD_Result.YES
  }

  // MARK: Connections

  func notified(_ connection: OpaquePointer?, _ what: MHD_ConnectionNotificationCode) {
    guard let connection else { return }
    let socket = cmicrohttpd_socket(connection)
    state.withLock {
      $0.accepted[socket] = what == MHD_ConnectionNotificationCode.CONNECTION_NOTIFY_STARTED ? .now : nil
    }
  }

  func startSweeping() {
    Task { [weak self] in
      while let self, !self.state.withLock({ $0.isClosed }) {
        self.sweep()
        try? await Task.sleep(nanoseconds: 1_000_000_000)
      }
    }
  }

  /// Ends connections that are too old. Under the lock, although it calls the system: libmicrohttpd tells of a closed
  /// connection before it closes the socket, so that no socket of somebody else's can have the number meanwhile.
  private func sweep() {
    let oldest = BootInstant.now.advanced(seconds: -HTTPServer.longestConnection)
    state.withLock { state in
      for (socket, since) in state.accepted where since < oldest { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }
}
