public import Base
internal import CLibpq

/// One row; columns by position from 0. Nil = SQL null, a column of another type than asked for, or no such column.
public struct Row: Sendable {
  private let result: StatementResult
  private let position: Int32

  init(_ result: StatementResult, _ position: Int) {
    self.result = result
    self.position = Int32(truncatingIfNeeded: position)
  }

  /// int2, int4, int8, oid.
  public func int(_ column: Int) -> Int64? {
    read(column) { type, bytes in
      switch type {
      case TypeOID.int8: bytes.bigEndian(Int64.self)
      case TypeOID.int4: bytes.bigEndian(Int32.self).map(Int64.init)
      case TypeOID.int2: bytes.bigEndian(Int16.self).map(Int64.init)
      case TypeOID.oid: bytes.bigEndian(UInt32.self).map(Int64.init)
      default: nil
      }
    }
  }

  /// float8, float4.
  public func double(_ column: Int) -> Double? {
    read(column) { type, bytes in
      switch type {
      case TypeOID.float8: bytes.bigEndian(UInt64.self).map { Double(bitPattern: $0) }
      case TypeOID.float4: bytes.bigEndian(UInt32.self).map { Double(Float(bitPattern: $0)) }
      default: nil
      }
    }
  }

  /// boolean
  public func bool(_ column: Int) -> Bool? {
    read(column) { type, bytes in type == TypeOID.bool ? bytes.first.map { $0 != 0 } : nil }
  }

  /// text, varchar, char(n), name, json, and jsonb as its text.
  public func text(_ column: Int) -> String? {
    read(column) { type, bytes in Self.text(type, bytes).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// bytea; of what `text` takes, the UTF-8.
  public func bytes(_ column: Int) -> [UInt8]? {
    read(column) { type, bytes in
      type == TypeOID.bytea ? [UInt8](bytes) : Self.text(type, bytes).map { [UInt8]($0) }
    }
  }

  /// timestamptz, rounded down to the millisecond; ±infinity is further away than any date.
  public func timestamp(_ column: Int) -> EpochMilliseconds? {
    read(column) { type, bytes in
      type == TypeOID.timestamptz ? bytes.bigEndian(Int64.self).map(Timestamp.decode) : nil
    }
  }

  private static func text(_ type: Oid, _ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    switch type {
    case TypeOID.text, TypeOID.varchar, TypeOID.bpchar, TypeOID.name, TypeOID.json: bytes[...]
    case TypeOID.jsonb: bytes.dropFirst()  // jsonb_send: the version of the format
    default: nil
    }
  }

  private func read<Value>(_ column: Int, _ body: (Oid, UnsafeRawBufferPointer) -> Value?) -> Value? {
    withExtendedLifetime(result) {
      let pointer = result.pointer
      guard position >= 0, position < PQntuples(pointer), column >= 0, column < Int(PQnfields(pointer)) else {
        return nil
      }
      let column = Int32(truncatingIfNeeded: column)
      guard PQgetisnull(pointer, position, column) == 0, let value = PQgetvalue(pointer, position, column) else {
        return nil
      }
      let length = Int(PQgetlength(pointer, position, column))
      return body(PQftype(pointer, column), UnsafeRawBufferPointer(start: value, count: length))
    }
  }
}
