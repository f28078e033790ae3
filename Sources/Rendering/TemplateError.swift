/// Why a template or a text of the content is refused: where, and what was expected.
public struct TemplateError: Error, Equatable, CustomStringConvertible {
  /// The template's or the field's name.
  public let source: String
  /// From 1; the column counts characters.
  public let line: Int
  /// In characters, from 1.
  public let column: Int
  /// What is wrong and what was expected, one line.
  public let message: String

  /// - Parameters:
  ///   - source: the template's or the field's name.
  ///   - line: from 1, as is the column.
  public init(source: String, line: Int, column: Int, message: String) {
    self.source = source
    self.line = line
    self.column = column
    self.message = message
  }

  public var description: String { "\(source), line \(line), column \(column): \(message)" }
}
