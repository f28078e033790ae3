internal import Base

/// Reads pipelines and resolves every name in them.
struct ExpressionParser {
  private let source: SourceText
  private let scope: Scope
  private var words: TokenCursor
  private var depth = 0
  /// Deeper than any person writes; keeps the stack safe from a hostile template.
  private static let deepest = 64

  private init(_ words: TokenCursor, _ scope: Scope, _ source: SourceText) {
    self.words = words
    self.scope = scope
    self.source = source
  }

  /// `operand | function operand | …`
  static func pipeline(
    _ words: inout TokenCursor, _ scope: Scope, _ source: SourceText
  ) throws(TemplateError) -> (Expression, Schema) {
    var parser = ExpressionParser(words, scope, source)
    let result = try parser.pipeline()
    words = parser.words
    return result
  }

  /// Each result is the next function's last operand.
  private mutating func pipeline() throws(TemplateError) -> (Expression, Schema) {
    let outer = depth
    defer { depth = outer }
    var result = try command(piped: nil)
    while words.peek == .pipe {
      try deepen()
      words.skip()
      guard case .word? = words.peek else { throw source.error(at: words.offset, "a function was expected after '|'") }
      result = try command(piped: result)
    }
    return result
  }

  private mutating func deepen() throws(TemplateError) {
    depth += 1
    if depth > Self.deepest {
      throw source.error(at: words.offset, "more than \(Self.deepest) calls within each other")
    }
  }

  private static let constants = ["true", "false", "nil"]

  private mutating func command(piped: (Expression, Schema)?) throws(TemplateError) -> (Expression, Schema) {
    let offset = words.offset
    guard case .word(let name)? = words.peek, piped != nil || !Self.constants.contains(name) else {
      return try operand()
    }
    words.skip()
    if let function = Function(rawValue: name) {
      return try call(function, operands(of: name, function.operands, piped: piped, at: offset), offset)
    }
    if let chooser = Chooser(rawValue: name) {
      return choice(chooser, try operands(of: name, chooser.operands, piped: piped, at: offset), offset)
    }
    throw unknown(name, at: offset)
  }

  private mutating func operands(
    of name: String, _ range: ClosedRange<Int>, piped: (Expression, Schema)?, at offset: Int
  ) throws(TemplateError) -> [(Expression, Schema)] {
    var operands: [(Expression, Schema)] = []
    while words.startsOperand { operands.append(try operand()) }
    if let piped { operands.append(piped) }
    guard range.contains(operands.count) else {
      let count =
        range.upperBound == .max
        ? "\(range.lowerBound) or more" : range.map { "\($0)" }.joined(separator: " or ")
      throw source.error(at: offset, "\(name) takes \(count) operands, here are \(operands.count)")
    }
    for case (let expression, .names) in operands where name != Function.index.rawValue {
      throw source.error(at: offset, "\(expression.text) needs a name, as in \(expression.text).city")
    }
    return operands
  }

  private func unknown(_ name: String, at offset: Int) -> TemplateError {
    let known = Function.allCases.map(\.rawValue) + Chooser.allCases.map(\.rawValue)
    if let reason = Function.refusals[name] {
      return source.error(at: offset, "the function '\(name)' is not supported: \(reason)")
    }
    let nearest = Spelling.nearest(to: name, among: known).map { " (did you mean \($0)?)" } ?? ""
    return source.error(
      at: offset, "there is no function '\(name)'\(nearest); there are \(known.sorted().joined(separator: ", "))")
  }

  private func choice(
    _ chooser: Chooser, _ operands: [(Expression, Schema)], _ offset: Int
  ) -> (Expression, Schema) {
    let schema = operands.dropFirst().reduce(operands[0].1) { $0.merged(with: $1.1) }
    let expressions = operands.map(\.0)
    return (.choose(chooser, chooser == .default ? expressions.reversed() : expressions, offset: offset), schema)
  }

  private func call(
    _ function: Function, _ operands: [(Expression, Schema)], _ offset: Int
  ) throws(TemplateError) -> (Expression, Schema) {
    let hidden = function.hiddenOperands.map { Expression.path(.root, $0, offset: offset) }
    let call = Expression.call(function, operands.map(\.0) + hidden, offset: offset)
    switch function {
    case .not: return (call, .value)
    case .index: return try element(operands, offset)
    case .len:
      if case .list = operands[0].1 { return (call, .value) }
    case .printf:
      guard case .constant(.string(let text)) = operands[0].0 else {
        throw source.error(at: offset, "printf takes its format first, written out in quotes")
      }
      let count: Int
      do {
        count = try Format(text).count
      } catch {
        throw source.error(at: offset, error.message)
      }
      guard count == operands.count - 1 else {
        throw source.error(at: offset, "printf: the format takes \(count) values, here are \(operands.count - 1)")
      }
    case .date:
      if case .constant(.string(let pattern)) = operands[0].0 {
        do { _ = try DateText(pattern) } catch { throw source.error(at: offset, error.message) }
      }
    default: break
    }
    for (expression, schema) in operands where !schema.isPlain {
      throw source.error(at: offset, "\(function.rawValue) takes plain values, \(expression.text) is none")
    }
    return (call, .value)
  }

  /// A name in quotes is as good as one behind a point.
  private func element(
    _ operands: [(Expression, Schema)], _ offset: Int
  ) throws(TemplateError) -> (Expression, Schema) {
    var (base, schema) = operands[0]
    for (key, keySchema) in operands.dropFirst() {
      guard keySchema.isPlain else {
        throw source.error(at: offset, "index takes plain values, \(key.text) is none")
      }
      switch (schema, key) {
      case (.list(let element), _):
        base = .call(.index, [base, key], offset: offset)
        schema = element
      case (_, .constant(.string(let name))):
        do {
          schema = try schema.member(name, of: base.text)
        } catch {
          throw source.error(at: offset, error.message)
        }
        base = base.member([name])
      case (.open, _): base = .call(.index, [base, key], offset: offset)
      case (.record, _), (.names, _): throw source.error(at: offset, "index: \(base.text) takes a name in quotes")
      default: throw source.error(at: offset, "index takes a list or an object, \(base.text) is none")
      }
    }
    return (base, schema)
  }

  private mutating func operand() throws(TemplateError) -> (Expression, Schema) {
    let offset = words.offset
    let start: Expression.Start = scope.dot == nil ? .root : .dot
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
    case .word(let name)? where Function(rawValue: name) != nil || Chooser(rawValue: name) != nil:
      throw source.error(at: offset, "a call among operands stands in parentheses: (\(name) …)")
    case .dot?:
      guard let dot = scope.dot else { throw source.error(at: offset, "'.' needs a name here, as in .Name") }
      words.skip()
      return (.path(start, [], offset: offset), dot)
    case .field?:
      return try members(of: .path(start, [], offset: offset), scope.dot ?? scope.root, "", isFirstGlued: true)
    case .variable(let name)?:
      words.skip()
      if name.isEmpty {
        guard case .field? = words.peek, words.isGlued else {
          throw source.error(at: offset, "'$' needs a name, as in $.Name")
        }
        return try members(of: .path(.root, [], offset: offset), scope.root, "$")
      }
      let variable: (slot: Int, schema: Schema)
      do {
        variable = try scope.variable(name)
      } catch {
        throw source.error(at: offset, error.message)
      }
      return try members(
        of: .path(.variable(slot: variable.slot), [], offset: offset), variable.schema, "$\(name)")
    case .open?:
      words.skip()
      try deepen()
      let (inner, schema) = try pipeline()
      depth -= 1
      guard words.peek == .close else { throw source.error(at: words.offset, "')' was expected") }
      words.skip()
      return try members(of: inner, schema, "(\(inner.text))")
    default: throw source.error(at: offset, "a value was expected: .Name, $name, a text or a number")
    }
  }

  /// The names glued to what came before.
  private mutating func members(
    of base: Expression, _ schema: Schema, _ text: String, isFirstGlued: Bool = false
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
    return (base.member(names), schema)
  }
}

extension Expression {
  /// A path goes on, anything else has members.
  fileprivate func member(_ names: [String]) -> Expression {
    if names.isEmpty { return self }
    return switch self {
    case .path(let start, let path, let offset): .path(start, path + names, offset: offset)
    case .member(let base, let path): .member(of: base, path + names)
    case .constant, .call, .choose: .member(of: self, names)
    }
  }
}
