/// Name-based UUIDs (RFC 9562 §5.5), for `apns-id`.
public enum UUIDv5 {
  /// Appends the 36 lower-case characters of the UUID of `name` in Salvo's own namespace.
  public static func append(of name: ArraySlice<UInt8>, to out: inout [UInt8]) {}
}
