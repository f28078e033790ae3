internal import Base

extension Payload {
  /// With JSON laid over the value at the overlay's place. Members that only a condition writes are not looked into.
  /// - Throws: `TemplateError` when a text can't be read, or the template has no such place.
  func laying(_ overlay: PayloadOverlay, values: inout PayloadValues) throws(TemplateError) -> Payload {
    var payload = self
    payload.root.value = try Self.lay(
      overlay, at: overlay.path.steps[...], field: overlay.field, over: root.value, template, &values)
    return payload
  }

  private static func lay(
    _ overlay: PayloadOverlay, at steps: ArraySlice<JSONPath.Step>, field: String?, over value: PayloadValue,
    _ template: Template, _ values: inout PayloadValues
  ) throws(TemplateError) -> PayloadValue {
    guard let step = steps.first else {
      let merged = try merged(overlay.json, field, over: value, &values)
      return overlay.isText ? .nested(ValueBody(value: merged)) : merged
    }
    switch (step, value) {
    case (.member(let name), .object(var items)):
      let at = items.firstIndex { $0.key == name }
      let inner = at.flatMap { items[$0].value } ?? .object([])
      let laid = try lay(overlay, at: steps.dropFirst(), field: field, over: inner, template, &values)
      items.set(name, laid, at: at)
      return .object(items)
    case (.inside, .nested(var body)):
      body.value = try lay(overlay, at: steps.dropFirst(), field: field, over: body.value, template, &values)
      return .nested(body)
    default:
      throw template.source.error(
        at: 0, "the content says something for \(overlay.path.description), where this template has no object")
    }
  }

  private static func merged(
    _ json: JSON, _ field: String?, over value: PayloadValue?, _ values: inout PayloadValues
  ) throws(TemplateError) -> PayloadValue {
    switch json {
    case .string(let text):
      if let field { return .given(try values.content(text, field)) }
      return .given(.data(json))
    case .null, .bool, .number: return .given(.data(json))
    case .array(let elements):
      var items: [Item] = []
      for (index, element) in elements.enumerated() {
        items.append(
          .element(try merged(element, field.map { "\($0)[\(index)]" }, over: nil, &values), offset: 0))
      }
      return .array(items)
    case .object(let object):
      var items: [Item] = []
      if case .object(let below)? = value { items = below }
      for member in object.members {
        let at = items.firstIndex { $0.key == member.key }
        if member.value.isNull {
          if let at { items.remove(at: at) }
          continue
        }
        let field = field.map { "\($0).\(member.key)" }
        items.set(
          member.key, try merged(member.value, field, over: at.flatMap { items[$0].value }, &values), at: at)
      }
      return .object(items)
    }
  }
}

extension Item {
  /// A member's key.
  fileprivate var key: String? { if case .member(let key, _, _) = self { key } else { nil } }

  /// A member's value.
  fileprivate var value: PayloadValue? { if case .member(_, let value, _) = self { value } else { nil } }
}

extension [Item] {
  /// Replaces the member there, or appends one.
  fileprivate mutating func set(_ key: String, _ value: PayloadValue, at index: Int?) {
    if let index {
      self[index] = .member(key: key, value, offset: 0)
    } else {
      append(.member(key: key, value, offset: 0))
    }
  }
}
