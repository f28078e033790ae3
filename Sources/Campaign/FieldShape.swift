internal import Base

/// What a member of a block may hold, for blocks that are checked and then passed on as they are. The same table reads
/// the block and describes it to a JSON Schema.
public indirect enum FieldShape: Sendable {
  /// Text; T where the block's texts are.
  case text
  case flag
  case whole(ClosedRange<Int64>)
  case decimal(ClosedRange<Double>)
  case choice([String])
  /// Seconds as a number, or protobuf's own `"3.5s"`; written as the latter. The bounds are in seconds.
  case duration(ClosedRange<Double>)
  /// `#RRGGBB`, nothing else.
  case color
  case texts
  /// Any names; values are texts, and what isn't becomes one: Firebase refuses anything else.
  case strings
  /// Any JSON object, for whoever shaped it.
  case open
  case list(FieldShape)
  case object([(String, FieldShape)])

  /// The value as it is passed on.
  /// - Parameter path: as messages name it.
  /// - Throws: `CampaignError` naming the field and what is allowed; unknown members are refused by name.
  func read(_ value: JSON, path: String) throws(CampaignError) -> JSON {
    if value.isNull { return value }
    switch self {
    case .text:
      guard value.string != nil else { throw Self.refusal(path, "text", value) }
    case .flag:
      guard value.bool != nil else { throw Self.refusal(path, "true or false", value) }
    case .whole(let range):
      let allowed = "a whole number, \(range.lowerBound) to \(range.upperBound)"
      guard let number = value.int, range.contains(number) else { throw Self.refusal(path, allowed, value) }
    case .decimal(let range):
      let allowed = "\(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound))"
      guard let number = value.double, range.contains(number) else { throw Self.refusal(path, allowed, value) }
    case .choice(let words):
      guard let text = value.string, words.contains(text) else {
        throw Self.refusal(path, words.joined(separator: " or "), value)
      }
    case .duration(let range): return try Self.duration(value, range, path)
    case .color:
      guard let text = value.string, FieldReader.isColor(text, form: "#RRGGBB") else {
        throw Self.refusal(path, "#RRGGBB", value)
      }
    case .texts:
      guard let array = value.array, array.allSatisfy({ $0.string != nil }) else {
        throw Self.refusal(path, "an array of texts", value)
      }
    case .strings:
      guard let object = value.object else { throw Self.refusal(path, "an object", value) }
      return .object(JSONObject(object.members.map { .init(key: $0.key, value: Self.asString($0.value)) }))
    case .open:
      guard value.object != nil else { throw Self.refusal(path, "an object", value) }
    case .list(let shape):
      guard let array = value.array else { throw Self.refusal(path, "an array", value) }
      var elements: [JSON] = []
      for (index, element) in array.enumerated() {
        elements.append(try shape.read(element, path: "\(path)[\(index)]"))
      }
      return .array(elements)
    case .object(let members):
      _ = try FieldReader(value, path: path, keys: members.map(\.0))
      var object = JSONObject()
      for member in value.object?.members ?? [] {
        guard let shape = members.first(where: { $0.0 == member.key })?.1 else { continue }
        object.set(member.key, try shape.read(member.value, path: "\(path).\(member.key)"))
      }
      return .object(object)
    }
    return value
  }

  private static func refusal(_ path: String, _ allowed: String, _ value: JSON) -> CampaignError {
    CampaignError(field: path, message: "\(allowed), not \(FieldReader.shown(value))")
  }

  private static func shown(_ number: Double) -> String {
    number == number.rounded() ? String(Int64(number)) : String(number)
  }

  private static func asString(_ value: JSON) -> JSON {
    switch value {
    case .null, .string: value
    default: .string(value.text)
    }
  }

  private static func duration(
    _ value: JSON, _ range: ClosedRange<Double>, _ path: String
  ) throws(CampaignError) -> JSON {
    let digits: String?
    switch value {
    case .number(let text): digits = text
    case .string(let text) where text.hasSuffix("s"): digits = String(text.dropLast())
    default: digits = nil
    }
    // Protobuf takes no exponent and no sign.
    guard let digits, let seconds = Double(digits), range.contains(seconds), digits.utf8.first != UInt8(ascii: "."),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else {
      throw refusal(
        path, "seconds, \(shown(range.lowerBound)) to \(shown(range.upperBound)), as 3600 or \"3600s\"", value)
    }
    return .string(digits + "s")
  }
}
