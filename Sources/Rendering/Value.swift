internal import Base

/// What an expression comes to while a template is bound to its launch.
indirect enum Value: Sendable {
  /// The same for every message.
  case data(JSON)
  case list([Value])
  case record([String: Value])
  case timeToLive(TimeToLive)
  /// Another one for every message.
  case dynamic(Dynamic)
  /// `json` of a value.
  case encoded(Value)

  static let null = Value.data(.null)

  var isNull: Bool {
    switch self {
    case .data(let json): json.isNull
    case .encoded(let value): value.isNull
    case .list, .record, .timeToLive, .dynamic: false
    }
  }

  /// Go's truth: false, 0, null and everything empty are false. Nil when only a message's own value decides.
  var isTrue: Bool? {
    switch self {
    case .data(let json):
      switch json {
      case .null: false
      case .bool(let flag): flag
      case .number(let digits): Self.isNonZero(digits)
      case .string(let text): !text.isEmpty
      case .array(let elements): !elements.isEmpty
      case .object(let object): !object.isEmpty
      }
    case .list(let elements): !elements.isEmpty
    case .record: true
    case .timeToLive(let time): time.milliseconds != 0
    case .dynamic(let dynamic): dynamic.mayBeEmpty ? nil : true
    case .encoded(let value): !value.isNull
    }
  }

  private static func isNonZero(_ digits: String) -> Bool {
    digits.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { (0x31...0x39).contains($0) }
  }

  /// What a path of names leads to; null where there is nothing.
  func member(_ names: some Sequence<String>) -> Value {
    var value = self
    for name in names {
      switch value {
      case .data(.object(let object)): value = .data(object[name] ?? .null)
      case .record(let members): value = members[name] ?? .null
      default: return .null
      }
    }
    return value
  }

  /// The elements a range goes over, each with its index or key; nil when it is no list.
  var elements: [(index: JSON, value: Value)]? {
    switch self {
    case .data(.null): return []
    case .data(.array(let elements)):
      return elements.enumerated().map { (.number(String($0.offset)), .data($0.element)) }
    case .data(.object(let object)):
      // By key as Go does.
      return object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { (.string($0.key), .data($0.value)) }
    case .list(let elements):
      return elements.enumerated().map { (.number(String($0.offset)), $0.element) }
    default: return nil
    }
  }
}

/// A value that differs from message to message.
indirect enum Dynamic: Sendable, Hashable {
  case token
  case uid
  case openLink
  case ackLink
  /// One of the content's personal texts.
  case text(Int)
  /// The text if it is an http or https URL (or is none, with false), else nothing.
  case onlyHTTP(Dynamic, Bool)
  /// The first, or the other when the first is empty.
  case fallback(Dynamic, Dynamic)
  case constant(String)

  var mayBeEmpty: Bool {
    switch self {
    case .token, .uid, .openLink, .ackLink: false
    case .text, .onlyHTTP: true
    case .fallback(_, let other): other.mayBeEmpty
    case .constant(let text): text.isEmpty
    }
  }

  /// Whether there is anything of the message in it but its token.
  var isPersonal: Bool {
    switch self {
    case .token, .constant: false
    case .uid, .openLink, .ackLink, .text: true
    case .onlyHTTP(let inner, _): inner.isPersonal
    case .fallback(let first, let other): first.isPersonal || other.isPersonal
    }
  }
}
