/// What a name stands for while a template is read, so that a misspelt one is found before the first message.
indirect enum Schema: Sendable {
  /// Names and what they stand for. `title` says whose they are: `the payload`, `a button`.
  case record(title: String, [String: Schema])
  case list(Schema)
  case value
  /// JSON that a customer shaped: any name may be in it.
  case open
  /// The same, but only its members can be used: `.Profile.city`.
  case names

  /// The schema of a member, or what is wrong.
  func member(_ name: String, of text: String) throws(SchemaError) -> Schema {
    switch self {
    case .record(let title, let members):
      if let member = members[name] { return member }
      let known = members.keys.sorted().map { ".\($0)" }.joined(separator: " ")
      throw SchemaError(message: "there is no \(text).\(name): \(title) has \(known)")
    case .list: throw SchemaError(message: "\(text) is a list: range over it to reach .\(name)")
    case .value: throw SchemaError(message: "\(text) is a plain value, it has no .\(name)")
    case .open, .names: return .open
    }
  }
}

/// Why a name can't be used.
struct SchemaError: Error {
  let message: String
}

extension Schema {
  /// What content texts may name: the recipient.
  static let personal = Schema.record(
    title: "a content text",
    ["Profile": .names, "Subscription": .record(title: "a subscription", ["id": .value]), "Vars": .names])
}
