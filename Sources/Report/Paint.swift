/// Colour in a terminal, or none: `NO_COLOR` (no-color.org), a pipe, a dumb terminal.
public struct Paint: Sendable {
  /// The terminal's own colours, as ECMA-48 numbers them.
  public enum Colour: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case grey = 90
  }

  /// Whether anything is coloured.
  public let isOn: Bool

  /// - Parameter isOn: whether whoever reads is a terminal that shows colours and was not told otherwise.
  public init(isOn: Bool) { self.isOn = isOn }

  /// The text in that colour (ECMA-48, SGR), as wide as before.
  public func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
