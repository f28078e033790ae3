/// What a row's JSON says that Salvo can't take: which field, and what is allowed there. One line.
public struct CampaignError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Path from the column's name on: `content.buttons[1].link`.
  public let field: String
  /// `0 to 999, not -1`
  public let message: String

  /// - Parameters:
  ///   - field: path from the column's name on.
  ///   - message: what is allowed, without the field's name.
  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  public var description: String { "\(field): \(message)" }
}
