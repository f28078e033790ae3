/// A table that scrolls sideways on a narrow screen, and whose head is repeated on each printed page.
struct HTMLTable {
  private let columns: [(title: String, isNumber: Bool)]
  private var rows: [HTML] = []

  /// - Parameter columns: titles; one that begins with `#` is of numbers.
  init(_ columns: [String]) {
    self.columns = columns.map { $0.hasPrefix("#") ? (String($0.dropFirst()), true) : ($0, false) }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// - Parameter isSum: the last row, of sums.
  mutating func add(_ cells: [HTML], isSum: Bool = false) {
    let cells = zip(columns, cells).map { column, cell -> HTML in
      column.isNumber ? "<td class=\"n\">\(cell)</td>" : "<td>\(cell)</td>"
    }
    rows.append(isSum ? "<tr class=\"sum\">\(cells)</tr>\n" : "<tr>\(cells)</tr>\n")
  }

  var html: HTML {
    let head = columns.map { column -> HTML in
      column.isNumber ? "<th class=\"n\">\(column.title)</th>" : "<th>\(column.title)</th>"
    }
    return """
      <div class="scroll"><table><thead><tr>\(head)</tr></thead><tbody>
      \(rows)</tbody></table></div>

      """
  }
}
