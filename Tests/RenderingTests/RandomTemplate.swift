import Base
import Rendering

/// Writes random payload templates of the whole language. They are meant to be accepted, nearly all of them: commas
/// are where they belong, kinds fit. Strings that hold JSON are the members whose names begin with `j`.
struct RandomTemplate {
  private enum Piece {
    case text(String)
    case action(String)
  }

  private var random: SplitMix
  private var keys = 0
  private var variables: [String] = []
  /// `.` is a button, or a text.
  private var dot: Dot?
  private var ranges = 0
  /// Conditions that a launch may leave to the message multiply what is bound.
  private var conditions = 0

  private enum Dot {
    case button
    case text
  }

  private init(_ random: SplitMix) { self.random = random }

  static func text(_ seed: UInt64) -> String {
    var template = RandomTemplate(SplitMix(state: seed))
    var body = template.object(depth: 0, level: 0)
    if template.chance(4) { body = template.assignment() + body }
    return body.map { piece in
      switch piece {
      case .text(let text), .action(let text): text
      }
    }.joined()
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private mutating func key(_ prefix: String) -> String {
    keys += 1
    return "\"\(prefix)\(keys)\(pick(["", "-x", " é", "\\n", "\\\""]))\""
  }

  /// `{{ x }}` with the spaces and trim markers that the place allows.
  private mutating func action(_ inner: String) -> Piece {
    .action(pick(["{{\(inner)}}", "{{ \(inner) }}", "{{\(inner) }}", "{{\n\(inner)\t}}"]))
  }

  private mutating func space() -> Piece { .text(pick(["", "", " ", "\n", "\t", "\r\n "])) }

  private mutating func comment() -> [Piece] {
    chance(12) ? [.action(pick(["{{/* a } \" { */}}", "{{- /**/ -}}"]))] : []
  }

  // MARK: Structure

  private mutating func object(depth: Int, level: Int) -> [Piece] {
    var pieces: [Piece] = [.text("{"), space()]
    pieces += member(depth: depth, level: level)
    for _ in 0..<Int.random(in: 0...(depth > 2 ? 1 : 4), using: &random) {
      pieces += furtherMembers(depth: depth, level: level)
    }
    return pieces + comment() + [space(), .text("}")]
  }

  /// With its comma before it.
  private mutating func furtherMembers(depth: Int, level: Int) -> [Piece] {
    let scope = variables
    defer { variables = scope }
    if chance(3), conditions < 5 {
      conditions += 1
      let word = pick(["if", "if", "with"])
      var pieces: [Piece] = []
      let (condition, dot) = word == "if" ? (self.condition(), self.dot) : withValue()
      let outer = self.dot
      pieces.append(action("\(word) \(condition)"))
      self.dot = dot
      pieces += [.text(",")] + member(depth: depth, level: level)
      self.dot = outer
      variables = scope
      if chance(2) {
        if chance(3) {
          pieces.append(action(word == "if" ? "else if \(self.condition())" : "else with \(text())"))
          self.dot = word == "if" ? outer : .text
          pieces += [.text(",")] + member(depth: depth, level: level)
          self.dot = outer
        }
        pieces.append(action("else"))
        if chance(2) { pieces += [.text(",")] + member(depth: depth, level: level) }
      }
      pieces.append(action("end"))
      return pieces
    }
    if chance(6) {
      let pieces = assignment()
      let known = variables
      defer { variables = scope + known.filter { !scope.contains($0) } }
      return pieces + [.text(",")] + member(depth: depth, level: level)
    }
    return [.text(",")] + comment() + [space()] + member(depth: depth, level: level)
  }

  private mutating func member(depth: Int, level: Int) -> [Piece] {
    if level < 2, chance(4) { return [.text(key("j")), .text(":")] + nested(depth: depth, level: level) }
    return [.text(key("k")), .text(":"), space()] + value(depth: depth, level: level)
  }

  private mutating func value(depth: Int, level: Int) -> [Piece] {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 9), using: &random) {
    case 0:
      return [.text(pick(["1", "-0.50", "1e3", "true", "null", "\"x\\u00e9\"", "[]", "{}", "18446744073709551616"]))]
    case 1: return [action(bare())]
    case 2, 3, 4: return string(level: level)
    case 5, 6: return object(depth: depth + 1, level: level)
    case 7: return array(depth: depth + 1, level: level)
    default:
      if conditions > 4 { return [action(bare())] }
      conditions += 1
      let condition = action("if \(self.condition())")
      let first = value(depth: depth + 1, level: level)
      let other = action("else")
      return [condition] + first + [other] + value(depth: depth + 1, level: level) + [action("end")]
    }
  }

  /// - Parameter isWhole: it is all of a string, which only structure behind the bracket makes JSON.
  private mutating func array(depth: Int, level: Int, isWhole: Bool = false) -> [Piece] {
    guard chance(2), ranges < 2, dot == nil else {
      var pieces = [Piece.text("[")] + (isWhole ? string(level: level) : value(depth: depth, level: level))
      if chance(2) { pieces += [.text(", ")] + value(depth: depth, level: level) }
      return pieces + [space(), .text("]")]
    }
    ranges += 1
    let scope = variables
    variables += ["$b.Label"]
    dot = .button
    let body = isWhole ? object(depth: depth + 1, level: level) : value(depth: depth + 1, level: level)
    dot = nil
    variables = scope
    ranges -= 1
    return [.text("["), action("range $i, $b := .Actions"), .action("{{if $i}}"), .text(","), .action("{{end}}")] + body
      + [action("end"), .text("]")]
  }

  /// JSON in a string: literal text is escaped once more, actions stay.
  private mutating func nested(depth: Int, level: Int) -> [Piece] {
    let inner =
      chance(3) ? array(depth: depth + 1, level: level + 1, isWhole: true) : object(depth: depth + 1, level: level + 1)
    let body = inner.map { piece -> Piece in
      guard case .text(let text) = piece else { return piece }
      return .text(String(JSON.string(text).text.dropFirst().dropLast()))
    }
    return [.text("\"")] + body + [.text("\"")]
  }

  private mutating func string(level: Int) -> [Piece] {
    let scope = variables
    defer { variables = scope }
    var pieces: [Piece] = [.text("\"")]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: pieces.append(.text(pick(["abc ", "\\\"", "\\\\", "😀", "\\u2028", "é", "/", "\\ud83d\\ude00"])))
      case 2 where conditions < 6:
        conditions += 1
        pieces += [action("if \(condition())"), .text("yes"), action("else"), action(bare()), action("end")]
      case 3 where ranges < 2 && dot == nil:
        pieces += [action("range .Actions"), action(".Label | \(pick(Self.textFunctions))"), .text(";"), action("end")]
      case 4: pieces += assignment()
      default: pieces.append(action(bare()))
      }
    }
    return pieces + [.text("\"")]
  }

  private mutating func assignment() -> [Piece] {
    if let known = variables.filter({ !$0.contains(".") }).randomElement(using: &random), chance(2) {
      return [action("\(known) = \(text())")]
    }
    keys += 1
    let value = text()
    variables.append("$v\(keys)")
    return [action("$v\(keys) := \(value)")]
  }

  // MARK: Expressions

  private static let textFunctions = [
    "upper", "lower", "title", "truncate 3", "truncate 9 \"bytes\"", "urlquery", "json", "printf \"%q\"",
    "printf \"<%5s>\"", "default \"d\"", "default $.Body",
  ]

  private mutating func text(_ depth: Int = 0) -> String {
    let names = ["Title", "Body", "SubTitle", "Icon", "Image", "ClickURL", "URL", "Deeplink", "Provider", "Priority"]
    switch Int.random(in: 0..<(depth > 1 ? 4 : 8), using: &random) {
    case 0: return pick(["\"lit\"", "`\"é`", "\"a\\\"b\\n\""])
    case 1 where !variables.isEmpty: return pick(variables)
    case 2 where dot == .button: return pick([".Label", ".Link"])
    case 2 where dot == .text: return "."
    case 4: return "(\(text(depth + 1)) | \(pick(Self.textFunctions)))"
    case 5: return "(\(pick(["or", "and"])) \(text(depth + 1)) \(text(depth + 1)))"
    case 6: return "(printf \"%s-%s\" \(text(depth + 1)) \(text(depth + 1)))"
    case 7:
      return pick([
        "$.Data.text", "(index $.Data.list 0)", "(index $.Data \"text\")", "(truncate 2 \(text(depth + 1)))",
      ])
    default: return "$.\(pick(names))"
    }
  }

  private mutating func number() -> String {
    pick(["$.Badge", "$.TTLSeconds", "3", "-0.5", "(len $.Actions)", "$.Data.number", "(len \(text(1)))"])
  }

  private mutating func condition(_ depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth > 1 ? 5 : 8), using: &random) {
    case 0: return text(1)
    case 1: return "\(depth == 0 ? "" : "(")eq \(text(1)) \(text(1)) \(text(1))\(depth == 0 ? "" : ")")"
    case 2:
      return
        "\(depth == 0 ? "" : "(")\(pick(["lt", "le", "gt", "ge", "eq", "ne"])) \(number()) \(number())\(depth == 0 ? "" : ")")"
    case 3: return pick(["$.Actions", "$.Silent", "$.Badge", "$.TTL", "$.Data", "$.Sound"])
    case 4: return "\(depth == 0 ? "" : "(")not \(text(1))\(depth == 0 ? "" : ")")"
    case 5: return "(not \(condition(depth + 1)))"
    default: return "(\(pick(["and", "or"])) \(condition(depth + 1)) \(condition(depth + 1)))"
    }
  }

  private mutating func withValue() -> (String, Dot?) {
    keys += 1
    let value = text(1)
    guard chance(2) else { return (value, .text) }
    variables.append("$w\(keys)")
    return ("$w\(keys) := \(value)", .text)
  }

  private mutating func bare() -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return number()
    case 1:
      return pick(["$.TTL", "$.Sound", "$.Data", "json $.Data", "$.UID", "$.Silent", "$.SubscriptionID", "$.Badge"])
    case 2: return "eq \(text(1)) \(text(1))"
    case 3: return "or \(text(1)) \(number())"
    default: return text()
    }
  }
}
