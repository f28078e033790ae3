public import Base

/// A few connections, each with its own thread, shared by everything in the process.
public final class Database: Sendable {
  private typealias Waiter = UnsafeContinuation<ConnectionSlot, any Error>

  /// Host, port, database and user for messages, never the password: `user@host:port/database`.
  public let place: String
  /// Connections made anew after one broke, and tries to connect that failed: for people, nothing decides by it.
  public let reconnects: Counter
  /// Tries to connect that failed.
  public let connectFailures: Counter
  private let state: Guarded<(slots: DatabaseState<ConnectionSlot, Waiter>, lastID: UInt64)>

  /// Connects lazily; the first use of a connection may throw.
  /// - Parameters:
  ///   - conninfo: as `Connection` takes it.
  ///   - connections: at least one.
  public init(conninfo: String, applicationName: String, connections: Int) {
    place = (try? ConnectionSettings(conninfo: conninfo, applicationName: applicationName).place) ?? "the database"
    let (reconnects, connectFailures) = (Counter(), Counter())
    self.reconnects = reconnects
    self.connectFailures = connectFailures
    let slots = (1...max(connections, 1)).map {
      ConnectionSlot(
        number: $0, conninfo: conninfo, applicationName: applicationName, reconnects: reconnects,
        connectFailures: connectFailures)
    }
    state = Guarded((DatabaseState(free: slots.reversed()), 0))
  }

  /// Runs `body` on a free connection's thread. A connection that broke is opened anew for the next use; what was
  /// running when it broke throws and is never repeated here. When all connections are lent out it waits its turn;
  /// after a failed try to connect it leaves the server alone for up to 3 s.
  ///
  /// Cancelling the task cancels the statement at the server, which then throws SQLSTATE 57014; what must be written in
  /// any case runs in a task of its own. A connection left inside a transaction is closed.
  /// - Throws: what `body` throws; `PostgresError` `.connection`; `CancellationError` when cancelled before `body`
  ///   began.
  @discardableResult
  public func run<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    let slot = try await borrow()
    defer { giveBack(slot) }
    return try await slot.run(body)
  }

  private func borrow() async throws -> ConnectionSlot {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let action = state.withLock { $0.slots.connectionWanted(by: continuation, id: id) }
        if case .use(let slot) = action { continuation.resume(returning: slot) }
        // Cancelled before it waited: the handler has run and found nobody.
        if Task.isCancelled { cancelWait(id) }
      }
    } onCancel: {
      cancelWait(id)
    }
  }

  private func cancelWait(_ id: UInt64) {
    let waiter = state.withLock { $0.slots.waitCancelled(id: id) }
    waiter?.resume(throwing: CancellationError())
  }

  private func giveBack(_ slot: ConnectionSlot) {
    let action = state.withLock { $0.slots.connectionFreed(slot) }
    if case .hand(let slot, let waiter) = action { waiter.resume(returning: slot) }
  }
}
