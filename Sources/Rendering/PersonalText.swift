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

/// One recipient's own values.
struct PersonalValues: RootValues {
  private let key: RecipientKey
  private let row: Recipient?
  private let bytes: [UInt8]
  private let attributes: JSONObject
  private let variables: JSONObject

  /// For texts that name nothing of the recipient.
  static let nobody = PersonalValues()

  private init() {
    key = RecipientKey(profileID: 0, subscriptionID: 0)
    row = nil
    bytes = []
    attributes = JSONObject()
    variables = JSONObject()
  }

  /// Reads what the texts need of a row; the JSON in it only if one of them names something in it.
  init(_ row: Recipient, of page: RecipientPage, attributes: Bool, variables: Bool) throws(PersonalFailure) {
    key = row.key
    self.row = row
    bytes = page.bytes
    self.attributes = attributes ? try Self.object(row.attributes, bytes, "the profile's attributes") : JSONObject()
    self.variables = variables ? try Self.object(row.variables, bytes, "the recipient's variables") : JSONObject()
  }

  private static func object(
    _ range: ByteRange?, _ bytes: [UInt8], _ what: String
  ) throws(PersonalFailure) -> JSONObject {
    guard let range else { return JSONObject() }
    do {
      switch try JSONScanner.parse(Array(bytes[range.range])) {
      case .object(let object): return object
      case .null: return JSONObject()
      default: throw PersonalFailure(reason: "wrong_value", detail: "\(what) are not an object")
      }
    } catch let error as JSONError {
      throw PersonalFailure(reason: "wrong_value", detail: "\(what) are not JSON: \(error)")
    } catch let error as PersonalFailure {
      throw error
    } catch {
      throw PersonalFailure(reason: "wrong_value", detail: "\(what) can't be read")
    }
  }

  /// The profile's own columns go before attributes of the same name.
  static func ownField(_ name: String) -> KeyPath<Recipient, ByteRange?>? {
    switch name {
    case "external_id": \.externalID
    case "locale": \.locale
    case "time_zone": \.timeZone
    default: nil
    }
  }

  func value(of names: [String]) -> Value {
    guard names.count > 1 else { return .null }
    switch names[0] {
    case "Subscription": return .data(.number(String(key.subscriptionID)))
    case "Vars": return Value.data(.object(variables)).member(names.dropFirst())
    default: break
    }
    if names[1] == "id" { return .data(.number(String(key.profileID))).member(names.dropFirst(2)) }
    guard let field = Self.ownField(names[1]) else {
      return Value.data(.object(attributes)).member(names.dropFirst())
    }
    guard let range = row?[keyPath: field] else { return .null }
    return Value.data(.string(String(decoding: bytes[range.range], as: UTF8.self))).member(names.dropFirst(2))
  }
}
