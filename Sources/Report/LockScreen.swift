/// How a message reads on a locked phone, in plain text: an approximation, since every maker and every font differs.
public struct LockScreen: Sendable {
  /// Cells of a line between the borders; phones show 38 to 45 letters.
  static let width = 42
  /// Lines of text before it is cut: iOS shows four, Android one until the message is unfolded.
  static let appleLines = 4
  static let androidLines = 1

  private let app: String
  private let title: String?
  private let body: String?
  private let buttons: [String]
  private let isApple: Bool

  public init(app: String, title: String?, body: String?, buttons: [String], isApple: Bool) {
    self.app = app
    self.title = title
    self.body = body
    self.buttons = buttons
    self.isApple = isApple
  }

  public var lines: [String] {
    var inside = [app.onOneLine.fitted(to: Self.width)]
    if let title, !title.isEmpty { inside.append(title.onOneLine.fitted(to: Self.width)) }
    inside += Self.wrapped(body ?? "", lines: isApple ? Self.appleLines : Self.androidLines)
    if !buttons.isEmpty {
      inside.append(buttons.map { "[\($0.onOneLine)]" }.joined(separator: " ").fitted(to: Self.width))
    }
    let border = "+" + String(repeating: "-", count: Self.width + 2) + "+"
    return [border] + inside.map { "| \($0.padded(to: Self.width)) |" } + [border]
  }

  /// Broken between words; what doesn't fit ends in `…`.
  static func wrapped(_ text: String, lines most: Int) -> [String] {
    var lines: [String] = []
    var words = text.onOneLine.split(separator: " ").map(String.init)[...]
    while let word = words.first, lines.count < most {
      if lines.count == most - 1 {
        lines.append(words.joined(separator: " ").fitted(to: width))
        break
      }
      var line = word.fitted(to: width)
      words.removeFirst()
      while let next = words.first, line.columns + 1 + next.columns <= width {
        line += " " + next
        words.removeFirst()
      }
      lines.append(line)
    }
    return lines
  }
}
