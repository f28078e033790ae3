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
  /// One of several kinds, as `and .Title .Actions` gives it: good for a condition and nothing else.
  case mixed

  /// The schema of a member, or what is wrong.
  func member(_ name: String, of text: String) throws(SchemaError) -> Schema {
    switch self {
    case .record(let title, let members):
      if let member = members[name] { return member }
      let nearest = Spelling.nearest(to: name, among: members.keys).map { " (did you mean .\($0)?)" } ?? ""
      let known = members.keys.sorted().map { ".\($0)" }.joined(separator: " ")
      throw SchemaError(message: "there is no \(text).\(name)\(nearest): \(title) has \(known)")
    case .list: throw SchemaError(message: "\(text) is a list: range over it to reach .\(name)")
    case .value: throw SchemaError(message: "\(text) is a plain value, it has no .\(name)")
    case .mixed: throw SchemaError(message: "\(text) may be of several kinds, so it has no .\(name)")
    case .open, .names: return .open
    }
  }

  /// A value that JSON can hold, for functions.
  var isPlain: Bool {
    switch self {
    case .value, .open: true
    case .record, .list, .names, .mixed: false
    }
  }

  /// What a name stands for that may hold either.
  func merged(with other: Schema) -> Schema {
    switch (self, other) {
    case (.value, .value): .value
    case (.value, .open), (.open, .value), (.open, .open): .open
    case (.list(let a), .list(let b)):
      if case .mixed = a.merged(with: b) { .mixed } else { .list(a.merged(with: b)) }
    case (.record(let a, _), .record(let b, _)) where a == b: self
    default: .mixed
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
