/// A piece of HTML. Whatever is interpolated is escaped, unless it is such a piece itself.
struct HTML: ExpressibleByStringInterpolation, Sendable, Equatable {
  /// The markup.
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// - Parameter markup: trusted: our own.
  init(markup: String) { text = markup }

  static let empty = HTML(markup: "")

  static func + (a: HTML, b: HTML) -> HTML { HTML(markup: a.text + b.text) }
  static func += (a: inout HTML, b: HTML) { a.text += b.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    mutating func appendInterpolation(_ words: String) { text += HTMLText.escaped(words) }
    /// A number, its thousands grouped.
    mutating func appendInterpolation(_ number: Int64) { text += Figures.grouped(number) }

    /// A text that others wrote: escaped, and isolated so that its direction of writing ends with it.
    mutating func appendInterpolation(foreign words: String) { text += "<bdi>\(HTMLText.escaped(words))</bdi>" }
  }
}
