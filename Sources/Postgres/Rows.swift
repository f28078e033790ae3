internal import CLibpq

/// The rows of one result.
public struct Rows: Sendable, RandomAccessCollection {
  private let result: StatementResult

  init(_ result: StatementResult) { self.result = result }

  public var startIndex: Int { 0 }
  public var endIndex: Int { Int(PQntuples(result.pointer)) }
  /// What the statement touched: rows of INSERT, UPDATE, DELETE, COPY; the rows given back by SELECT.
  public var affected: Int { result.affected }
  public subscript(position: Int) -> Row { Row(result, position) }
}
