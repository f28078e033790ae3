/// Aligned columns with a header, for people.
public struct TextTable {
  /// A title, and the side its cells are aligned to.
  public enum Column {
    case left(String)
    case right(String)

    var title: String {
      switch self {
      case .left(let title), .right(let title): title
      }
    }
  }

  private let columns: [Column]
  private var rows: [[String]]

  /// - Parameter columns: their titles become the first line.
  public init(columns: [Column]) {
    self.columns = columns
    rows = [columns.map(\.title)]
  }

  /// - Parameter cells: one a column. A name may hold anything, so line ends and controls become spaces.
  public mutating func add(_ cells: [String]) { rows.append(cells.map(\.onOneLine)) }

  /// Header first. No blanks at a line's end.
  public var lines: [String] {
    let widths = columns.indices.map { at in rows.map { $0[at].columns }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(columns, zip(row, widths)).map { column, cell in
        let (text, width) = cell
        let blanks = String(repeating: " ", count: width - text.columns)
        return switch column {
        case .left: text + blanks
        case .right: blanks + text
        }
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
