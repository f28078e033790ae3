/// Why a template or a text of the content is refused: where, and what was expected.
public struct TemplateError: Error, Equatable, CustomStringConvertible {
  /// The template's or the field's name.
  public let source: String
  /// From 1; the column counts characters.
  public let line: Int
  public let column: Int
  public let message: String

  public init(source: String, line: Int, column: Int, message: String) {
    self.source = source
    self.line = line
    self.column = column
    self.message = message
  }

  public var description: String { "\(source), line \(line), column \(column): \(message)" }
}
