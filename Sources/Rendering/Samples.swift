internal import Base

/// Values to rehearse a template with: every list that a range or a condition names with 0, 1, 2 and 3 elements,
/// every other value that a condition names present, absent and as the condition's own literals want it. All
/// combinations as long as there are few; else each value by itself.
struct Samples {
  private static let most = 1024

  /// What a template's conditions name, and beside which literals.
  private struct Condition {
    let path: [String]
    var literals: [JSON] = []
  }

  static func values(for template: Template) -> [[String: Value]] {
    let choices = conditions(template.nodes).map { ($0.path, values(of: $0)) }
    let count = choices.reduce(1) { min($0 * $1.1.count, most + 1) }
    if count <= most {
      return choices.reduce([[:]]) { samples, choice in
        samples.flatMap { sample in choice.1.map { setting($0, at: choice.0, in: sample) } }
      }
    }
    let none = choices.reduce([:]) { setting($1.1[0], at: $1.0, in: $0) }
    let all = choices.reduce([:]) { setting($1.1[$1.1.count - 1], at: $1.0, in: $0) }
    return [none, all]
      + choices.flatMap { choice in
        choice.1.flatMap { value in [none, all].map { setting(value, at: choice.0, in: $0) } }
      }
  }

  /// `.Data.list` makes an object of `.Data`.
  private static func setting(_ value: Value, at path: [String], in sample: [String: Value]) -> [String: Value] {
    guard let name = path.first else { return sample }
    var sample = sample
    if path.count == 1 {
      if case .record? = sample[name] { return sample }
      sample[name] = value
      return sample
    }
    var members: [String: Value] = [:]
    if case .record(let known)? = sample[name] { members = known }
    sample[name] = .record(setting(value, at: Array(path.dropFirst()), in: members))
    return sample
  }

  private static func values(of condition: Condition) -> [Value] {
    let text = JSON.string("sample")
    let literals = condition.literals.flatMap { literal in
      // A number's neighbours fall on both sides of a comparison.
      literal.int.map { number in
        [-1, 0, 1].map { JSON.number(String(number.addingReportingOverflow($0).partialValue)) }
      }
        ?? [literal]
    }
    .map { Value.data($0) }
    switch condition.path.first.flatMap({ Variable(rawValue: $0) }) {
    case .actions: return (0...3).map(buttons)
    case .data, .sound:
      return [.null, .data(text)] + (1...3).map { .data(.array([JSON](repeating: text, count: $0))) } + literals
    case .silent, .vibration, .soundless: return [.data(.bool(false)), .data(.bool(true))]
    case .badge, .groupID, .ttl, .ttlSeconds, .expiresAt, .expiration, .relevanceScore:
      return [.null, .data(.number("0"))] + literals + [.data(.number("7"))]
    default: return [.null] + literals + [.data(text)]
    }
  }

  private static func buttons(_ count: Int) -> Value {
    let text = Value.data(.string("sample"))
    let names = ["Label", "Link", "ID", "Icon", "Title", "URL"]
    return .list((0..<count).map { _ in .record(Dictionary(uniqueKeysWithValues: names.map { ($0, text) })) })
  }

  /// The root's names in conditions, ranges and variables, once each, the longer of two that begin alike last.
  private static func conditions(_ nodes: [Node]) -> [Condition] {
    var conditions: [Condition] = []
    func note(_ expression: Expression) {
      var literals: [JSON] = []
      expression.visit {
        if case .constant(let json) = $0, json.string != nil || json.int != nil { literals.append(json) }
      }
      expression.visit {
        guard case .path(.root, let path, _) = $0, !path.isEmpty else { return }
        let at = conditions.firstIndex { $0.path == path } ?? conditions.count
        if at == conditions.count { conditions.append(Condition(path: path)) }
        conditions[at].literals += literals.filter { !conditions[at].literals.contains($0) }
      }
    }
    nodes.visitConditions(note)
    return conditions.sorted { $0.path.count < $1.path.count }
  }
}

extension [Node] {
  /// Every expression that decides what is written, or sets a variable that may.
  fileprivate func visitConditions(_ visit: (Expression) -> Void) {
    for node in self {
      switch node {
      case .text, .action: continue
      case .set(let assignment): visit(assignment.value)
      case .choice(let choice):
        for arm in choice.arms {
          visit(arm.condition)
          arm.body.visitConditions(visit)
        }
        choice.otherwise?.visitConditions(visit)
      case .loop(let loop):
        visit(loop.list)
        loop.body.visitConditions(visit)
        loop.otherwise?.visitConditions(visit)
      }
    }
  }
}
