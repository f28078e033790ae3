public import Base
internal import CLibpq

/// A value for `$n`, sent in binary with its type.
public enum Parameter: Sendable {
  /// Null of whatever type the statement wants there.
  case null
  case bool(Bool)
  case int2(Int16)
  case int4(Int32)
  case int8(Int64)
  case double(Double)
  /// Without NUL, which PostgreSQL can't store: see `PostgresText.tidy`.
  case text(String)
  /// bytea.
  case bytes([UInt8])
  /// jsonb, given as text.
  case json(String)
  /// timestamptz.
  case timestamp(EpochMilliseconds)
  case int8Array([Int64])
  /// Without NUL, as `text`.
  case textArray([String])

  var type: Oid {
    switch self {
    case .null: TypeOID.unspecified
    case .bool: TypeOID.bool
    case .int2: TypeOID.int2
    case .int4: TypeOID.int4
    case .int8: TypeOID.int8
    case .double: TypeOID.float8
    case .text: TypeOID.text
    case .bytes: TypeOID.bytea
    case .json: TypeOID.jsonb
    case .timestamp: TypeOID.timestamptz
    case .int8Array: TypeOID.int8Array
    case .textArray: TypeOID.textArray
    }
  }

  /// Appends the value's binary form.
  /// - Returns: false for null, which has none.
  func append(to out: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .bool(let value): out.append(value ? 1 : 0)
    case .int2(let value): out.appendBigEndian(value)
    case .int4(let value): out.appendBigEndian(value)
    case .int8(let value): out.appendBigEndian(value)
    case .double(let value): out.appendBigEndian(value.bitPattern)
    case .text(let value): out.append(contentsOf: value.utf8)
    case .bytes(let value): out.append(contentsOf: value)
    case .json(let value):
      out.append(1)  // jsonb_recv: the version of the format
      out.append(contentsOf: value.utf8)
    case .timestamp(let value): out.appendBigEndian(Timestamp.encode(value))
    case .int8Array(let values):
      Self.appendArrayHeader(count: values.count, element: TypeOID.int8, to: &out)
      for value in values {
        out.appendBigEndian(Int32(8))
        out.appendBigEndian(value)
      }
    case .textArray(let values):
      Self.appendArrayHeader(count: values.count, element: TypeOID.text, to: &out)
      for value in values {
        let length = out.count
        out.appendBigEndian(Int32(0))
        out.append(contentsOf: value.utf8)
        out.setBigEndian(Int32(truncatingIfNeeded: out.count - length - 4), at: length)
      }
    }
    return true
  }

  /// array_recv: dimensions, whether nulls occur, element type; then for each dimension its length and lower bound.
  private static func appendArrayHeader(count: Int, element: Oid, to out: inout [UInt8]) {
    out.appendBigEndian(Int32(count == 0 ? 0 : 1))
    out.appendBigEndian(Int32(0))
    out.appendBigEndian(element)
    guard count > 0 else { return }
    out.appendBigEndian(Int32(truncatingIfNeeded: count))
    out.appendBigEndian(Int32(1))
  }
}
