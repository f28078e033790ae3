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

  /// Whether the value itself is known only with the message; a list of such values is known to be a list.
  var isOpen: Bool { open != nil }

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
    case .dynamic(let dynamic): dynamic.isTrue
    case .encoded(.dynamic(let dynamic)): dynamic.isNeverNull ? true : nil
    case .encoded(let value): !value.isNull
    }
  }

  private static func isNonZero(_ digits: String) -> Bool {
    digits.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { (0x31...0x39).contains($0) }
  }

  /// What a path of names leads to; null where there is nothing.
  func member(_ names: some Collection<String>) -> Value {
    if names.isEmpty { return self }
    if case .dynamic(let dynamic) = self {
      return dynamic.isText ? .null : .dynamic(.member(dynamic, Array(names)))
    }
    var value = self
    for (index, name) in names.enumerated() {
      switch value {
      case .data(.object(let object)): value = .data(object[name] ?? .null)
      case .record(let members): value = members[name] ?? .null
      case .dynamic: return value.member(names.dropFirst(index))
      default: return .null
      }
    }
    return value
  }

  /// The elements a range goes over, each with its index or key; nil when it is no list. A whole number counts from 0.
  var elements: [(index: JSON, value: Value)]? {
    switch self {
    case .data(.null): return []
    case .data(.number(let digits)):
      guard let count = Int(digits), count <= Self.mostElements else { return nil }
      return (0..<max(0, count)).map { (.number(String($0)), .data(.number(String($0)))) }
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

  /// What a number that is ranged over may be at most.
  static let mostElements = 10_000

  /// As functions take it: JSON text of `json`, seconds of a time to live.
  var plain: Value {
    switch self {
    case .encoded(let inner): inner.isNull ? .null : .data(.string(inner.plain.text ?? ""))
    case .timeToLive(let time): .data(.number(time.text(in: nil)))
    case .data, .list, .record, .dynamic: self
    }
  }

  /// What an action writes where no place changes it; nil for null, and for what can't be written.
  var text: String? {
    switch self {
    case .data(.null), .list, .record, .dynamic: nil
    case .data(.string(let text)): text
    case .data(let json): json.text
    case .timeToLive(let time): time.text(in: nil)
    case .encoded(.data(let json)): json.text
    case .encoded(let inner): inner.text
    }
  }

  /// For messages: `text`, `a number`, `a list`.
  var kind: String {
    switch self {
    case .data(.array), .list: "a list"
    case .data(let json): json.kind
    case .record: "an object"
    case .timeToLive: "a number"
    case .dynamic, .encoded: "text"
    }
  }
}

extension Value: Equatable {
  /// Texts are equal when their bytes are: to Swift `é` is the same written in one scalar or two, to a device it isn't.
  static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.data(let a), .data(let b)): a.text.utf8.elementsEqual(b.text.utf8)
    case (.list(let a), .list(let b)): a == b
    case (.record(let a), .record(let b)): a == b
    case (.timeToLive(let a), .timeToLive(let b)): a == b
    case (.dynamic(let a), .dynamic(let b)): a == b
    case (.encoded(let a), .encoded(let b)): a == b
    default: false
    }
  }
}
