/// A JSON value that keeps what Foundation loses on Linux: numbers stay the digits the customer wrote, `true` stays
/// apart from `1`, members stay in their order.
public enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number's own text, as written: `129.90`, `1e3`, `18446744073709551616`.
  case number(String)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// The text, if it is a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The members, if it is an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The elements, if it is an array.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// `true` or `false`, if it is one of the two; a number never is.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an integer, if it is written as one and fits.
  public var int: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

  /// The number as the nearest double, if it is a number.
  public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

  /// Whether it is `null`.
  public var isNull: Bool { self == .null }

  /// What a person would call its type: `text`, `a number`, `an object` …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The members of a JSON object in the order they were written. Keys are compared byte by byte, not by Unicode
/// equivalence: `é` written two ways is two keys.
public struct JSONObject: Sendable, Equatable {
  /// A name and its value.
  public struct Member: Sendable, Equatable {
    /// Its name.
    public let key: String
    /// What it holds.
    public let value: JSON

    /// One member; the key is taken as it is, escapes already undone.
    public init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// In the order they were written.
  public private(set) var members: [Member]

  /// An object of these members, in this order. Whether a name comes twice isn't checked.
  public init(_ members: [Member] = []) { self.members = members }

  /// The value of the member `key`, nil when there is none.
  public subscript(key: String) -> JSON? {
    members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The members' names in their order.
  public var keys: [String] { members.map(\.key) }
  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// Replaces the member of that name, or appends it.
  public mutating func set(_ key: String, _ value: JSON) {
    let member = Member(key: key, value: value)
    if let at = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      members[at] = member
    } else {
      members.append(member)
    }
  }
}
