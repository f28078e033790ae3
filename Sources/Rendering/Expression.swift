internal import Base

/// Something an action computes.
indirect enum Expression: Sendable {
  enum Start: Sendable, Equatable {
    /// The element of the innermost range.
    case dot
    /// The template's own variables.
    case root
    case variable(slot: Int)
  }

  /// `.Title`, `$button.Label`, `$.Title`.
  case path(Start, [String], offset: Int)
  case constant(JSON)
  case call(Function, [Expression], offset: Int)
}

/// The functions of the language. Values are escaped for their place by themselves, so there is none for that.
enum Function: String, Sendable, CaseIterable {
  /// A value as JSON text; alone as a bare value it is the value itself.
  case json
  /// The same under the name other template tools use.
  case toJson
  /// `default "friend" .Profile.name`: the first operand when the second is null or an empty text. 0 and false are
  /// values, so a badge of 0 stays.
  case `default`

  var operands: Int { self == .default ? 2 : 1 }
}

extension Expression {
  /// This expression and those within it.
  func visit(_ visit: (Expression) -> Void) {
    visit(self)
    if case .call(_, let operands, _) = self { for operand in operands { operand.visit(visit) } }
  }

  /// As a person would write it, for messages.
  var text: String {
    switch self {
    case .path(.variable, let names, _): "$" + names.map { ".\($0)" }.joined()
    case .path(_, let names, _): names.isEmpty ? "." : names.map { ".\($0)" }.joined()
    case .constant(let value): value.text
    case .call(let function, let operands, _): ([function.rawValue] + operands.map(\.text)).joined(separator: " ")
    }
  }
}
