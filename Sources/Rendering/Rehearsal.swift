internal import Base

/// Plays a template through before any launch uses it, and with each launch's own values, to find what strict parsers
/// would refuse: commas that are missing or have nothing behind them (C04), and keys that are there twice.
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

  /// Where values can't be computed, a sample says nothing of commas; a launch's own values will be refused.
  private enum Stop: Error {
    case refused(TemplateError)
    case unknown
  }

  private let payload: Payload
  private var environment: Environment<PayloadValues>
  private let elements: Int?

  private init(_ payload: Payload, _ values: PayloadValues, elements: Int?) {
    self.payload = payload
    environment = Environment(payload.template, root: values)
    self.elements = elements
  }

  /// With samples, whatever the launch.
  static func check(_ payload: Payload) throws(TemplateError) {
    for sample in Samples.values(for: payload.template) {
      var elements: Int?
      for case .list(let list) in sample.values { elements = list.count }
      try check(payload, PayloadValues(sample), elements: elements)
    }
  }

  /// With the values of one launch, and what the messages add all there and all empty.
  static func check(_ payload: Payload, values: PayloadValues) throws(TemplateError) {
    for text in ["sample", ""] { try check(payload, values.settled(text), elements: nil) }
  }

  private static func check(
    _ payload: Payload, _ values: PayloadValues, elements: Int?
  ) throws(TemplateError) {
    var rehearsal = Rehearsal(payload, values, elements: elements)
    do {
      try rehearsal.body(payload.root)
    } catch {
      if case .refused(let error) = error { throw error }
    }
  }

  private func error(at offset: Int, _ message: String) -> Stop {
    let sample = elements.map { " (with \($0) elements in the list)" } ?? ""
    return .refused(payload.template.source.error(at: offset, message + sample))
  }

  private mutating func set(_ assignment: Assignment) throws(Stop) {
    do {
      try environment.set(assignment)
    } catch {
      throw .unknown
    }
  }

  /// Plays the body that applies.
  private mutating func choose<Body>(
    _ choice: Choice<Body>, _ play: (inout Rehearsal, Body) throws(Stop) -> Void
  ) throws(Stop) {
    for arm in choice.arms {
      let condition: Value
      do {
        condition = try environment.condition(of: arm)
      } catch {
        throw .unknown
      }
      guard condition.isTrue == true else { continue }
      let outer = environment.dot
      if arm.isWith { environment.dot = condition }
      try play(&self, arm.body)
      environment.dot = outer
      return
    }
    if let otherwise = choice.otherwise { try play(&self, otherwise) }
  }

  private mutating func body(_ body: ValueBody) throws(Stop) {
    for assignment in body.before { try set(assignment) }
    try value(body.value)
    for assignment in body.after { try set(assignment) }
  }

  private mutating func value(_ value: PayloadValue) throws(Stop) {
    switch value {
    case .object(let items), .array(let items):
      var frame = Frame()
      try self.items(items, &frame)
      if case .comma(let offset) = frame.comma {
        throw error(at: offset, "a comma with nothing behind it before the closing bracket")
      }
    case .nested(let inner): try body(inner)
    case .choice(let choice):
      try choose(choice) { (rehearsal, body) throws(Stop) in try rehearsal.body(body) }
    case .text(let nodes): try text(nodes)
    case .scalar, .action, .given: return
    }
  }

  /// Only for the variables that are set in it.
  private mutating func text(_ nodes: [Node]) throws(Stop) {
    for node in nodes {
      switch node {
      case .text, .action: continue
      case .set(let assignment): try set(assignment)
      case .choice(let choice): try choose(choice) { (rehearsal, body) throws(Stop) in try rehearsal.text(body) }
      case .loop(let loop): try each(loop) { (rehearsal, body) throws(Stop) in try rehearsal.text(body) }
      }
    }
  }

  private mutating func items(_ items: [Item], _ frame: inout Frame) throws(Stop) {
    for item in items {
      switch item {
      case .comma(let offset):
        guard case .value = frame.comma else { throw error(at: offset, "a comma with nothing before it") }
        frame.comma = .comma(offset)
      case .set(let assignment): try set(assignment)
      case .member(let key, let value, let offset):
        try begin(&frame, at: offset)
        if !frame.keys.insert(Array(key.utf8)).inserted { throw error(at: offset, "the key \"\(key)\" is there twice") }
        try self.value(value)
      case .element(let value, let offset):
        try begin(&frame, at: offset)
        try self.value(value)
      case .choice(let choice):
        var inner = frame
        try choose(choice) { (rehearsal, body) throws(Stop) in try rehearsal.items(body, &inner) }
        frame = inner
      case .loop(let loop):
        var inner = frame
        try each(loop) { (rehearsal, body) throws(Stop) in try rehearsal.items(body, &inner) }
        frame = inner
      }
    }
  }

  private mutating func each<Body>(
    _ loop: Loop<Body>, _ play: (inout Rehearsal, Body) throws(Stop) -> Void
  ) throws(Stop) {
    let outer = environment.dot
    do {
      let elements = try environment.elements(of: try environment.value(of: loop.list), in: loop)
      if elements.isEmpty, let otherwise = loop.otherwise { try play(&self, otherwise) }
      for (index, element) in elements {
        try environment.enter(loop, index: index, element: element)
        try play(&self, loop.body)
      }
    } catch let stop as Stop {
      throw stop
    } catch {
      throw .unknown
    }
    environment.dot = outer
  }

  private func begin(_ frame: inout Frame, at offset: Int) throws(Stop) {
    if case .value = frame.comma { throw error(at: offset, "a comma is missing before this") }
    frame.comma = .value
  }
}
