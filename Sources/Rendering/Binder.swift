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

  private init(_ payload: Payload, shape: PayloadShape, data: CustomData, values: PayloadValues) {
    source = payload.template.source
    self.shape = shape
    self.data = data
    environment = Environment(root: values, slots: payload.template.slots)
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

  private mutating func declare(_ slot: Int, _ expression: Expression) {
    environment.variables[slot] = environment.value(of: expression)
  }

  @discardableResult
  private mutating func body(_ body: ValueBody, exit: Exit?) throws(TemplateError) -> Outcome {
    for (slot, expression) in body.declarations { declare(slot, expression) }
    return try value(body.value, exit: exit)
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
      let outcome = try self.value(inner, exit: exit)
      path.removeLast()
      context.level -= 1
      builder.quote(in: context)
      return outcome
    case .scalar(let bytes):
      builder.append(bytes)
      return .present
    case .action(let expression, let isQuoted):
      let value = environment.value(of: expression)
      if value.isNull { return .absent }
      if isQuoted {
        builder.quote(in: context)
        builder.write(value, in: context)
        builder.quote(in: context)
      } else {
        builder.writeBare(value, in: context)
      }
      return .present
    case .choice(let choice): return try self.choice(choice.arms[...], choice.otherwise, exit: exit)
    }
  }

  private mutating func object(_ items: [Item], exit: Exit?) throws(TemplateError) -> Outcome {
    let outer = hasLost
    hasLost = false
    defer { hasLost = outer }
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
      case .declare(let slot, let expression): declare(slot, expression)
      case .member(let key, let value, _): try member(key, value)
      case .element(let value, _): try member(nil, value)
      case .choice(let choice): try self.choice(choice.arms[...], choice.otherwise ?? [])
      case .loop(let loop):
        try each(loop) { (binder, body) throws(TemplateError) in try binder.items(body) }
      }
    }
  }

  /// A member, or with no key an element.
  private mutating func member(_ key: String?, _ value: PayloadValue) throws(TemplateError) {
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
    guard let elements = environment.value(of: loop.list).elements else {
      throw source.error(at: loop.offset, "range needs a list, \(loop.list.text) is none in this launch")
    }
    if elements.isEmpty {
      if let otherwise = loop.otherwise { try write(&self, otherwise) }
      return
    }
    let outer = environment.dot
    for (index, element) in elements {
      environment.enter(loop, index: index, element: element)
      try write(&self, loop.body)
    }
    environment.dot = outer
  }
}

extension Binder {
  /// Where one value is due; the parser saw to it that there always is an `else`.
  private mutating func choice(
    _ arms: ArraySlice<Arm<ValueBody>>, _ otherwise: ValueBody?, exit: Exit?
  ) throws(TemplateError) -> Outcome {
    guard let arm = arms.first else {
      guard let otherwise else { return .absent }
      return try body(otherwise, exit: exit)
    }
    let condition = environment.value(of: arm.condition)
    switch condition.isTrue {
    case true?: return try body(arm.body, exit: exit)
    case false?: return try choice(arms.dropFirst(), otherwise, exit: exit)
    case nil:
      var first = Outcome.absent
      var second = Outcome.absent
      try branch(on: condition) { (binder) throws(TemplateError) in
        first = try binder.dropping(exit) { (binder) throws(TemplateError) in try binder.body(arm.body, exit: exit) }
      } otherwise: { (binder) throws(TemplateError) in
        second = try binder.dropping(exit) { (binder) throws(TemplateError) in
          try binder.choice(arms.dropFirst(), otherwise, exit: exit)
        }
      }
      return first == second ? first : .open
    }
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

  private mutating func choice(_ arms: ArraySlice<Arm<[Item]>>, _ otherwise: [Item]) throws(TemplateError) {
    try choose(arms, otherwise) { (binder, body) throws(TemplateError) in try binder.items(body) }
  }

  private mutating func choose<Body>(
    _ arms: ArraySlice<Arm<Body>>, _ otherwise: Body, _ write: (inout Binder, Body) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    guard let arm = arms.first else { return try write(&self, otherwise) }
    let condition = environment.value(of: arm.condition)
    switch condition.isTrue {
    case true?: try write(&self, arm.body)
    case false?: try choose(arms.dropFirst(), otherwise, write)
    case nil:
      try branch(on: condition) { (binder) throws(TemplateError) in
        try write(&binder, arm.body)
      } otherwise: { (binder) throws(TemplateError) in
        try binder.choose(arms.dropFirst(), otherwise, write)
      }
    }
  }

  /// A condition that only the message decides: whether a text is empty.
  private mutating func branch(
    on condition: Value, then: (inout Binder) throws(TemplateError) -> Void,
    otherwise: (inout Binder) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    guard case .dynamic(let dynamic) = condition else { return try then(&self) }
    let elseLabel = builder.newLabel()
    let endLabel = builder.newLabel()
    builder.append(.unlessEmpty(text: builder.index(of: dynamic), target: Int32(elseLabel)))
    let before = builder.last
    try then(&self)
    let last = builder.last
    builder.append(.jump(Int32(endLabel)))
    builder.place(elseLabel)
    builder.last = before
    try otherwise(&self)
    builder.place(endLabel)
    if builder.last != last { builder.last = nil }
  }

  private mutating func text(_ nodes: [Node]) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .text(let run): builder.append(run.bytes, depth: context.level + 1)
      case .action(let expression, _): builder.write(environment.value(of: expression), in: context)
      case .declare(let slot, let expression): declare(slot, expression)
      case .choice(let choice):
        try choose(choice.arms[...], choice.otherwise ?? []) { (binder, body) throws(TemplateError) in
          try binder.text(body)
        }
      case .loop(let loop): try each(loop) { (binder, body) throws(TemplateError) in try binder.text(body) }
      }
    }
  }
}

extension [Item] {
  /// The keys that these members may write, as bytes.
  var keys: Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    for item in self {
      switch item {
      case .member(let key, _, _): keys.insert([UInt8](key.utf8))
      case .choice(let choice):
        for arm in choice.arms { keys.formUnion(arm.body.keys) }
        keys.formUnion(choice.otherwise?.keys ?? [])
      case .loop(let loop): keys.formUnion(loop.body.keys.union(loop.otherwise?.keys ?? []))
      case .comma, .element, .declare: continue
      }
    }
    return keys
  }
}
