internal import CLibpq
import Glibc

/// One connection to PostgreSQL. Belongs to one thread at a time; the `Database` sees to that. Every call blocks.
///
/// Where the user's settings (conninfo, `PG*`, service file) say nothing: connect_timeout 10 s, keepalives after 30 s,
/// tcp_user_timeout 30 s; statement_timeout 10 min, lock_timeout and idle_in_transaction_session_timeout 30 s, and an
/// empty search_path. The second four travel in `options`. A pooler that refuses `options` (PgBouncer, unless its
/// `ignore_startup_parameters` names them) is asked again without; they are set by `ALTER ROLE … SET` then.
public final class Connection {
  private let handle: OpaquePointer
  let cancelToken: CancelToken
  /// Of the run that has this connection now.
  var cancellation: Cancellation?
  /// The server has said that it ends the session.
  private var isEnding = false

  /// Connects.
  /// - Parameters:
  ///   - conninfo: libpq's keywords, a URI, or empty for the `PG*` environment; as the user gave it.
  ///   - applicationName: seen in `pg_stat_activity`, unless the user's settings name another.
  /// - Throws: `.connection`, never with anything secret in its message.
  public convenience init(conninfo: String, applicationName: String) throws(PostgresError) {
    try self.init(ConnectionSettings(conninfo: conninfo, applicationName: applicationName))
  }

  init(_ settings: ConnectionSettings) throws(PostgresError) {
    handle = try settings.connect()
    cancelToken = CancelToken(connection: handle)
    // Notices would go to stderr as they are, in between the log's lines.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// Runs one statement with parameters and reads its rows in binary.
  @discardableResult
  public func execute(_ sql: String, _ parameters: [Parameter] = []) throws(PostgresError) -> Rows {
    try checkCancellation()
    let result = try answer(to: send(sql, parameters))
    guard !result.isCopy else { throw abandonCopy(result, "COPY runs by copyOut and copyIn alone") }
    return Rows(result)
  }

  /// Runs several statements without parameters: migrations. They are one transaction, unless one is open already.
  public func script(_ sql: [UInt8]) throws(PostgresError) {
    guard !sql.contains(0) else { throw PostgresError(.protocolViolation, "the script contains a NUL byte") }
    try checkCancellation()
    let result = try answer(to: PQsendQuery(handle, String(decoding: sql, as: UTF8.self)))
    guard !result.isCopy else { throw abandonCopy(result, "a script can't copy from or to its client") }
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  /// - Throws: what `body` throws; `PostgresError` of BEGIN and COMMIT: `isCommitUnknown` when the connection broke
  ///   before COMMIT was answered, SQLSTATE 25P02 when `body` went on after a statement had failed.
  public func transaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let status = PQtransactionStatus(handle)
    guard status != PQTRANS_INTRANS, status != PQTRANS_INERROR else {
      throw PostgresError(.protocolViolation, "a transaction can't begin inside a transaction")
    }
    try execute("BEGIN")
    let result: Result
    do {
      result = try body(self)
      try checkCancellation()
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return result
  }

  private func commit() throws(PostgresError) {
    let tag: String
    do {
      tag = try answer(to: PQsendQuery(handle, "COMMIT")).commandTag
    } catch {
      throw error.duringCommit
    }
    // COMMIT of a failed transaction rolls back and calls that a success.
    guard tag == "COMMIT" else {
      throw PostgresError(.server, "the transaction was rolled back: a statement in it had failed", sqlState: "25P02")
    }
  }

  /// Not stopped by a cancelled task. Should it fail, the session is not idle, and `isReusable` says so.
  private func rollBack() {
    guard PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    _ = try? answer(to: PQsendQuery(handle, "ROLLBACK"))
  }

  /// `COPY (…) TO STDOUT (FORMAT BINARY)`: calls `row` for each row; the fields are valid during the call. The rows
  /// count only if it returns: when it throws, the last ones may be damaged.
  /// - Throws: what `row` throws, which cancels the rest of the COPY; `PostgresError`, `.protocolViolation` for a
  ///   malformed row.
  public func copyOut(_ sql: String, row: (CopyFields) throws -> Void) throws {
    try beginCopy(sql, PGRES_COPY_OUT)
    var parser = CopyParser()
    do {
      while let frame = nextFrame() {
        defer { PQfreemem(frame.baseAddress) }
        try parser.frameArrived(UnsafeRawBufferPointer(frame), row: row)
      }
    } catch {
      cancelCopy()
      // A pooler whose server went away may put its last word into the middle of a row.
      if let error = error as? PostgresError, error.code == .protocolViolation, PQstatus(handle) == CONNECTION_BAD {
        throw lastError()
      }
      throw error
    }
    try endCopy()
    guard parser.isComplete else {
      throw PostgresError(.protocolViolation, "the server's binary COPY ended without its trailer")
    }
  }

  /// `COPY … FROM STDIN (FORMAT BINARY)`.
  /// - Returns: the rows the server took.
  /// - Throws: what `body` throws, after which the server has taken none; `PostgresError` when the server refuses a
  ///   row, then with the CONTEXT that numbers it in `detail`.
  @discardableResult
  public func copyIn(_ sql: String, _ body: (inout CopyWriter) throws -> Void) throws -> Int {
    try beginCopy(sql, PGRES_COPY_IN)
    let handle = handle
    var writer = CopyWriter { bytes in
      PQputCopyData(
        handle, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(truncatingIfNeeded: bytes.count)) == 1
    }
    do {
      try body(&writer)
      try writer.finish()
    } catch {
      PQputCopyEnd(handle, "Salvo gave the COPY up")
      _ = try? endCopy()
      throw error
    }
    // Refused data must never be followed by an ordinary end: the rows before it would be taken alone.
    PQputCopyEnd(handle, writer.isRefused ? "libpq took no more data" : nil)
    return try endCopy()
  }

  private func beginCopy(_ sql: String, _ direction: ExecStatusType) throws(PostgresError) {
    try checkCancellation()
    let result = try answer(to: send(sql, []))
    guard result.status == direction, PQbinaryTuples(result.pointer) == 1 else {
      throw abandonCopy(result, "the statement is no COPY of this direction in binary format")
    }
  }

  /// Ends a COPY that nobody asked for, so that the connection stays usable.
  private func abandonCopy(_ result: StatementResult, _ reason: String) -> PostgresError {
    switch result.status {
    case PGRES_COPY_IN:
      PQputCopyEnd(handle, reason)
      _ = try? endCopy()
    case PGRES_COPY_OUT: cancelCopy()
    default: break
    }
    return PostgresError(.protocolViolation, reason)
  }

  /// Ends a COPY whose rows are wanted no more, and drops what comes until then.
  private func cancelCopy() {
    cancelToken.fire()
    while let frame = nextFrame() { PQfreemem(frame.baseAddress) }
    _ = try? endCopy()
  }

  /// The next message of COPY OUT, to be freed by `PQfreemem`; nil at its end or when the connection broke.
  private func nextFrame() -> UnsafeMutableBufferPointer<CChar>? {
    var buffer: UnsafeMutablePointer<CChar>?
    let length = PQgetCopyData(handle, &buffer, 0)
    guard length > 0, let buffer else { return nil }
    return UnsafeMutableBufferPointer(start: buffer, count: Int(length))
  }

  /// - Returns: the rows copied.
  @discardableResult
  private func endCopy() throws(PostgresError) -> Int {
    let result = try lastResult()
    // Still copying: libpq could not even say that it ends.
    guard !result.isCopy else { throw lastError() }
    return result.affected
  }

  /// Looks whether the server has closed the idle connection, without asking it.
  var isAlive: Bool {
    // The farewell and the end of the stream may take one read each; a chatty server does not keep us here.
    for _ in 0..<8 {
      var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard poll(&socket, 1, 0) > 0 else { break }
      guard PQconsumeInput(handle) == 1 else { return false }
    }
    return PQstatus(handle) == CONNECTION_OK
  }

  /// Whether the next user finds the session as new.
  var isReusable: Bool {
    !isEnding && PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
  }

  private func checkCancellation() throws(PostgresError) {
    guard let cancellation, cancellation.isRequested else { return }
    throw PostgresError(.server, "cancelled before the statement was sent", sqlState: "57014")
  }

  private func send(_ sql: String, _ parameters: [Parameter]) -> Int32 {
    // One byte more than the values take: an empty value needs an address too, nil would make it null.
    var arena: [UInt8] = [0]
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    for parameter in parameters {
      let offset = arena.count
      offsets.append(parameter.append(to: &arena) ? offset : nil)
      lengths.append(Int32(truncatingIfNeeded: arena.count - offset))
    }
    let types = parameters.map(\.type)
    let formats = [Int32](repeating: 1, count: parameters.count)
    return arena.withUnsafeBytes { bytes in
      let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let values = offsets.map { offset in offset.flatMap { offset in base.map { $0 + offset } } }
      return PQsendQueryParams(
        handle, sql, Int32(truncatingIfNeeded: parameters.count), types, values, lengths, formats, 1)
    }
  }

  private func answer(to sent: Int32) throws(PostgresError) -> StatementResult {
    guard sent == 1 else { throw lastError() }
    return try lastResult()
  }

  /// Reads results until there are none, as libpq wants before the next statement, or until a COPY begins.
  /// - Throws: the first error among the results: the server's farewell comes before libpq's own word that it is gone,
  ///   and PQexec would give the second.
  private func lastResult() throws(PostgresError) -> StatementResult {
    var failure: PostgresError?
    var last: StatementResult?
    while let pointer = PQgetResult(handle) {
      let result = StatementResult(pointer)
      last = result
      if result.isError { failure = failure ?? error(in: result) }
      if result.isCopy { break }
    }
    if let failure { throw failure }
    guard let last, PQstatus(handle) == CONNECTION_OK else { throw lastError() }
    return last
  }

  private func error(in result: StatementResult) -> PostgresError {
    guard let sqlState = result.field(clibpq_diag_sqlstate) else { return lastError() }
    let severity = result.field(clibpq_diag_severity)
    if severity == "FATAL" || severity == "PANIC" { isEnding = true }
    let isBroken = isEnding || PQstatus(handle) == CONNECTION_BAD || Self.meansLoss(sqlState)
    let detail = [clibpq_diag_detail, clibpq_diag_context].compactMap { result.field($0) }
    return PostgresError(
      isBroken ? .connection : .server, result.field(clibpq_diag_message) ?? "no message", sqlState: sqlState,
      detail: detail.isEmpty ? nil : detail.joined(separator: "; "),
      constraint: result.field(clibpq_diag_constraint))
  }

  /// Class 08 connection exception; admin_shutdown, crash_shutdown, cannot_connect_now.
  private static func meansLoss(_ sqlState: String) -> Bool {
    sqlState.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(sqlState)
  }

  /// What libpq itself has to say.
  private func lastError() -> PostgresError {
    PostgresError(
      PQstatus(handle) == CONNECTION_BAD ? .connection : .protocolViolation,
      PostgresText.oneLine(String(cString: PQerrorMessage(handle))))
  }
}
