/// A template's bytes, and the means to say where in them something is wrong.
struct SourceText: Sendable {
  let name: String
  let bytes: [UInt8]

  /// Line and column of a byte, both from 1; the column counts characters as an editor does.
  func position(of offset: Int) -> (line: Int, column: Int) {
    let end = min(max(offset, 0), bytes.count)
    let lineStart = bytes[..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = bytes[..<lineStart].count { $0 == 0x0A } + 1
    return (line, String(decoding: bytes[lineStart..<end], as: UTF8.self).count + 1)
  }

  /// `line 3, column 5`, to name a second place in a message.
  func place(of offset: Int) -> String {
    let (line, column) = position(of: offset)
    return "line \(line), column \(column)"
  }

  func error(at offset: Int, _ message: String) -> TemplateError {
    let (line, column) = position(of: offset)
    return TemplateError(source: name, line: line, column: column, message: message)
  }
}
