/// The functions of the language that compute something of all their operands; `Chooser` has the others. Values are
/// escaped for their place by themselves, so there is none for that.
enum Function: String, Sendable, CaseIterable {
  // Go's own: each means what it means in text/template.
  case not, eq, ne, lt, le, gt, ge, len, index, printf, urlquery
  /// A value as JSON text; alone as a bare value it is the value itself.
  case json
  /// The same under the name other template tools use.
  case toJson
  case upper, lower
  /// The first letter of every word large, the others as they are.
  case title
  /// `truncate 40 .Body`: so many characters as a reader counts them; `truncate 120 "bytes" .Body`: as many whole
  /// characters as fit.
  case truncate

  /// How many operands it takes, a piped one included.
  var operands: ClosedRange<Int> {
    switch self {
    case .not, .len, .urlquery, .json, .toJson, .upper, .lower, .title: 1...1
    case .ne, .lt, .le, .gt, .ge: 2...2
    case .truncate: 2...3
    case .index, .printf: 1...Int.max
    case .eq: 2...Int.max
    }
  }

  /// What people try that is not here, and what to write instead.
  static let refusals = [
    "print": "write the values side by side, or use printf", "println": "write the values side by side, or use printf",
    "html": "values are escaped for their place", "js": "values are escaped for their place",
    "slice": "truncate shortens a text", "call": "there is nothing to call",
  ]
}
