/// Comma-separated values (RFC 4180): CRLF line ends, quotes where they are needed.
struct CSV {
  /// What a text must not begin with: spreadsheets would take it for a formula and run it. An apostrophe before it
  /// makes it text (OWASP, CSV injection).
  private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "\t", "\r"]

  enum Cell {
    case number(Int64?)
    case text(String?)
  }

  private(set) var text = ""

  mutating func add(_ cells: [Cell]) { text += cells.map(Self.cell).joined(separator: ",") + "\r\n" }

  private static func cell(_ cell: Cell) -> String {
    switch cell {
    case .number(let number): return number.map(String.init) ?? ""
    case .text(let text):
      guard let text, let first = text.first else { return "" }
      let safe = formulaStarts.contains(first) ? "'" + text : text
      guard safe.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return safe }
      return "\"\(safe.replacing("\"", with: "\"\""))\""
    }
  }
}
