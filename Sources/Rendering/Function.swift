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
  /// `date "d MMMM, HH:mm" .Vars.at`: a moment on the recipient's clock, in words of the recipient's language.
  case date
  /// `number .Vars.points`, `number 2 .Vars.price`: in groups of three as the recipient's language has them.
  case number
  /// `plural "item" "items" .Vars.count`, `plural "товар" "товара" "товаров" .Vars.count`: the word for the number.
  case plural
  /// Russian letters in Latin ones.
  case translit

  /// How many operands it takes, a piped one included.
  var operands: ClosedRange<Int> {
    switch self {
    case .not, .len, .urlquery, .json, .toJson, .upper, .lower, .title, .translit: 1...1
    case .ne, .lt, .le, .gt, .ge, .date: 2...2
    case .number: 1...2
    case .truncate: 2...3
    case .plural: 3...4
    case .index, .printf: 1...Int.max
    case .eq: 2...Int.max
    }
  }

  /// What it is given besides what is written: the recipient's own.
  var hiddenOperands: [[String]] {
    switch self {
    case .date: [["Recipient", "time_zone"], ["Recipient", "locale"]]
    case .number: [["Recipient", "locale"]]
    default: []
    }
  }

  /// What people try that is not here, and what to write instead.
  static let refusals = [
    "print": "write the values side by side, or use printf", "println": "write the values side by side, or use printf",
    "html": "values are escaped for their place", "js": "values are escaped for their place",
    "slice": "truncate shortens a text", "call": "there is nothing to call",
  ]
}
