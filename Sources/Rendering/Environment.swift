internal import Base

/// Where a template's own names get their values.
protocol RootValues {
  /// The value of `.A.B`; null where there is none.
  func value(of names: [String]) -> Value
}

/// Computes expressions.
struct Environment<Root: RootValues> {
  let root: Root
  /// The element of the innermost range.
  var dot = Value.null
  var variables: [Value]

  init(root: Root, slots: Int) {
    self.root = root
    variables = [Value](repeating: .null, count: slots)
  }

  func value(of expression: Expression) -> Value {
    switch expression {
    case .constant(let json): .data(json)
    case .path(.root, let names, _): root.value(of: names)
    case .path(.dot, let names, _): dot.member(names)
    case .path(.variable(let slot), let names, _): variables[slot].member(names)
    case .call(let function, let operands, _): call(function, operands.map(value(of:)))
    }
  }

  private func call(_ function: Function, _ operands: [Value]) -> Value {
    switch function {
    case .json, .toJson:
      if case .encoded? = operands.first { return operands[0] }
      return .encoded(operands[0])
    case .default:
      switch operands[1] {
      case .data(.null), .data(.string("")), .encoded(.data(.null)): return operands[0]
      case .dynamic(let dynamic) where dynamic.mayBeEmpty:
        return .dynamic(.fallback(dynamic, Self.text(of: operands[0])))
      default: return operands[1]
      }
    }
  }

  /// A default beside a text that only the message knows is a text too.
  private static func text(of value: Value) -> Dynamic {
    switch value {
    case .dynamic(let dynamic): dynamic
    case .data(.string(let text)): .constant(text)
    case .data(.null): .constant("")
    case .data(let json): .constant(json.text)
    case .encoded(let inner): text(of: inner)
    case .timeToLive(let time): .constant(time.text(in: nil))
    case .list, .record: .constant("")
    }
  }

  /// Sets a range's variables to one element.
  mutating func enter<Body>(_ loop: Loop<Body>, index: JSON, element: Value) {
    dot = element
    if let slot = loop.indexSlot { variables[slot] = .data(index) }
    if let slot = loop.elementSlot { variables[slot] = element }
  }
}
