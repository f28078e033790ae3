internal import Base
internal import Campaign

/// One recipient's own values.
struct PersonalValues: RootValues {
  private let key: RecipientKey
  private let row: Recipient?
  private let bytes: [UInt8]
  private let attributes: JSONObject
  private let variables: JSONObject
  /// The account's, for profiles that name none.
  private let timeZone: String
  /// The edition's, whose language its texts are in.
  private let locale: String?

  /// For texts that name nothing of the recipient.
  static let nobody = PersonalValues()

  private init() {
    key = RecipientKey(profileID: 0, subscriptionID: 0)
    row = nil
    bytes = []
    attributes = JSONObject()
    variables = JSONObject()
    timeZone = "UTC"
    locale = nil
  }

  /// Reads what the texts need of a row; the JSON in it only if one of them names something in it.
  /// - Parameters:
  ///   - timeZone: the account's, for profiles that name none.
  ///   - locale: the edition's, nil when it is everybody's.
  init(
    _ row: Recipient, of page: RecipientPage, attributes: Bool, variables: Bool, timeZone: String, locale: String?
  ) throws(PersonalFailure) {
    key = row.key
    self.timeZone = timeZone
    self.locale = locale
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
    case "Recipient": return clock(names[1])
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

  /// What functions are given besides what is written: whose clock, whose language.
  private func clock(_ name: String) -> Value {
    let field = Self.ownField(name).flatMap { row?[keyPath: $0] }
    let own = field.flatMap { $0.range.isEmpty ? nil : String(decoding: bytes[$0.range], as: UTF8.self) }
    switch name {
    case "time_zone": return .data(.string(own ?? timeZone))
    default: return .data((locale ?? own).map { .string($0) } ?? .null)
    }
  }
}
