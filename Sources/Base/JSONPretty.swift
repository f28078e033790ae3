extension JSON {
  /// The value on several lines, members and elements two blanks further in each.
  public var prettyText: String { pretty(indent: "") }

  private func pretty(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.pretty(indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let object) where !object.isEmpty:
      let lines = object.members.map { inner + JSON.string($0.key).text + ": " + $0.value.pretty(indent: inner) }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    default: return text
    }
  }
}
