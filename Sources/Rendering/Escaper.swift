internal import Base

/// Escapes bytes for a JSON string that stands in `depth` strings: 1 in the payload itself, 2 in JSON inside a string.
///
/// Escaping twice replaces a byte by the escape of its escape, so each depth has one table of 256 replacements.
struct Escaper: Sendable {
  /// Where the replacement of a byte ends in `replacements`, and where it begins; equal for bytes that stay.
  private let ends: [UInt16]
  private let starts: [UInt16]
  private let replacements: [UInt8]

  init(depth: Int) {
    var ends: [UInt16] = []
    var starts: [UInt16] = []
    var replacements: [UInt8] = []
    for byte in UInt8.min...UInt8.max {
      var text = [byte]
      // Only ASCII is ever replaced.
      if byte < 0x80 {
        for _ in 0..<depth {
          var escaped: [UInt8] = []
          escaped.appendJSONEscaped(text)
          text = escaped
        }
      }
      starts.append(UInt16(truncatingIfNeeded: replacements.count))
      if text != [byte] { replacements += text }
      ends.append(UInt16(truncatingIfNeeded: replacements.count))
    }
    self.ends = ends
    self.starts = starts
    self.replacements = replacements
  }

  /// One for every depth there is, the payload's bare values (0) included.
  static let all = (0...PayloadParser.deepestLevel + 2).map { Escaper(depth: $0) }

  /// Appends a part of `bytes`.
  func append(_ bytes: [UInt8], _ part: Range<Int>, to out: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[part]), to: &out) }
  }

  func append(_ bytes: [UInt8], to out: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0, to: &out) }
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var plain = 0
    for index in bytes.indices {
      let byte = bytes[index]
      // Two compares spare the tables for nearly every byte.
      if byte >= 0x20, byte != 0x22, byte != 0x5C { continue }
      let start = Int(starts[Int(byte)])
      let end = Int(ends[Int(byte)])
      if start == end { continue }
      out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<index]))
      out.append(contentsOf: replacements[start..<end])
      plain = index + 1
    }
    out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
  }

  func escaped(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(Array(text.utf8), to: &out)
    return out
  }
}
