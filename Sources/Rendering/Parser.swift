internal import Base

/// Reads a template's actions into a tree and resolves every name, so that nothing unknown is left for the run.
struct Parser {
  /// What ended a body.
  private enum Ending {
    case end
    /// With the words after `else`.
    case otherwise([Token])
    case text
  }

  private let source: SourceText
  private let segments: [Lexer.Segment]
  private var at = 0
  private var scope: Scope
  private var depth = 0
  private var loops = 0
  /// Deeper nesting than any person writes; keeps the stack, and with ranges the time, safe from a hostile template.
  private static let deepest = 64
  private static let deepestLoop = 3
  private static let mostArms = 64

  private init(_ source: SourceText, root: Schema) throws(TemplateError) {
    self.source = source
    scope = Scope(root: root)
    segments = try Lexer.segments(of: source)
  }

  /// - Parameter root: the names that the template may use.
  static func parse(_ source: SourceText, root: Schema) throws(TemplateError) -> Template {
    if let fault = firstInvalid(source.bytes) { throw source.error(at: fault, "this is not valid UTF-8") }
    var parser = try Parser(source, root: root)
    let (nodes, ending, offset) = try parser.body()
    guard case .text = ending else { throw source.error(at: offset, "there is no 'if', 'with' or 'range' to end here") }
    return Template(source: source, nodes: nodes, slots: parser.scope.slots)
  }

  private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var low = 0
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { low += UTF8.width(scalar) }
    return low
  }

  /// Nodes up to `{{end}}`, `{{else}}` or the end of the text, and where that stands.
  private mutating func body() throws(TemplateError) -> ([Node], Ending, Int) {
    depth += 1
    defer { depth -= 1 }
    let count = scope.count
    defer { scope.leave(count) }
    var nodes: [Node] = []
    while at < segments.count {
      let segment = segments[at]
      at += 1
      switch segment {
      case .text(let range):
        nodes.append(.text(TextRun(bytes: Array(source.bytes[range]), offsets: Array(range))))
      case .action(let tokens, let offset, let end):
        // What is missing at the end of an action is missed before its }}.
        var words = TokenCursor(tokens: tokens, source: source, end: end - 2)
        guard case .word(let word)? = words.peek else {
          nodes.append(try statement(&words, offset))
          continue
        }
        switch word {
        case "end":
          words.skip()
          try words.finish()
          return (nodes, .end, offset)
        case "else": return (nodes, .otherwise(Array(tokens.dropFirst())), offset)
        case "if", "with", "range":
          if depth > Self.deepest {
            throw source.error(at: offset, "more than \(Self.deepest) levels of if, with and range")
          }
          words.skip()
          nodes.append(word == "range" ? .loop(try loop(words, offset)) : .choice(try choice(word, words, offset)))
        case "define", "template", "block", "break", "continue": throw source.error(at: offset, Self.refusal(of: word))
        default: nodes.append(try statement(&words, offset))
        }
      }
    }
    return (nodes, .text, source.bytes.count)
  }

  private static func refusal(of word: String) -> String {
    switch word {
    case "break", "continue": "the word '\(word)' is not supported: put what it would skip under an if"
    default: "the word '\(word)' is not supported: a template is one text"
    }
  }

  private mutating func pipeline(_ words: inout TokenCursor) throws(TemplateError) -> (Expression, Schema) {
    try ExpressionParser.pipeline(&words, scope, source)
  }

  /// `$name :=` or `$name =`, if that comes next.
  private func target(_ words: inout TokenCursor) throws(TemplateError) -> (name: String, isNew: Bool)? {
    guard case .variable(let name)? = words.peek, [.declare, .assign].contains(words.peekSecond) else { return nil }
    if name.isEmpty { throw source.error(at: words.offset, "a variable needs a name: $name := …") }
    let isNew = words.peekSecond == .declare
    words.skip()
    words.skip()
    return (name, isNew)
  }

  private mutating func slot(
    _ target: (name: String, isNew: Bool), _ schema: Schema, at offset: Int
  ) throws(TemplateError) -> Int {
    if target.isNew { return scope.declare(target.name, schema) }
    do {
      return try scope.variable(target.name, for: schema)
    } catch {
      throw source.error(at: offset, error.message)
    }
  }

  /// `$name := pipeline`, `$name = pipeline`, or a pipeline to write.
  private mutating func statement(_ words: inout TokenCursor, _ offset: Int) throws(TemplateError) -> Node {
    let start = words.offset
    let target = try target(&words)
    let (expression, schema) = try pipeline(&words)
    try words.finish()
    if case .names = schema { throw needsName(expression, at: start) }
    if let target { return .set(Assignment(slot: try slot(target, schema, at: start), value: expression)) }
    switch schema {
    case .value, .open: return .action(expression, offset: offset)
    case .list: throw source.error(at: start, "\(expression.text) is a list: range over it")
    case .mixed: throw source.error(at: start, "\(expression.text) may be a list, so it can't be written")
    case .record(let title, let members):
      let known = members.keys.sorted().map { ".\($0)" }.joined(separator: " ")
      throw source.error(at: start, "\(expression.text) can't be written as it is: \(title) has \(known)")
    case .names: throw needsName(expression, at: start)
    }
  }

  private func needsName(_ expression: Expression, at offset: Int) -> TemplateError {
    source.error(at: offset, "\(expression.text) needs a name, as in \(expression.text).city")
  }

  /// - Parameter word: `if` or `with`, which its `else` parts may repeat.
  private mutating func choice(
    _ word: String, _ first: TokenCursor, _ offset: Int
  ) throws(TemplateError) -> Choice<[Node]> {
    let outerSlots = scope.slots
    let count = scope.count
    let dot = scope.dot
    defer { scope.leave(count) }
    var arms: [Arm<[Node]>] = []
    var words = first
    var start = offset
    while true {
      let place = words.offset
      let target = try target(&words)
      let (condition, schema) = try pipeline(&words)
      try words.finish()
      if case .names = schema { throw needsName(condition, at: place) }
      let slot = try target.map { (target) throws(TemplateError) in try self.slot(target, schema, at: place) }
      if word == "with" { scope.dot = schema }
      let (nodes, ending, end) = try body()
      scope.dot = dot
      arms.append(
        Arm(condition: condition, slot: slot, isWith: word == "with", body: nodes, offset: start, end: end))
      if arms.count > Self.mostArms { throw source.error(at: start, "more than \(Self.mostArms) branches") }
      switch ending {
      case .text: throw source.error(at: offset, "the '\(word)' that begins here has no 'end'")
      case .end: return Choice(arms: arms, otherwise: nil, outerSlots: outerSlots, offset: offset, end: end)
      case .otherwise(let tokens):
        words = TokenCursor(tokens: tokens, source: source, end: end)
        start = end
        if words.peek == .word(word) {
          words.skip()
          continue
        }
        try words.finish()
        let (otherwise, close) = try lastBody(of: word, offset)
        return Choice(arms: arms, otherwise: otherwise, outerSlots: outerSlots, offset: offset, end: close)
      }
    }
  }

  /// The body after a plain `{{else}}`, which only `{{end}}` may end.
  private mutating func lastBody(of word: String, _ offset: Int) throws(TemplateError) -> ([Node], Int) {
    let (nodes, ending, end) = try body()
    switch ending {
    case .end: return (nodes, end)
    case .text: throw source.error(at: offset, "the '\(word)' that begins here has no 'end'")
    case .otherwise: throw source.error(at: end, "'end' was expected: the '\(word)' already has its 'else'")
    }
  }

  private mutating func loop(_ first: TokenCursor, _ offset: Int) throws(TemplateError) -> Loop<[Node]> {
    var words = first
    let targets = try targets(&words)
    let place = words.offset
    let (list, schema) = try pipeline(&words)
    try words.finish()
    let element: Schema
    switch schema {
    case .list(let schema): element = schema
    case .open: element = .open
    // A number counts. None of the launch's and the recipient's own is there to count with.
    case .value where !list.isRootPath: element = .value
    default: throw source.error(at: place, "range needs a list, \(list.text) is none")
    }
    loops += 1
    if loops > Self.deepestLoop {
      throw source.error(at: offset, "more than \(Self.deepestLoop) ranges within each other")
    }
    let dot = scope.dot
    let count = scope.count
    scope.dot = element
    let indexSlot = targets.count == 2 ? try slot(targets[0], .value, at: place) : nil
    let elementSlot = try targets.last.map { (target) throws(TemplateError) in try slot(target, element, at: place) }
    let (nodes, ending, end) = try body()
    scope.dot = dot
    loops -= 1
    scope.leave(count)
    var otherwise: [Node]?
    var close = end
    switch ending {
    case .text: throw source.error(at: offset, "the 'range' that begins here has no 'end'")
    case .end: break
    case .otherwise(let tokens):
      try TokenCursor(tokens: tokens, source: source, end: end).finish()
      let last = try lastBody(of: "range", offset)
      otherwise = last.0
      close = last.1
    }
    return Loop(
      list: list, indexSlot: indexSlot, elementSlot: elementSlot, body: nodes, otherwise: otherwise, offset: offset,
      bodyEnd: end, end: close)
  }

  /// `$element :=`, `$index, $element :=`, the same with `=`, or nothing.
  private mutating func targets(_ words: inout TokenCursor) throws(TemplateError) -> [(name: String, isNew: Bool)] {
    guard case .variable(let name)? = words.peek, !name.isEmpty, words.peekSecond == .comma else {
      return try target(&words).map { [$0] } ?? []
    }
    words.skip()
    words.skip()
    guard case .variable? = words.peek else {
      throw source.error(at: words.offset, "a second variable was expected: range $index, $element := …")
    }
    guard let second = try target(&words) else {
      words.skip()
      throw source.error(at: words.offset, "':=' was expected")
    }
    return [(name, second.isNew), second]
  }
}
