internal import CLibpq

/// The rows of one result.
public struct Rows: Sendable, RandomAccessCollection {
  private let result: StatementResult

  init(_ result: StatementResult) { self.result = result }

  /// 0
  public var startIndex: Int { 0 }
  /// How many rows there are.
  public var endIndex: Int { Int(PQntuples(result.pointer)) }
  /// What the statement touched: rows of INSERT, UPDATE, DELETE, COPY; the rows given back by SELECT.
  public var affected: Int { result.affected }
  /// The row at that place.
  public subscript(position: Int) -> Row { Row(result, position) }
}
