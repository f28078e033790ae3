/// One arm of `{{if}}` or `{{with}}`.
struct Arm<Body: Sendable>: Sendable {
  let condition: Expression
  /// What `{{if $x := …}}` sets.
  let slot: Int?
  /// Whether `.` is the condition's value in it.
  let isWith: Bool
  let body: Body
  /// Where `{{if`, `{{with` or `{{else` stands.
  let offset: Int
  /// Where the arm ends: the next `{{else` or `{{end`.
  let end: Int
}

/// `{{if}}…{{else if}}…{{else}}…{{end}}`, or the same with `with`.
struct Choice<Body: Sendable>: Sendable {
  let arms: [Arm<Body>]
  let otherwise: Body?
  /// How many variables are declared before it; those within it end with it.
  let outerSlots: Int
  let offset: Int
  let end: Int

  func map<Other>(_ change: (Body, Int) throws(TemplateError) -> Other) throws(TemplateError) -> Choice<Other> {
    var changed: [Arm<Other>] = []
    for arm in arms {
      let body = try change(arm.body, arm.end)
      changed.append(
        Arm<Other>(
          condition: arm.condition, slot: arm.slot, isWith: arm.isWith, body: body, offset: arm.offset, end: arm.end))
    }
    var other: Other?
    if let otherwise { other = try change(otherwise, end) }
    return Choice<Other>(arms: changed, otherwise: other, outerSlots: outerSlots, offset: offset, end: end)
  }
}

/// `{{range $index, $element := list}}…{{else}}…{{end}}`
struct Loop<Body: Sendable>: Sendable {
  let list: Expression
  let indexSlot: Int?
  let elementSlot: Int?
  let body: Body
  let otherwise: Body?
  let offset: Int
  /// Where `{{else` or `{{end` ends the body, and where the whole ends.
  let bodyEnd: Int
  let end: Int

  func map<Other>(_ change: (Body, Int) throws(TemplateError) -> Other) throws(TemplateError) -> Loop<Other> {
    let body = try change(body, bodyEnd)
    var other: Other?
    if let otherwise { other = try change(otherwise, end) }
    return Loop<Other>(
      list: list, indexSlot: indexSlot, elementSlot: elementSlot, body: body, otherwise: other, offset: offset,
      bodyEnd: bodyEnd, end: end)
  }
}

/// Literal text with the place in the source of each of its bytes, which unescaping moves apart.
struct TextRun: Sendable {
  var bytes: [UInt8] = []
  var offsets: [Int] = []
}

/// A piece of a template.
indirect enum Node: Sendable {
  case text(TextRun)
  /// An action that writes a value.
  case action(Expression, offset: Int)
  /// `{{$buttons := .Actions}}`
  case set(Assignment)
  case choice(Choice<[Node]>)
  case loop(Loop<[Node]>)
}

/// A parsed template, in text or JSON.
struct Template: Sendable {
  let source: SourceText
  let nodes: [Node]
  /// How many variables are declared in it.
  let slots: Int
}

extension [Node] {
  /// Every expression in them, in no order that means anything.
  func visitExpressions(_ visit: (Expression) -> Void) {
    for node in self {
      switch node {
      case .text: break
      case .action(let expression, _): expression.visit(visit)
      case .set(let assignment): assignment.value.visit(visit)
      case .choice(let choice):
        for arm in choice.arms {
          arm.condition.visit(visit)
          arm.body.visitExpressions(visit)
        }
        choice.otherwise?.visitExpressions(visit)
      case .loop(let loop):
        loop.list.visit(visit)
        loop.body.visitExpressions(visit)
        loop.otherwise?.visitExpressions(visit)
      }
    }
  }
}
