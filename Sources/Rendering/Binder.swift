internal import Base
internal import Campaign

/// Works out everything in a payload that the launch and the channel decide, and leaves a program for the rest.
///
/// Commas are written here, not taken from the template: one goes before every member and element unless the bracket
/// has only just been opened, which the last byte tells. So members may vanish and the text stays JSON.
struct Binder {
  /// What became of a value.
  private enum Outcome {
    case present
    /// Nothing: its member goes.
    case absent
    /// Only the message knows.
    case open
  }

  /// The member or element that a value would take with it.
  private struct Exit {
    let mark: Int32
    /// Behind the member.
    let label: Int
  }

  private let source: SourceText
  private let shape: PayloadShape
  private let data: CustomData
  private var environment: Environment<PayloadValues>
  private var builder = ProgramBuilder()
  private var path: [JSONPath.Step] = []
  private var context = EscapeContext()
  /// Whether the innermost object lost a member, or may lose one.
  private var hasLost = false
  private var hasPlacedData = false
  /// Keys of the innermost object.
  private var keys = KeyRegister()
  /// Conditions of the message's under which what is bound is written.
  private var guards: [KeyRegister.Guard] = []

  private init(_ payload: Payload, shape: PayloadShape, data: CustomData, values: PayloadValues) {
    source = payload.template.source
    self.shape = shape
    self.data = data
    environment = Environment(payload.template, root: values)
  }

  /// - Throws: `TemplateError` when the customer's data has a reserved name or nowhere to go.
  static func bind(
    _ payload: Payload, shape: PayloadShape, data: CustomData, values: PayloadValues
  ) throws(TemplateError) -> Program {
    var binder = Binder(payload, shape: shape, data: data, values: values)
    try binder.body(payload.root, exit: nil)
    if let place = shape.customData, !data.object.isEmpty, !binder.hasPlacedData, !payload.uses(.data) {
      throw binder.source.error(
        at: 0, "the content has custom data, but the template has no object \(place.path.description) to hold it")
    }
    return binder.builder.program(landmarks: shape.landmarks.count)
  }

  @discardableResult
  private mutating func body(_ body: ValueBody, exit: Exit?) throws(TemplateError) -> Outcome {
    for assignment in body.before { try environment.set(assignment) }
    let outcome = try value(body.value, exit: exit)
    for assignment in body.after { try environment.set(assignment) }
    return outcome
  }

  /// A value with what the shape says of its place.
  private mutating func value(_ value: PayloadValue, exit: Exit?) throws(TemplateError) -> Outcome {
    let landmarks = shape.landmarks.indices.filter { shape.landmarks[$0].matches(path) }
    for index in landmarks { builder.append(.landmarkBegin(Int32(index))) }
    let mark = builder.newMark()
    builder.append(.mark(mark))
    let start = builder.count
    var outcome = try content(value, exit: exit)
    if outcome == .absent { return .absent }
    if let exit, shape.dropEmpty.contains(where: { $0.matches(path) }) {
      let quotes = Escaper.all[context.level].escaped("\"\"")
      if let bytes = builder.constantBytes(since: start) {
        if bytes == quotes { return .absent }
      } else {
        builder.append(
          .dropEmptyText(
            mark: exit.mark, value: mark, quotes: Int32(quotes.count), target: Int32(exit.label)))
        outcome = .open
      }
    }
    for index in landmarks.reversed() { builder.append(.landmarkEnd(Int32(index))) }
    return outcome
  }

  private mutating func content(_ value: PayloadValue, exit: Exit?) throws(TemplateError) -> Outcome {
    switch value {
    case .object(let items): return try object(items, exit: exit)
    case .array(let items):
      builder.append([UInt8(ascii: "[")])
      try self.items(items)
      builder.append([UInt8(ascii: "]")])
      return .present
    case .text(let nodes):
      builder.quote(in: context)
      try text(nodes)
      builder.quote(in: context)
      return .present
    case .nested(let inner):
      builder.quote(in: context)
      context.level += 1
      path.append(.inside)
      let outcome = try body(inner, exit: exit)
      path.removeLast()
      context.level -= 1
      builder.quote(in: context)
      return outcome
    case .scalar(let bytes):
      builder.append(bytes)
      return .present
    case .action(let expression, let isQuoted):
      return action(try environment.value(of: expression), isQuoted: isQuoted, exit: exit)
    case .given(let value): return action(value, isQuoted: false, exit: exit)
    case .choice(let choice): return try self.choice(choice, choice.arms[...], exit: exit)
    }
  }

  private mutating func action(_ value: Value, isQuoted: Bool, exit: Exit?) -> Outcome {
    if value.isNull { return .absent }
    var outcome = Outcome.present
    if let exit, let dynamic = value.open, !dynamic.isNeverNull {
      builder.append(
        .dropNull(text: builder.index(of: dynamic, in: context), mark: exit.mark, target: Int32(exit.label)))
      outcome = .open
    }
    if isQuoted {
      builder.quote(in: context)
      builder.write(value, in: context)
      builder.quote(in: context)
    } else {
      builder.writeBare(value, in: context)
    }
    return outcome
  }

  private mutating func object(_ items: [Item], exit: Exit?) throws(TemplateError) -> Outcome {
    let outer = (hasLost, keys)
    (hasLost, keys) = (false, KeyRegister())
    defer { (hasLost, keys) = outer }
    builder.append([UInt8(ascii: "{")])
    if let place = shape.customData, place.path.matches(path) { try customData(place, beside: items) }
    try self.items(items)
    var outcome = Outcome.present
    if let exit, hasLost {
      if builder.last == UInt8(ascii: "{") { return .absent }
      if builder.last == nil {
        builder.append(.dropEmptyObject(mark: exit.mark, target: Int32(exit.label)))
        outcome = .open
      }
    }
    builder.append([UInt8(ascii: "}")])
    return outcome
  }

  private mutating func customData(_ place: CustomDataPlace, beside own: [Item]) throws(TemplateError) {
    hasPlacedData = true
    if let name = data.reservedName(place.reserved, own: own.keys) {
      throw TemplateError(
        source: "content.data", line: 1, column: 1,
        message: "the name '\(name)' is the payload's own at \(place.path.description); choose another")
    }
    for member in data.members(in: place.form) {
      comma()
      var json: [UInt8] = []
      json.appendJSONString(member.key)
      json.append(UInt8(ascii: ":"))
      json.appendJSON(member.value)
      builder.append(json, depth: context.level)
    }
  }

  private mutating func items(_ items: [Item]) throws(TemplateError) {
    for item in items {
      switch item {
      case .comma: continue
      case .set(let assignment): try environment.set(assignment)
      case .member(let key, let value, let offset): try member(key, value, at: offset)
      case .element(let value, let offset): try member(nil, value, at: offset)
      case .choice(let choice):
        try self.choice(choice, choice.arms[...]) { (binder, body) throws(TemplateError) in try binder.items(body) }
      case .loop(let loop):
        try each(loop) { (binder, body) throws(TemplateError) in try binder.items(body) }
      }
    }
  }

  /// A member, or with no key an element.
  private mutating func member(_ key: String?, _ value: PayloadValue, at offset: Int) throws(TemplateError) {
    let exit = Exit(mark: builder.newMark(), label: builder.newLabel())
    let last = builder.last
    let start = builder.count
    let outerName = context.name
    builder.append(.mark(exit.mark))
    comma()
    if let key {
      var bytes: [UInt8] = []
      bytes.appendJSONString(key)
      bytes.append(UInt8(ascii: ":"))
      builder.append(bytes, depth: context.level)
      context.name = key
    }
    path.append(key.map { .member($0) } ?? .element)
    let outcome = try self.value(value, exit: exit)
    path.removeLast()
    context.name = outerName
    if let key, outcome != .absent {
      if keys.contains(key, where: guards) { throw source.error(at: offset, "the key \"\(key)\" may be there twice") }
      keys.insert(key, where: guards)
    }
    switch outcome {
    case .present: return
    case .absent: builder.truncate(to: start, last: last)
    case .open:
      builder.place(exit.label)
      builder.last = nil
    }
    hasLost = true
  }

  private mutating func comma() {
    switch builder.last {
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?: return
    case nil: builder.append(.comma)
    default: builder.append([UInt8(ascii: ",")])
    }
  }

  /// Unrolls a range: every list is the launch's.
  private mutating func each<Body>(
    _ loop: Loop<Body>, _ write: (inout Binder, Body) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    try each(loop, of: try environment.value(of: loop.list), write)
  }

  private mutating func each<Body>(
    _ loop: Loop<Body>, of list: Value, _ write: (inout Binder, Body) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    if case .dynamic(.choice(let condition, let first, let second)) = list {
      return try branch(on: condition, outerSlots: environment.variables.count, at: loop.offset) {
        (binder) throws(TemplateError) in
        try binder.each(loop, of: first, write)
      } otherwise: { (binder) throws(TemplateError) in
        try binder.each(loop, of: second, write)
      }
    }
    if list.isOpen {
      throw source.error(at: loop.offset, "what this range goes over must be the launch's, not each message's own")
    }
    let elements = try environment.elements(of: list, in: loop)
    if elements.isEmpty, let otherwise = loop.otherwise { try write(&self, otherwise) }
    let outer = environment.dot
    for (index, element) in elements {
      try environment.enter(loop, index: index, element: element)
      try write(&self, loop.body)
    }
    environment.dot = outer
  }
}

extension Binder {
  /// Where one value is due; the parser saw to it that there always is an `else`.
  private mutating func choice(
    _ choice: Choice<ValueBody>, _ arms: ArraySlice<Arm<ValueBody>>, exit: Exit?
  ) throws(TemplateError) -> Outcome {
    guard let arm = arms.first else {
      guard let otherwise = choice.otherwise else { return .absent }
      return try body(otherwise, exit: exit)
    }
    let condition = try environment.condition(of: arm)
    var first = Outcome.absent
    var second = Outcome.absent
    switch condition.isTrue {
    case true?:
      try within(arm, condition) { (binder) throws(TemplateError) in
        first = try binder.body(arm.body, exit: exit)
      }
    case false?: return try self.choice(choice, arms.dropFirst(), exit: exit)
    case nil:
      try branch(on: condition.decision, outerSlots: choice.outerSlots, at: arm.offset) {
        (binder) throws(TemplateError) in
        try binder.within(arm, condition) { (binder) throws(TemplateError) in
          first = try binder.dropping(exit) { (binder) throws(TemplateError) in try binder.body(arm.body, exit: exit) }
        }
      } otherwise: { (binder) throws(TemplateError) in
        second = try binder.dropping(exit) { (binder) throws(TemplateError) in
          try binder.choice(choice, arms.dropFirst(), exit: exit)
        }
      }
      return first == second ? first : .open
    }
    return first
  }

  /// Runs one arm; if that comes to nothing, it drops the member at run time instead.
  private mutating func dropping(
    _ exit: Exit?, _ arm: (inout Binder) throws(TemplateError) -> Outcome
  ) throws(TemplateError) -> Outcome {
    let start = builder.count
    let last = builder.last
    let outcome = try arm(&self)
    if outcome == .absent, let exit {
      builder.truncate(to: start, last: last)
      builder.append(.drop(mark: exit.mark, target: Int32(exit.label)))
    }
    return outcome
  }

  /// Where any number of things may stand.
  private mutating func choice<Body>(
    _ choice: Choice<Body>, _ arms: ArraySlice<Arm<Body>>,
    _ write: (inout Binder, Body) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    guard let arm = arms.first else {
      if let otherwise = choice.otherwise { try write(&self, otherwise) }
      return
    }
    let condition = try environment.condition(of: arm)
    switch condition.isTrue {
    case true?: try within(arm, condition) { (binder) throws(TemplateError) in try write(&binder, arm.body) }
    case false?: try self.choice(choice, arms.dropFirst(), write)
    case nil:
      try branch(on: condition.decision, outerSlots: choice.outerSlots, at: arm.offset) {
        (binder) throws(TemplateError) in
        try binder.within(arm, condition) { (binder) throws(TemplateError) in try write(&binder, arm.body) }
      } otherwise: { (binder) throws(TemplateError) in
        try binder.choice(choice, arms.dropFirst(), write)
      }
    }
  }

  /// With `.` as the arm has it.
  private mutating func within<Body>(
    _ arm: Arm<Body>, _ condition: Value, _ write: (inout Binder) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    let outer = environment.dot
    if arm.isWith { environment.dot = condition }
    try write(&self)
    environment.dot = outer
  }

  /// A condition that only the message decides.
  private mutating func branch(
    on condition: Dynamic, outerSlots: Int, at offset: Int, then: (inout Binder) throws(TemplateError) -> Void,
    otherwise: (inout Binder) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    let elseLabel = builder.newLabel()
    let endLabel = builder.newLabel()
    builder.append(.unless(text: builder.index(of: condition), target: Int32(elseLabel)))
    let before = builder.last
    let variables = environment.variables
    guards.append(KeyRegister.Guard(condition, isTrue: true))
    try then(&self)
    guards.removeLast()
    let last = builder.last
    let thenVariables = environment.variables
    builder.append(.jump(Int32(endLabel)))
    builder.place(elseLabel)
    builder.last = before
    environment.variables = variables
    guards.append(KeyRegister.Guard(condition, isTrue: false))
    try otherwise(&self)
    guards.removeLast()
    builder.place(endLabel)
    if builder.last != last { builder.last = nil }
    try environment.merge(condition, then: thenVariables, outer: outerSlots, at: offset)
  }

  private mutating func text(_ nodes: [Node]) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .text(let run): builder.append(run.bytes, depth: context.level + 1)
      case .action(let expression, _): builder.write(try environment.value(of: expression), in: context)
      case .set(let assignment): try environment.set(assignment)
      case .choice(let choice):
        try self.choice(choice, choice.arms[...]) { (binder, body) throws(TemplateError) in try binder.text(body) }
      case .loop(let loop): try each(loop) { (binder, body) throws(TemplateError) in try binder.text(body) }
      }
    }
  }
}
