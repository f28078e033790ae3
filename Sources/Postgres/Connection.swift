public import Base

/// One connection to PostgreSQL. Belongs to one thread at a time; the `Database` sees to that.
public final class Connection {
  /// Connects.
  /// - Parameters:
  ///   - conninfo: libpq's keywords, a URI, or empty for the `PG*` environment; as the user gave it.
  ///   - applicationName: seen in `pg_stat_activity`.
  public init(conninfo: String, applicationName: String) throws(PostgresError) {
    throw PostgresError(.connection, "not connected")
  }

  /// Runs one statement with parameters and reads its rows in binary.
  @discardableResult
  public func execute(_ sql: String, _ parameters: [Parameter] = []) throws(PostgresError) -> Rows {
    throw PostgresError(.connection, "not connected")
  }

  /// Runs several statements without parameters: migrations.
  public func script(_ sql: [UInt8]) throws(PostgresError) {}

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  public func transaction<Result>(_ body: (Connection) throws -> Result) throws -> Result { try body(self) }

  /// `COPY (…) TO STDOUT (FORMAT BINARY)`: calls `row` for each row; the fields are valid during the call.
  public func copyOut(_ sql: String, row: (CopyFields) throws -> Void) throws {}

  /// `COPY … FROM STDIN (FORMAT BINARY)`.
  /// - Returns: the rows the server took.
  @discardableResult
  public func copyIn(_ sql: String, _ body: (inout CopyWriter) throws -> Void) throws -> Int { 0 }
}

/// A value for `$n`, sent in binary with its type.
public enum Parameter: Sendable {
  case null
  case bool(Bool)
  case int2(Int16)
  case int4(Int32)
  case int8(Int64)
  case double(Double)
  case text(String)
  case bytes([UInt8])
  /// jsonb, given as text.
  case json(String)
  case timestamp(EpochMilliseconds)
  case int8Array([Int64])
  case textArray([String])
}

/// The rows of one result. Nil = SQL null.
public struct Rows: Sendable, RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  /// What the statement touched: rows of INSERT, UPDATE, DELETE.
  public var affected: Int { 0 }
  public subscript(position: Int) -> Row { Row() }
}

/// One row; columns by position from 0. A column of another type than asked for gives nil.
public struct Row: Sendable {
  public func int(_ column: Int) -> Int64? { nil }
  public func double(_ column: Int) -> Double? { nil }
  public func bool(_ column: Int) -> Bool? { nil }
  public func text(_ column: Int) -> String? { nil }
  public func bytes(_ column: Int) -> [UInt8]? { nil }
  public func timestamp(_ column: Int) -> EpochMilliseconds? { nil }
}

/// The fields of one row of COPY, read in place. Valid only during the call it was given to.
public struct CopyFields {
  public var count: Int { 0 }
  public func isNull(_ field: Int) -> Bool { true }
  public func int8(_ field: Int) -> Int64? { nil }
  public func int4(_ field: Int) -> Int32? { nil }
  public func int2(_ field: Int) -> Int16? { nil }
  public func timestamp(_ field: Int) -> EpochMilliseconds? { nil }
  /// Appends the field's bytes (text, bytea; jsonb without its version byte must be cast to text in the query).
  public func appendBytes(_ field: Int, to out: inout [UInt8]) -> ByteRange? { nil }
}

/// Builds rows of binary COPY.
public struct CopyWriter {
  public mutating func row(fields: Int) {}
  public mutating func null() {}
  public mutating func int2(_ value: Int16) {}
  public mutating func int4(_ value: Int32) {}
  public mutating func int8(_ value: Int64) {}
  public mutating func timestamp(_ value: EpochMilliseconds) {}
  /// Text must be valid UTF-8 without NUL: `PostgresText.tidy` repairs what comes from the wire.
  public mutating func text(_ value: String) {}
  public mutating func bytes(_ value: some Collection<UInt8>) {}
}
