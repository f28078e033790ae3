internal import CLibpq

/// Owner of one PGresult.
///
/// `@unchecked`: libpq changes a result no more once it was given out, so any thread may read it.
final class StatementResult: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  var status: ExecStatusType { PQresultStatus(pointer) }

  var isError: Bool { [PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR].contains(status) }

  var isCopy: Bool { [PGRES_COPY_OUT, PGRES_COPY_IN, PGRES_COPY_BOTH].contains(status) }

  /// `INSERT`, `COMMIT`, …
  var commandTag: String { String(cString: PQcmdStatus(pointer)) }

  var affected: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

  func field(_ code: Int32) -> String? {
    PQresultErrorField(pointer, code).map { PostgresText.oneLine(String(cString: $0)) }
  }
}
