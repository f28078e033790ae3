internal import Base

/// Reads a template's actions into a tree and resolves every name, so that nothing unknown is left for the run.
struct Parser {
  /// A name in scope.
  private struct Variable {
    let name: String
    let slot: Int
    let schema: Schema
  }

  /// What ended a body.
  private enum Ending {
    case end
    /// With the words after `else`.
    case otherwise([Token])
    case text
  }

  private let source: SourceText
  private let root: Schema
  private let segments: [Lexer.Segment]
  private var at = 0
  private var variables: [Variable] = []
  private var slots = 0
  /// What `.` stands for; nil outside of every range, where it is the root.
  private var dot: Schema?
  private var depth = 0
  private var loops = 0
  /// Deeper nesting than any person writes; keeps the stack, and with ranges the time, safe from a hostile template.
  private static let deepest = 64
  private static let deepestLoop = 3

  private init(_ source: SourceText, root: Schema) throws(TemplateError) {
    self.source = source
    self.root = root
    segments = try Lexer.segments(of: source)
  }

  /// - Parameter root: the names that the template may use.
  static func parse(_ source: SourceText, root: Schema) throws(TemplateError) -> Template {
    if let fault = firstInvalid(source.bytes) { throw source.error(at: fault, "this is not valid UTF-8") }
    var parser = try Parser(source, root: root)
    let (nodes, ending, offset) = try parser.body()
    guard case .text = ending else { throw source.error(at: offset, "there is no 'if' or 'range' to end here") }
    return Template(source: source, nodes: nodes, slots: parser.slots)
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
    let scope = variables.count
    defer { variables.removeSubrange(scope...) }
    var nodes: [Node] = []
    while at < segments.count {
      let segment = segments[at]
      at += 1
      switch segment {
      case .text(let range):
        nodes.append(.text(TextRun(bytes: Array(source.bytes[range]), offsets: Array(range))))
      case .action(let tokens, let offset, _):
        var words = TokenCursor(tokens: tokens, source: source, end: offset)
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
        case "if", "range":
          if depth > Self.deepest { throw source.error(at: offset, "more than \(Self.deepest) levels of if and range") }
          words.skip()
          nodes.append(word == "if" ? .choice(try choice(words, offset)) : .loop(try loop(words, offset)))
        case "with", "define", "template", "block", "break", "continue":
          throw source.error(at: offset, "the word '\(word)' is not supported; there are if, else, range and end")
        default: nodes.append(try statement(&words, offset))
        }
      }
    }
    return (nodes, .text, source.bytes.count)
  }

  /// `$name := pipeline`, or a pipeline to write.
  private mutating func statement(_ words: inout TokenCursor, _ offset: Int) throws(TemplateError) -> Node {
    if case .variable(let name)? = words.peek, words.peekSecond == .declare {
      words.skip()
      words.skip()
      if name.isEmpty { throw source.error(at: offset, "a variable needs a name: $name := …") }
      let (expression, schema) = try pipeline(&words)
      try words.finish()
      return .declare(slot: declare(name, schema), expression)
    }
    let start = words.offset
    let (expression, schema) = try pipeline(&words)
    try words.finish()
    switch schema {
    case .value, .open: return .action(expression, offset: offset)
    case .list: throw source.error(at: start, "\(expression.text) is a list: range over it")
    case .record(let title, let members):
      let known = members.keys.sorted().map { ".\($0)" }.joined(separator: " ")
      throw source.error(at: start, "\(expression.text) can't be written as it is: \(title) has \(known)")
    case .names: throw needsName(expression, at: start)
    }
  }

  private func needsName(_ expression: Expression, at offset: Int) -> TemplateError {
    source.error(at: offset, "\(expression.text) needs a name, as in \(expression.text).city")
  }

  private mutating func declare(_ name: String, _ schema: Schema) -> Int {
    variables.append(Variable(name: name, slot: slots, schema: schema))
    slots += 1
    return slots - 1
  }

  private mutating func choice(_ first: TokenCursor, _ offset: Int) throws(TemplateError) -> Choice<[Node]> {
    var arms: [Arm<[Node]>] = []
    var words = first
    var start = offset
    while true {
      let place = words.offset
      let (condition, schema) = try pipeline(&words)
      try words.finish()
      if case .names = schema { throw needsName(condition, at: place) }
      let (nodes, ending, end) = try body()
      arms.append(Arm(condition: condition, body: nodes, offset: start, end: end))
      switch ending {
      case .text: throw source.error(at: offset, "the 'if' that begins here has no 'end'")
      case .end: return Choice(arms: arms, otherwise: nil, offset: offset, end: end)
      case .otherwise(let tokens):
        words = TokenCursor(tokens: tokens, source: source, end: end)
        start = end
        if case .word("if")? = words.peek {
          words.skip()
          continue
        }
        try words.finish()
        let (otherwise, close) = try lastBody(of: "if", offset)
        return Choice(arms: arms, otherwise: otherwise, offset: offset, end: close)
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
    var names: [String] = []
    if case .variable(let name)? = words.peek, words.peekSecond == .declare || words.peekSecond == .comma {
      words.skip()
      names = [name]
      if words.peek == .comma {
        words.skip()
        guard case .variable(let second)? = words.peek else {
          throw source.error(at: words.offset, "a second variable was expected: range $index, $element := …")
        }
        words.skip()
        names.append(second)
      }
      guard words.peek == .declare else { throw source.error(at: words.offset, "':=' was expected") }
      words.skip()
    }
    let place = words.offset
    let (list, schema) = try pipeline(&words)
    try words.finish()
    let element: Schema
    switch schema {
    case .list(let schema): element = schema
    case .open: element = .open
    default: throw source.error(at: place, "range needs a list, \(list.text) is none")
    }
    loops += 1
    if loops > Self.deepestLoop {
      throw source.error(at: offset, "more than \(Self.deepestLoop) ranges within each other")
    }
    let outerDot = dot
    let outerCount = variables.count
    dot = element
    let indexSlot = names.count == 2 ? declare(names[0], .value) : nil
    let elementSlot = names.last.map { declare($0, element) }
    let (nodes, ending, end) = try body()
    dot = outerDot
    loops -= 1
    variables.removeSubrange(outerCount...)
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
}

extension Parser {
  /// `operand | function operand | …`: each result is the next function's last operand.
  private mutating func pipeline(_ words: inout TokenCursor) throws(TemplateError) -> (Expression, Schema) {
    var result = try command(&words, piped: nil)
    while words.peek == .pipe {
      words.skip()
      guard case .word? = words.peek else { throw source.error(at: words.offset, "a function was expected after '|'") }
      result = try command(&words, piped: result)
    }
    return result
  }

  private mutating func command(
    _ words: inout TokenCursor, piped: (Expression, Schema)?
  ) throws(TemplateError) -> (Expression, Schema) {
    guard case .word(let name)? = words.peek, !["true", "false", "nil"].contains(name) else {
      return try operand(&words)
    }
    let offset = words.offset
    words.skip()
    guard let function = Function(rawValue: name) else {
      let known = Function.allCases.map(\.rawValue).joined(separator: ", ")
      throw source.error(
        at: offset, "the function '\(name)' is not supported (values are escaped for their place); there are \(known)")
    }
    var operands: [(Expression, Schema)] = []
    while words.startsOperand { operands.append(try operand(&words)) }
    if let piped { operands.append(piped) }
    guard operands.count == function.operands else {
      throw source.error(at: offset, "\(name) takes \(function.operands) operands, here are \(operands.count)")
    }
    for (expression, schema) in operands {
      switch schema {
      case .value, .open: continue
      default: throw source.error(at: offset, "\(name) takes plain values, \(expression.text) is none")
      }
    }
    return (.call(function, operands.map(\.0), offset: offset), .value)
  }

  private mutating func operand(_ words: inout TokenCursor) throws(TemplateError) -> (Expression, Schema) {
    let offset = words.offset
    switch words.peek {
    case .constant(let value)?:
      words.skip()
      return (.constant(value), .value)
    case .word("true")?, .word("false")?:
      let flag = words.peek == .word("true")
      words.skip()
      return (.constant(.bool(flag)), .value)
    case .word("nil")?:
      words.skip()
      return (.constant(.null), .value)
    case .dot?:
      words.skip()
      return (.path(dot == nil ? .root : .dot, [], offset: offset), dot ?? root)
    case .field?:
      return try path(from: dot == nil ? .root : .dot, dot ?? root, "", &words, offset, isFirstGlued: true)
    case .variable(let name)?:
      words.skip()
      if name.isEmpty { return try path(from: .root, root, "$", &words, offset) }
      guard let variable = variables.last(where: { $0.name == name }) else {
        let known = variables.map { "$\($0.name)" }.joined(separator: " ")
        throw source.error(
          at: offset, "there is no $\(name) here" + (known.isEmpty ? "" : "; there are \(known)"))
      }
      return try path(from: .variable(slot: variable.slot), variable.schema, "$\(name)", &words, offset)
    case .open?:
      words.skip()
      let inner = try pipeline(&words)
      guard words.peek == .close else { throw source.error(at: words.offset, "')' was expected") }
      words.skip()
      return inner
    default: throw source.error(at: offset, "a value was expected: .Name, $name, a text or a number")
    }
  }

  /// The names glued to what came before.
  private mutating func path(
    from start: Expression.Start, _ schema: Schema, _ text: String, _ words: inout TokenCursor, _ offset: Int,
    isFirstGlued: Bool = false
  ) throws(TemplateError) -> (Expression, Schema) {
    var schema = schema
    var text = text
    var names: [String] = []
    while case .field(let name)? = words.peek, words.isGlued || (names.isEmpty && isFirstGlued) {
      do {
        schema = try schema.member(name, of: text)
      } catch {
        throw source.error(at: words.offset, error.message)
      }
      names.append(name)
      text += ".\(name)"
      words.skip()
    }
    return (.path(start, names, offset: offset), schema)
  }
}
