internal import Base

/// What a device token may look like. Wrong ones are refused before any request: a provider counts them as errors,
/// and a path made of one could lead anywhere.
enum TokenShape {
  /// FCM's and Huawei's are opaque; 300 and 1,024 characters were met in the field, far longer ones are damage.
  static let longest = 2048

  /// The token without the white space around it.
  static func trimmed(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var token = token
    while let byte = token.first, isSpace(byte) { token.removeFirst() }
    while let byte = token.last, isSpace(byte) { token.removeLast() }
    return token
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Appends an opaque token: 1…2,048 visible ASCII characters without quotes and backslashes. White space around
  /// it is trimmed, inside it is an error: squeezed, the token would name nobody or somebody else.
  static func appendOpaque(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    let token = trimmed(token)
    guard (1...longest).contains(token.count) else { return false }
    for byte in token where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      return false
    }
    out.append(contentsOf: token)
    return true
  }

  /// Appends an APNs token: 64…200 hex digits, an even number, in lower case. Apple says the length varies and ends
  /// at 100 bytes. `<0011 2233>`, what iOS once printed, loses its brackets and the spaces inside them.
  static func appendHex(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    var token = trimmed(token)
    let isPrinted = token.first == UInt8(ascii: "<") && token.last == UInt8(ascii: ">") && token.count > 1
    if isPrinted { token = token.dropFirst().dropLast() }
    let start = out.count
    for byte in token {
      if isPrinted, isSpace(byte) { continue }
      guard let value = Hex.value(of: byte), out.count - start < 200 else {
        out.removeLast(out.count - start)
        return false
      }
      out.append(Hex.digit(value))
    }
    let count = out.count - start
    if count >= 64, count.isMultiple(of: 2) { return true }
    out.removeLast(count)
    return false
  }
}
