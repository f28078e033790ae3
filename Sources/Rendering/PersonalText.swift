internal import Base
internal import Campaign

/// Why a text can't be rendered for one recipient.
struct PersonalFailure: Error {
  let reason: String
  let detail: String
}

/// One of the content's texts: a template over `.Profile`, `.Subscription` and `.Vars`. Its values are written once
/// and never read as a template again.
struct PersonalText: Sendable {
  /// `content.title`
  let name: String
  private let template: Template
  /// What of the recipient it names.
  let columns: PersonalColumns
  let needsAttributes: Bool

  init(name: String, text: String) throws(TemplateError) {
    self.name = name
    template = try Parser.parse(SourceText(name: name, bytes: Array(text.utf8)), root: .personal)
    var columns: PersonalColumns = []
    var needsAttributes = false
    template.nodes.visitExpressions { expression in
      guard case .path(.root, let names, _) = expression, names.count > 1 else { return }
      switch names[0] {
      case "Profile":
        if names[1] == "id" { return }
        columns.insert(.profile)
        if PersonalValues.ownField(names[1]) == nil { needsAttributes = true }
      case "Vars": columns.insert(.variables)
      default: break
      }
    }
    self.columns = columns
    self.needsAttributes = needsAttributes
  }

  /// The text when it is the same for everybody.
  var constant: String? {
    var namesRecipient = false
    template.nodes.visitExpressions { if case .path(.root, _, _) = $0 { namesRecipient = true } }
    if namesRecipient { return nil }
    var bytes: [UInt8] = []
    guard (try? append(for: PersonalValues.nobody, isBlankAllowed: true, to: &bytes)) != nil else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text for one recipient.
  /// - Parameter isBlankAllowed: a missing value is nothing instead of a failure.
  func append(
    for recipient: PersonalValues, isBlankAllowed: Bool, to out: inout [UInt8]
  ) throws(PersonalFailure) {
    var environment = Environment(root: recipient, slots: template.slots)
    try append(template.nodes, &environment, isBlankAllowed, to: &out)
  }

  private func append(
    _ nodes: [Node], _ environment: inout Environment<PersonalValues>, _ isBlankAllowed: Bool, to out: inout [UInt8]
  ) throws(PersonalFailure) {
    for node in nodes {
      switch node {
      case .text(let run): out.append(contentsOf: run.bytes)
      case .declare(let slot, let expression): environment.variables[slot] = environment.value(of: expression)
      case .action(let expression, _):
        switch environment.value(of: expression) {
        case .data(.null):
          if isBlankAllowed { continue }
          throw PersonalFailure(
            reason: "missing_value", detail: "\(name) names \(expression.text), which this recipient does not have")
        case .data(.string(let text)): out.append(contentsOf: text.utf8)
        case .data(let json), .encoded(.data(let json)): out.appendJSON(json)
        default: continue
        }
      case .choice(let choice):
        let arm = choice.arms.first { environment.value(of: $0.condition).isTrue == true }
        try append(arm?.body ?? choice.otherwise ?? [], &environment, isBlankAllowed, to: &out)
      case .loop(let loop):
        guard let elements = environment.value(of: loop.list).elements else {
          throw PersonalFailure(reason: "wrong_value", detail: "\(name): \(loop.list.text) is not a list")
        }
        if elements.isEmpty { try append(loop.otherwise ?? [], &environment, isBlankAllowed, to: &out) }
        let outer = environment.dot
        for (index, element) in elements {
          environment.enter(loop, index: index, element: element)
          try append(loop.body, &environment, isBlankAllowed, to: &out)
        }
        environment.dot = outer
      }
    }
  }
}
