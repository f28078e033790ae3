internal import Base

/// Functions that give one of their operands and compute none behind it.
enum Chooser: String, Sendable, CaseIterable {
  /// The first operand that is false, else the last, as in Go.
  case and
  /// The first operand that is true, else the last, as in Go.
  case or
  /// `default "friend" .Profile.name`: the second operand unless it is null or an empty text, else the first. 0 and
  /// false are values, so a badge of 0 stays. Here they are kept in the order in which they are tried.
  case `default`

  /// How many operands it takes, a piped one included.
  var operands: ClosedRange<Int> { self == .default ? 2...2 : 1...Int.max }

  /// Whether it gives this operand; nil when only the message's own value tells.
  func takes(_ value: Value) -> Bool? {
    switch self {
    case .and: value.isTrue.map { !$0 }
    case .or: value.isTrue
    case .default:
      switch value {
      case .data(.string(let text)): !text.isEmpty
      case .dynamic(let dynamic): dynamic.isText ? dynamic.isTrue : dynamic.isNeverNull ? true : nil
      case .encoded(.dynamic(let dynamic)): dynamic.isNeverNull ? true : nil
      default: !value.isNull
      }
    }
  }
}
