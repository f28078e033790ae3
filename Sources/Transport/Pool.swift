public import Base
internal import CCurl

/// All connections for one (endpoint, credential, trust, proxy): one thread, one multi handle.
///
/// Requests wait here, never inside libcurl: 7.88.1 walks every waiting handle at each step, seven times slower at
/// 20,000 waiting than at 200. Bodies are read once from the page and never rewound, so libcurl can't repeat a
/// request on its own.
public final class Pool: Sendable {
  /// As it was made with.
  public let configuration: PoolConfiguration
  private let mailbox: PoolMailbox

  /// Starts the thread; connects to nobody yet.
  /// - Throws: `TransportError` when libcurl lacks HTTP/2 or TLS, or when a CA or certificate file can't be read.
  public convenience init(_ configuration: PoolConfiguration) throws(TransportError) {
    try self.init(configuration, makeMulti: { MultiHandle($0) })
  }

  /// - Parameter makeMulti: called on the pool's thread for the first multi handle, and for another one whenever that
  ///   fails. Tests give one that does.
  init(
    _ configuration: PoolConfiguration, makeMulti: @escaping @Sendable (PoolConfiguration) -> MultiHandle?
  ) throws(TransportError) {
    let trust = try Self.checked(configuration)
    self.configuration = configuration
    let mailbox = PoolMailbox(configuration)
    self.mailbox = mailbox
    Thread(name: configuration.name) {
      PoolDriver(configuration, trust: trust, mailbox: mailbox, makeMulti: makeMulti).run()
    }.start()
  }

  /// The thread ends by itself once nothing is in flight.
  deinit { mailbox.closeRequested() }

  /// Sends every request of the page and returns when each has its result, in the page's order.
  ///
  /// Requests are handed to the network in order, as the pool's window allows; whoever still waits at `sendBefore`
  /// comes back as `.notSent(.deadline)`. When no connection can be made at all, everything that waits comes back with
  /// that reason. When the task is cancelled, what waits comes back as `.notSent(.stopped)`; what is in flight gets
  /// its answer all the same; so it is once `unless` is up.
  /// - Parameter witness: told on the pool's thread what is handed over and what becomes of it; may raise `unless`.
  public func send(
    _ page: RequestPage, sendBefore: BootInstant, unless flag: StopFlag? = nil,
    witness: (any PageWitness)? = nil
  ) async -> [ExchangeResult] {
    if page.requests.isEmpty { return [] }
    let id = mailbox.nextPageID()
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let arrival = PoolMailbox.Arrival(
          id: id, page: page, sendBefore: sendBefore, flag: flag, witness: witness, continuation: continuation)
        if !mailbox.enqueue(arrival) {
          continuation.resume(
            returning: page.requests.map { _ in ExchangeResult(exchange: .notSent(.stopped), handedOver: 0) })
        } else if Task.isCancelled {
          // The handler may have run before the page was there.
          mailbox.cancel(id)
        }
      }
    } onCancel: {
      mailbox.cancel(id)
    }
  }

  /// From now on nothing new is handed to the network; what waits comes back as `.notSent(.stopped)`.
  /// - Returns: how many requests are in flight at this moment.
  @discardableResult
  public func stop() -> Int { mailbox.stop() }

  /// Requests given to the network and not answered yet, with the one that may be waiting for its connection.
  public var inFlight: Int { mailbox.inFlight }

  /// Connections opened since the start.
  public var connectionsOpened: Int { counters.connectionsOpened }

  /// The most requests ever in flight at once.
  public var highestInFlight: Int { mailbox.highestInFlight }

  /// Connections, answers and latencies so far.
  public var counters: PoolCounters { mailbox.counters }

  /// Stops, waits for what is in flight (the request time-out at most), closes the connections and ends the thread.
  public func close() async {
    mailbox.closeRequested()
    await mailbox.waitForEnd()
  }

  /// Once in a process, before any handle exists.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Finds out before anything is sent what would make every request fail.
  static func checked(_ configuration: PoolConfiguration) throws(TransportError) -> TrustFile {
    guard isReady else { throw TransportError(.unsupported, "libcurl can't be initialised") }
    let version = ccurl_version()
    if configuration.version == .http2, version.pointee.features & CURL_VERSION_HTTP2 == 0 {
      let found = version.pointee.version.map { String(cString: $0) } ?? "unknown"
      throw TransportError(.unsupported, "libcurl \(found) is built without HTTP/2: install one that has it")
    }
    guard configuration.endpoint.hasPrefix("https://"), configuration.endpoint.utf8.count > 8,
      !configuration.endpoint.utf8.contains(where: { isControl($0) || $0 == 0x20 })
    else {
      throw TransportError(.configuration, "endpoint \"\(configuration.endpoint)\": https://host[:port] is needed")
    }
    guard configuration.connections > 0, configuration.streams > 0 else {
      throw TransportError(.configuration, "\(configuration.name): connections and streams must be at least 1")
    }
    let trust = try TrustFile(configuration)
    guard let curl = curl_easy_init() else { throw TransportError(.unsupported, "libcurl has no memory") }
    defer { curl_easy_cleanup(curl) }
    var options = EasyOptions(curl)
    options.set(configuration, trust: trust)
    if let refused = options.refused {
      throw TransportError(
        .unsupported, "\(configuration.name): libcurl refuses option \(refused.option): \(refused.reason)")
    }
    return trust
  }
}
