internal import Base

/// Plays a template through with sample values before any launch uses it, to find what strict parsers would refuse:
/// commas that are missing or have nothing behind them (C04), and keys that are there twice.
///
/// Samples: every list that a range or condition names with 0, 1, 2 and 3 elements, every other value that a
/// condition names present and absent. All combinations as long as there are few; else each value by itself.
struct Rehearsal {
  private enum Comma {
    case start
    case value
    case comma(Int)
  }

  /// A container's commas and keys so far.
  private struct Frame {
    var comma = Comma.start
    /// As bytes: `é` written two ways is two keys.
    var keys: Set<[UInt8]> = []
  }

  private static let mostCombinations = 1024

  private let payload: Payload
  private var environment: Environment<PayloadValues>
  private let elements: Int?
  /// What conditions that only a message can decide come to.
  private let openCondition: Bool

  private init(_ payload: Payload, _ values: PayloadValues, elements: Int?, openCondition: Bool) {
    self.payload = payload
    environment = Environment(root: values, slots: payload.template.slots)
    self.elements = elements
    self.openCondition = openCondition
  }

  /// With samples, whatever the launch.
  static func check(_ payload: Payload) throws(TemplateError) {
    for sample in samples(of: payload) {
      var elements: Int?
      for case .list(let list) in sample.values { elements = list.count }
      var rehearsal = Rehearsal(payload, PayloadValues(sample), elements: elements, openCondition: true)
      try rehearsal.body(payload.root)
    }
  }

  /// With the values of one launch.
  static func check(_ payload: Payload, values: PayloadValues) throws(TemplateError) {
    for openCondition in [true, false] {
      var rehearsal = Rehearsal(payload, values, elements: nil, openCondition: openCondition)
      try rehearsal.body(payload.root)
    }
  }

  private static func samples(of payload: Payload) -> [[String: Value]] {
    let names = conditionNames(payload.template.nodes)
    let choices = names.map { ($0, values(of: $0)) }
    let combinations = choices.reduce(1) { min($0 * $1.1.count, mostCombinations + 1) }
    if combinations <= mostCombinations {
      return choices.reduce([[:]]) { samples, choice in
        samples.flatMap { sample in
          choice.1.map { value in sample.merging([choice.0: value]) { $1 } }
        }
      }
    }
    let none = Dictionary(uniqueKeysWithValues: choices.map { ($0.0, $0.1[0]) })
    let all = Dictionary(uniqueKeysWithValues: choices.map { ($0.0, $0.1[$0.1.count - 1]) })
    return [none, all]
      + choices.flatMap { choice in
        choice.1.flatMap { value in [none, all].map { $0.merging([choice.0: value]) { $1 } } }
      }
  }

  private static func values(of name: String) -> [Value] {
    let text = JSON.string("sample")
    switch Variable(rawValue: name) {
    case .actions: return (0...3).map(buttons)
    case .data, .sound:
      return [.data(.null), .data(text)] + (1...3).map { .data(.array([JSON](repeating: text, count: $0))) }
    default: return [.data(.null), .data(text)]
    }
  }

  private static func buttons(_ count: Int) -> Value {
    let text = Value.data(.string("sample"))
    let names = ["Label", "Link", "ID", "Icon", "Title", "URL"]
    return .list((0..<count).map { _ in .record(Dictionary(uniqueKeysWithValues: names.map { ($0, text) })) })
  }

  /// The root's names in conditions, ranges and variables, once each.
  private static func conditionNames(_ nodes: [Node]) -> [String] {
    var names: [String] = []
    func note(_ expression: Expression) {
      expression.visit {
        guard case .path(.root, let path, _) = $0, let name = path.first, !names.contains(name) else { return }
        names.append(name)
      }
    }
    func walk(_ nodes: [Node]) {
      for node in nodes {
        switch node {
        case .text, .action: continue
        case .declare(_, let expression): note(expression)
        case .choice(let choice):
          for arm in choice.arms {
            note(arm.condition)
            walk(arm.body)
          }
          walk(choice.otherwise ?? [])
        case .loop(let loop):
          note(loop.list)
          walk(loop.body)
          walk(loop.otherwise ?? [])
        }
      }
    }
    walk(nodes)
    return names
  }

  private func error(at offset: Int, _ message: String) -> TemplateError {
    let sample = elements.map { " (with \($0) elements in the list)" } ?? ""
    return payload.template.source.error(at: offset, message + sample)
  }

  private func isTrue(_ expression: Expression) -> Bool { environment.value(of: expression).isTrue ?? openCondition }

  private mutating func body(_ body: ValueBody) throws(TemplateError) {
    for (slot, expression) in body.declarations { environment.variables[slot] = environment.value(of: expression) }
    try value(body.value)
  }

  private mutating func value(_ value: PayloadValue) throws(TemplateError) {
    switch value {
    case .object(let items), .array(let items):
      var frame = Frame()
      try self.items(items, &frame)
      if case .comma(let offset) = frame.comma {
        throw error(at: offset, "a comma with nothing behind it before the closing bracket")
      }
    case .nested(let inner): try self.value(inner)
    case .choice(let choice):
      let arm = choice.arms.first { isTrue($0.condition) }
      if let chosen = arm?.body ?? choice.otherwise { try body(chosen) }
    case .text, .scalar, .action: return
    }
  }

  private mutating func items(_ items: [Item], _ frame: inout Frame) throws(TemplateError) {
    for item in items {
      switch item {
      case .comma(let offset):
        guard case .value = frame.comma else { throw error(at: offset, "a comma with nothing before it") }
        frame.comma = .comma(offset)
      case .declare(let slot, let expression): environment.variables[slot] = environment.value(of: expression)
      case .member(let key, let value, let offset):
        try begin(&frame, at: offset)
        if !frame.keys.insert(Array(key.utf8)).inserted { throw error(at: offset, "the key \"\(key)\" is there twice") }
        try self.value(value)
      case .element(let value, let offset):
        try begin(&frame, at: offset)
        try self.value(value)
      case .choice(let choice):
        let arm = choice.arms.first { isTrue($0.condition) }
        try self.items(arm?.body ?? choice.otherwise ?? [], &frame)
      case .loop(let loop):
        let elements = environment.value(of: loop.list).elements ?? []
        if elements.isEmpty { try self.items(loop.otherwise ?? [], &frame) }
        let outer = environment.dot
        for (index, element) in elements {
          environment.enter(loop, index: index, element: element)
          try self.items(loop.body, &frame)
        }
        environment.dot = outer
      }
    }
  }

  private func begin(_ frame: inout Frame, at offset: Int) throws(TemplateError) {
    if case .value = frame.comma { throw error(at: offset, "a comma is missing before this") }
    frame.comma = .value
  }
}
