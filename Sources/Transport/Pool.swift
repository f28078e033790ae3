public import Base

/// All connections for one (endpoint, credential, trust, proxy): one thread, one multi handle.
///
/// Requests wait here, never inside libcurl: 7.88.1 walks every waiting handle at each step, seven times slower at
/// 20,000 waiting than at 200.
public final class Pool: Sendable {
  public let configuration: PoolConfiguration

  /// Starts the thread; connects to nobody yet.
  /// - Throws: `TransportError` when libcurl lacks HTTP/2, or a CA file can't be read.
  public init(_ configuration: PoolConfiguration) throws(TransportError) {
    self.configuration = configuration
  }

  /// Sends every request of the page and returns when each has its result, in the page's order.
  ///
  /// Requests are handed to the network in order, as the pool's window allows; whoever still waits at `sendBefore`
  /// comes back as `.notSent(.deadline)`, and once `unless` is up as `.notSent(.stopped)`.
  public func send(_ page: RequestPage, sendBefore: BootInstant, unless: StopFlag) async -> [ExchangeResult] {
    page.requests.map { _ in ExchangeResult(exchange: .notSent(.stopped), handedOver: 0) }
  }

  /// From now on nothing new is handed to the network; what waits comes back as `.notSent(.stopped)`.
  /// - Returns: how many requests are in flight at this moment.
  @discardableResult
  public func stop() -> Int { 0 }

  /// Requests given to the network and not answered yet.
  public var inFlight: Int { 0 }

  /// Connections opened since the start.
  public var connectionsOpened: Int { 0 }

  /// The most requests ever in flight at once.
  public var highestInFlight: Int { 0 }

  /// Stops, waits for what is in flight, closes the connections and ends the thread.
  public func close() async {}
}
