import Base

/// A connection's thread, and the connection while there is one.
///
/// `@unchecked`: owned by the one run it is lent to, from `Database` handing it out to being given back.
final class ConnectionSlot: @unchecked Sendable {
  private let worker: Worker
  private let conninfo: String
  private let applicationName: String
  private var connection: Connection?
  private var hasConnected = false
  private let reconnects: Counter
  private let connectFailures: Counter
  private var pause = ReconnectPause()

  init(
    number: Int, conninfo: String, applicationName: String, reconnects: Counter, connectFailures: Counter
  ) {
    worker = Worker(name: "pg-\(number)")
    self.conninfo = conninfo
    self.applicationName = applicationName
    self.reconnects = reconnects
    self.connectFailures = connectFailures
  }

  /// Runs `body` on the thread, with a live connection.
  /// - Throws: `PostgresError` when there is none to be had, 57014 or `CancellationError` when cancelled; what `body`
  ///   throws.
  func run<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    let wait = pause.until.secondsFromNow
    if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await self.result { try self.use(body, cancellation) }
    } onCancel: {
      cancellation.request()
    }
    await cancellation.ended()
    return try result.get()
  }

  private func result<Value: Sendable>(
    of body: @escaping @Sendable () throws -> Value
  ) async -> Result<Value, any Error> {
    do {
      return .success(try await worker.run(body))
    } catch {
      return .failure(error)
    }
  }

  private func use<Result>(_ body: (Connection) throws -> Result, _ cancellation: Cancellation) throws -> Result {
    let connection = try opened()
    guard cancellation.began(with: connection.cancelToken) else { throw CancellationError() }
    connection.cancellation = cancellation
    defer {
      connection.cancellation = nil
      // Broken, or left inside a transaction: nobody else may get it.
      if !connection.isReusable { self.connection = nil }
    }
    return try body(connection)
  }

  private func opened() throws -> Connection {
    if let connection, connection.isAlive { return connection }
    connection = nil
    do {
      let opened = try Connection(conninfo: conninfo, applicationName: applicationName)
      connection = opened
      pause.connected()
      if hasConnected { reconnects.add() }
      hasConnected = true
      return opened
    } catch {
      connectFailures.add()
      pause.connectFailed(at: .now, jitter: .random(in: 0...1))
      throw error
    }
  }
}
