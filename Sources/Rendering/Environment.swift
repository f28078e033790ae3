internal import Base

/// Where a template's own names get their values.
protocol RootValues {
  /// The value of `.A.B`; null where there is none.
  func value(of names: [String]) -> Value
}

/// Computes a template's expressions and keeps its variables. What can't be computed is refused with its place.
struct Environment<Root: RootValues> {
  private let source: SourceText
  private let root: Root
  /// What `.` stands for inside a range or a with.
  var dot = Value.null
  var variables: [Value]
  /// How often a range may still go round.
  private var rounds = Value.mostElements

  init(_ template: Template, root: Root) {
    source = template.source
    self.root = root
    variables = [Value](repeating: .null, count: template.slots)
  }

  func value(of expression: Expression) throws(TemplateError) -> Value {
    do {
      return try compute(expression)
    } catch {
      throw source.error(at: error.offset ?? 0, error.message)
    }
  }

  mutating func set(_ assignment: Assignment) throws(TemplateError) {
    variables[assignment.slot] = try value(of: assignment.value)
  }

  /// What an `if` or a `with` decides by; sets the variable that it declares.
  mutating func condition<Body>(of arm: Arm<Body>) throws(TemplateError) -> Value {
    let value = try value(of: arm.condition)
    if let slot = arm.slot { variables[slot] = value }
    return value
  }

  /// The elements a range goes over.
  func elements<Body>(of list: Value, in loop: Loop<Body>) throws(TemplateError) -> [(index: JSON, value: Value)] {
    guard let elements = list.elements else {
      throw source.error(at: loop.offset, "range needs a list, \(loop.list.text) is \(list.kind) here")
    }
    if case .data(.number) = list, loop.indexSlot != nil {
      throw source.error(at: loop.offset, "a range over a number has one variable")
    }
    return elements
  }

  /// Sets a range's variables to one element.
  mutating func enter<Body>(_ loop: Loop<Body>, index: JSON, element: Value) throws(TemplateError) {
    rounds -= 1
    if rounds < 0 { throw source.error(at: loop.offset, "ranges go round more than \(Value.mostElements) times") }
    dot = element
    if let slot = loop.indexSlot { variables[slot] = .data(index) }
    if let slot = loop.elementSlot { variables[slot] = element }
  }

  /// Behind an `if` that only the message decides: a variable that its branches left different is decided by it too.
  /// - Parameters:
  ///   - then: the variables as the first branch left them.
  ///   - outer: how many of them live on.
  mutating func merge(_ condition: Dynamic, then: [Value], outer: Int, at offset: Int) throws(TemplateError) {
    for slot in variables.indices {
      if slot >= outer {
        variables[slot] = .null
      } else if variables[slot] != then[slot] {
        do {
          variables[slot] = try Self.light(.choice(condition, then[slot], variables[slot]))
        } catch {
          throw source.error(at: offset, error.message)
        }
      }
    }
  }

  private func compute(_ expression: Expression) throws(EvaluationError) -> Value {
    switch expression {
    case .constant(let json): return .data(json)
    case .path(.root, let names, _): return root.value(of: names)
    case .path(.dot, let names, _): return dot.member(names)
    case .path(.variable(let slot), let names, _): return variables[slot].member(names)
    case .member(let base, let names): return try compute(base).member(names)
    case .call(let function, let operands, let offset):
      do {
        return try call(function, operands)
      } catch {
        throw error.at(offset)
      }
    case .choose(let chooser, let operands, let offset):
      do {
        return try choose(chooser, operands)
      } catch {
        throw error.at(offset)
      }
    }
  }

  private func call(_ function: Function, _ operands: [Expression]) throws(EvaluationError) -> Value {
    var values: [Value] = []
    for operand in operands { values.append(try compute(operand)) }
    switch function {
    case .json, .toJson:
      if case .encoded = values[0] { return values[0] }
      return .encoded(values[0])
    case .not:
      if let isTrue = values[0].isTrue { return .data(.bool(!isTrue)) }
    case .printf:
      if case .data(.string(let text)) = values[0], values.count == 2, try Format(text).isQuoteAlone {
        let text = try Self.result(of: function, [.data(.string("%s")), values[1]])
        return text.isNull ? .null : .encoded(text)
      }
    default: break
    }
    return try Self.result(of: function, values)
  }

  private static func result(of function: Function, _ values: [Value]) throws(EvaluationError) -> Value {
    values.contains(where: \.isOpen)
      ? try light(.call(function, values)) : try FunctionCall.result(of: function, values)
  }

  private func choose(_ chooser: Chooser, _ operands: [Expression]) throws(EvaluationError) -> Value {
    var open: [Value] = []
    for (index, operand) in operands.enumerated() {
      let value = try compute(operand)
      let isTaken = chooser.takes(value)
      if isTaken != false || index == operands.count - 1 { open.append(value) }
      if isTaken == true { break }
    }
    return open.count == 1 ? open[0] : try Self.light(.choose(chooser, open))
  }

  /// What is left for the message to decide.
  private static func light(_ dynamic: Dynamic) throws(EvaluationError) -> Value {
    guard dynamic.weight <= Dynamic.heaviest else {
      throw EvaluationError("this takes more than \(Dynamic.heaviest) steps for every message")
    }
    return .dynamic(dynamic)
  }
}
