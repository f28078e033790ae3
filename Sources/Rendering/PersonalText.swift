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
  /// The text when it is the same for everybody.
  let constant: String?

  /// Bytes. No provider takes so much; ranges and variables could make more of a short text.
  private static let longest = 1 << 20

  init(name: String, text: String) throws(TemplateError) {
    self.name = name
    template = try Parser.parse(SourceText(name: name, bytes: Array(text.utf8)), root: .personal)
    var columns: PersonalColumns = []
    var needsAttributes = false
    var namesRecipient = false
    template.nodes.visitExpressions { expression in
      guard case .path(.root, let names, _) = expression, names.count > 1 else { return }
      namesRecipient = true
      switch names[0] {
      case "Profile":
        if names[1] == "id" { return }
        columns.insert(.profile)
        if PersonalValues.ownField(names[1]) == nil { needsAttributes = true }
      case "Vars": columns.insert(.variables)
      case "Recipient": columns.insert(.profile)
      default: break
      }
    }
    self.columns = columns
    self.needsAttributes = needsAttributes
    constant = namesRecipient ? nil : try Self.constant(template)
  }

  private static func constant(_ template: Template) throws(TemplateError) -> String {
    var bytes: [UInt8] = []
    do {
      var environment = Environment(template, root: PersonalValues.nobody)
      try append(template.nodes, &environment, template.source.name, isBlankAllowed: true, to: &bytes)
    } catch let error as TemplateError {
      throw error
    } catch {
      throw template.source.error(at: 0, "\(error)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text for one recipient.
  /// - Parameter isBlankAllowed: a missing value is nothing instead of a failure.
  func append(
    for recipient: PersonalValues, isBlankAllowed: Bool, to out: inout [UInt8]
  ) throws(PersonalFailure) {
    var environment = Environment(template, root: recipient)
    do {
      try Self.append(template.nodes, &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
    } catch let error as PersonalFailure {
      throw error
    } catch {
      throw PersonalFailure(reason: "wrong_value", detail: "\(error)")
    }
  }

  /// - Throws: `PersonalFailure` for a missing value, `TemplateError` for one that the text can't use.
  private static func append(
    _ nodes: [Node], _ environment: inout Environment<PersonalValues>, _ name: String, isBlankAllowed: Bool,
    to out: inout [UInt8]
  ) throws {
    for node in nodes {
      if out.count > longest {
        throw PersonalFailure(reason: "too_large", detail: "\(name) comes to more than \(longest) bytes")
      }
      switch node {
      case .text(let run): out.append(contentsOf: run.bytes)
      case .set(let assignment): try environment.set(assignment)
      case .action(let expression, _):
        let value = try environment.value(of: expression)
        if value.isNull, !isBlankAllowed {
          throw PersonalFailure(
            reason: "missing_value", detail: "\(name) names \(expression.text), which this recipient does not have")
        }
        out.append(contentsOf: (value.isNull ? "" : value.text ?? "").utf8)
      case .choice(let choice): try append(choice, &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
      case .loop(let loop):
        let elements = try environment.elements(of: try environment.value(of: loop.list), in: loop)
        if elements.isEmpty {
          try append(loop.otherwise ?? [], &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
        }
        let outer = environment.dot
        for (index, element) in elements {
          try environment.enter(loop, index: index, element: element)
          try append(loop.body, &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
        }
        environment.dot = outer
      }
    }
  }

  private static func append(
    _ choice: Choice<[Node]>, _ environment: inout Environment<PersonalValues>, _ name: String, isBlankAllowed: Bool,
    to out: inout [UInt8]
  ) throws {
    for arm in choice.arms {
      let condition = try environment.condition(of: arm)
      guard condition.isTrue == true else { continue }
      let outer = environment.dot
      if arm.isWith { environment.dot = condition }
      try append(arm.body, &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
      environment.dot = outer
      return
    }
    try append(choice.otherwise ?? [], &environment, name, isBlankAllowed: isBlankAllowed, to: &out)
  }
}
