import Store

/// Inline SVG without words: those stand beside it as text, so that they keep their size on a phone.
enum Chart {
  /// Part of a bar: its CSS class, and how much.
  typealias Part = (kind: String, count: Int64)

  /// A bar from left to right, `whole` being its full width.
  static func bar(_ parts: [Part], of whole: Int64, label: String) -> HTML {
    var (x, rects): (Double, [HTML]) = (0, [])
    for part in parts where part.count > 0 && whole > 0 {
      // A handful of messages among millions is still to be seen.
      let width = max(Double(part.count) / Double(whole) * 1000, 3)
      rects.append(rect(part.kind, x: x, y: 0, width: width, height: 10))
      x += width
    }
    return """
      <svg class="bar" viewBox="0 0 \(coordinate(max(1000, x))) 10" preserveAspectRatio="none" role="img"\
       aria-label="\(label)">\(rects)</svg>
      """
  }

  /// Stacked columns over time.
  /// - Parameters:
  ///   - columns: one an interval, from the left; parts from the bottom.
  ///   - title: said of the column of that index when it is pointed at.
  static func columns(_ columns: [[Part]], label: String, title: (Int) -> String) -> HTML {
    let highest = columns.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0
    let groups = columns.enumerated().map { index, parts -> HTML in
      var (y, rects): (Double, [HTML]) = (100, [])
      for part in parts where part.count > 0 && highest > 0 {
        let height = Double(part.count) / Double(highest) * 100
        y -= height
        rects.append(rect(part.kind, x: Double(index) * 10 + 0.75, y: max(0, y), width: 8.5, height: height))
      }
      return rects.isEmpty ? .empty : "<g><title>\(title(index))</title>\(rects)</g>"
    }
    return """
      <svg class="chart" viewBox="0 0 \(coordinate(Double(max(columns.count, 12)) * 10)) 100"\
       preserveAspectRatio="none" role="img" aria-label="\(label)">\(groups)</svg>
      """
  }

  static func legend(_ parts: [Part]) -> HTML {
    let items = parts.filter { $0.count > 0 }.map { part -> HTML in
      "<li><i class=\"\(part.kind)\"></i>\(part.kind) \(part.count)</li>"
    }
    return "<ul class=\"legend\">\(items)</ul>\n"
  }

  private static func rect(_ kind: String, x: Double, y: Double, width: Double, height: Double) -> HTML {
    """
    <rect class="\(kind)" x="\(coordinate(x))" y="\(coordinate(y))" width="\(coordinate(width))"\
     height="\(coordinate(height))"/>
    """
  }

  private static func coordinate(_ number: Double) -> String { Figures.decimal(number, 2) }
}
