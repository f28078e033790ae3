internal import Base

/// Something an action computes.
indirect enum Expression: Sendable {
  enum Start: Sendable, Equatable {
    /// The element of the innermost range, or the value of the innermost with.
    case dot
    /// The template's own variables.
    case root
    case variable(slot: Int)
  }

  /// `.Title`, `$button.Label`, `$.Title`.
  case path(Start, [String], offset: Int)
  /// `(index .Actions 0).Label`
  case member(of: Expression, [String])
  case constant(JSON)
  case call(Function, [Expression], offset: Int)
  case choose(Chooser, [Expression], offset: Int)
}

extension Expression {
  /// This expression and those within it.
  func visit(_ visit: (Expression) -> Void) {
    visit(self)
    switch self {
    case .path, .constant: return
    case .member(let base, _): base.visit(visit)
    case .call(_, let operands, _), .choose(_, let operands, _): for operand in operands { operand.visit(visit) }
    }
  }

  /// Whether it is a name of the template's own.
  var isRootPath: Bool { if case .path(.root, _, _) = self { true } else { false } }

  /// As a person would write it, for messages.
  var text: String {
    switch self {
    case .path(.variable, let names, _): "$" + names.map { ".\($0)" }.joined()
    case .path(_, let names, _): names.isEmpty ? "." : names.map { ".\($0)" }.joined()
    case .member(let base, let names): "(\(base.text))" + names.map { ".\($0)" }.joined()
    case .constant(let value): value.text
    case .call(let function, let operands, _):
      ([function.rawValue] + operands.dropLast(function.hiddenOperands.count).map(\.text)).joined(separator: " ")
    case .choose(.default, let operands, _): (["default"] + operands.reversed().map(\.text)).joined(separator: " ")
    case .choose(let chooser, let operands, _): ([chooser.rawValue] + operands.map(\.text)).joined(separator: " ")
    }
  }
}

/// Sets a variable: `$x := …` and, where it is declared already, `$x = …`.
struct Assignment: Sendable {
  let slot: Int
  let value: Expression
}
