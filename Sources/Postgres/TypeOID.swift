internal import CLibpq

/// Object identifiers of the built-in types that cross the wire here; fixed for ever (pg_type.dat).
enum TypeOID {
  /// Left to the server to infer.
  static let unspecified: Oid = 0
  static let bool: Oid = 16
  static let bytea: Oid = 17
  static let int8: Oid = 20
  static let int2: Oid = 21
  static let int4: Oid = 23
  static let text: Oid = 25
  static let oid: Oid = 26
  static let json: Oid = 114
  static let float4: Oid = 700
  static let float8: Oid = 701
  static let textArray: Oid = 1009
  static let int8Array: Oid = 1016
  static let bpchar: Oid = 1042
  static let varchar: Oid = 1043
  static let name: Oid = 19
  static let timestamptz: Oid = 1184
  static let jsonb: Oid = 3802
}
