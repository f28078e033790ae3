public import Base
public import Store

/// The listener of a process that sends: numbers for Prometheus, health for its supervisor, a page for people.
///
/// | | |
/// | --- | --- |
/// | `GET /` | the page: the newest launches, their lanes, their numbers |
/// | `GET /launches.json` | the same numbers |
/// | `GET /metrics` | Prometheus' text format |
/// | `GET /healthz` | 200 as long as the process answers |
/// | `GET /readyz` | 200 when the database answers and the process has not been asked to stop, else 503 |
/// | `POST /launches/7/pause` `…/resume` `…/cancel`, `/launches/7/lanes/3/pause` … | commands, with the token alone |
public final class Monitor: Sendable {
  /// Where and for whom.
  public struct Settings: Sendable {
    /// Where it listens.
    public var address: ListenAddress
    /// Names that requests may be addressed to, beside numeric addresses and `localhost`.
    public var hosts: Set<String>
    /// Nil: read-only.
    public var token: ListenToken?

    /// Read-only for everybody who reaches the address, unless a token is given.
    public init(address: ListenAddress, hosts: Set<String> = [], token: ListenToken? = nil) {
      self.address = address
      self.hosts = hosts
      self.token = token
    }
  }

  /// What the page and its commands ask the database for. A connection of its own: whoever looks takes none from
  /// sending.
  public struct Source: Sendable {
    /// The newest launches and those under way.
    public var launches: @Sendable () async throws -> [LaunchStatus]
    /// Throws unless the database answers.
    public var ping: @Sendable () async throws -> Void
    /// Says a word to a launch, or to one channel's lane of it. Throws `StoreError`.
    public var say:
      @Sendable (LaunchCommands.Word, _ launch: Int64, _ channel: Int64?) async throws -> LaunchCommands.Done

    /// - Parameter say: called only for requests that show the token.
    public init(
      launches: @escaping @Sendable () async throws -> [LaunchStatus],
      ping: @escaping @Sendable () async throws -> Void,
      say:
        @escaping @Sendable (LaunchCommands.Word, _ launch: Int64, _ channel: Int64?) async throws ->
        LaunchCommands.Done
    ) {
      self.launches = launches
      self.ping = ping
      self.say = say
    }
  }

  private let server: HTTPServer
  private let address: ListenAddress

  /// Starts listening.
  /// - Parameters:
  ///   - isStopping: whether the process was asked to stop.
  /// - Throws: `ListenError`.
  public init(
    _ settings: Settings, metrics: Metrics, source: Source, isStopping: @escaping @Sendable () -> Bool, log: Log
  ) throws(ListenError) {
    let router = Router(settings, metrics: metrics, source: source, isStopping: isStopping, log: log)
    server = try HTTPServer(settings.address) { await router.answer($0) }
    address = ListenAddress(host: settings.address.host, port: server.port)
    let rights = settings.token == nil ? "read-only" : "commands need the token"
    log.info("listening on http://\(address)/ (\(rights))")
    if !settings.address.isLoopback {
      log.warning("--listen \(address): whoever reaches this address can read launches' names and numbers, unencrypted")
    }
  }

  /// Takes no more connections, gives the answers under way two seconds, and closes.
  public func stop() async { await server.stop() }
}
