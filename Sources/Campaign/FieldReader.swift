internal import Base

/// Reads the members of one JSON object as typed values. A member that is null counts as absent; one that nobody
/// knows is refused by name, so that a misspelt key is not a setting silently left out.
struct FieldReader {
  /// As messages name the object: `content`, `content.buttons[0]`.
  let path: String
  private let object: JSONObject

  init(_ json: JSON, path: String, keys: [String]) throws(CampaignError) {
    self.path = path
    guard let object = json.object else {
      throw CampaignError(field: path, message: "an object, not \(Self.shown(json))")
    }
    self.object = object
    for key in object.keys where !keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
      throw CampaignError(
        field: "\(path).\(Self.oneLine(key))", message: "no such key" + Self.suggestion(for: key, among: keys))
    }
  }

  /// The member, nil when absent or null.
  subscript(key: String) -> JSON? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  /// Keys that have a value.
  var given: [String] { object.members.filter { !$0.value.isNull }.map(\.key) }

  /// The error of a member whose value isn't allowed.
  func refusal(_ key: String, _ allowed: String) -> CampaignError {
    CampaignError(field: "\(path).\(key)", message: "\(allowed), not \(Self.shown(self[key] ?? .null))")
  }

  // Every reader below gives nil when the member is absent.

  func text(_ key: String) throws(CampaignError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string else { throw refusal(key, "text") }
    return text
  }

  /// Text of which `isAllowed` says whether it may stand there; `allowed` tells people.
  func text(_ key: String, _ allowed: String, where isAllowed: (String) -> Bool) throws(CampaignError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string, isAllowed(text) else { throw refusal(key, allowed) }
    return text
  }

  func flag(_ key: String) throws(CampaignError) -> Bool? {
    guard let value = self[key] else { return nil }
    guard let flag = value.bool else { throw refusal(key, "true or false") }
    return flag
  }

  func whole(_ key: String, _ range: ClosedRange<Int64>) throws(CampaignError) -> Int64? {
    guard let value = self[key] else { return nil }
    let allowed =
      range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    guard let number = value.int else { throw refusal(key, "a whole number, \(allowed)") }
    guard range.contains(number) else { throw refusal(key, allowed) }
    return number
  }

  func whole(_ key: String, _ range: ClosedRange<Int>) throws(CampaignError) -> Int? {
    guard let number = try whole(key, Int64(range.lowerBound)...Int64(range.upperBound)) else { return nil }
    return Int(number)
  }

  func decimal(_ key: String, _ range: ClosedRange<Double>, _ allowed: String) throws(CampaignError) -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.double, range.contains(number) else { throw refusal(key, allowed) }
    return number
  }

  /// A time to live: seconds from 0 to four weeks, the longest any provider keeps a message, in milliseconds.
  func timeToLive(_ key: String) throws(CampaignError) -> Int64? {
    guard let seconds = try decimal(key, 0...2_419_200, "0 to 2419200 seconds") else { return nil }
    return Int64((seconds * 1000).rounded())
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Choice.Type
  ) throws(CampaignError) -> Choice? {
    guard let text = try choice(key, of: type.allCases.map(\.rawValue)) else { return nil }
    return Choice(rawValue: text)
  }

  func choice(_ key: String, of words: [String]) throws(CampaignError) -> String? {
    try text(key, words.joined(separator: " or ")) { words.contains($0) }
  }

  func object(_ key: String) throws(CampaignError) -> JSONObject? {
    guard let value = self[key] else { return nil }
    guard let object = value.object else { throw refusal(key, "an object") }
    return object
  }

  func array(_ key: String, atMost count: Int) throws(CampaignError) -> [JSON]? {
    guard let value = self[key] else { return nil }
    guard let array = value.array else { throw refusal(key, "an array") }
    guard array.count <= count else {
      throw CampaignError(field: "\(path).\(key)", message: "\(count) at most, not \(array.count)")
    }
    return array
  }

  func texts(_ key: String) throws(CampaignError) -> [String]? {
    guard let value = self[key] else { return nil }
    let texts = value.array?.compactMap(\.string)
    guard let texts, texts.count == value.array?.count else { throw refusal(key, "an array of texts") }
    return texts
  }

  /// `#` and a hex digit for every letter of the form.
  static func isColor(_ text: String, form: String) -> Bool {
    text.utf8.count == form.utf8.count && text.utf8.first == UInt8(ascii: "#")
      && text.utf8.dropFirst().allSatisfy { Hex.value(of: $0) != nil }
  }

  /// The value that must be there.
  func required<Value>(_ key: String, _ value: Value?) throws(CampaignError) -> Value {
    guard let value else { throw CampaignError(field: "\(path).\(key)", message: "is missing") }
    return value
  }

  /// A value as a message shows it: numbers and short texts themselves, all else by kind.
  static func shown(_ value: JSON) -> String {
    switch value {
    case .number(let digits) where digits.utf8.count <= 24: digits
    case .bool(let flag): flag ? "true" : "false"
    case .string(let text) where text.utf8.count <= 40: "the text \(value.text)"
    default: value.kind
    }
  }

  /// A key as a message shows it: control characters escaped, cut when very long.
  static func oneLine(_ key: String) -> String {
    var escaped: [UInt8] = []
    escaped.appendJSONEscaped(key.utf8)
    return String(decoding: escaped.prefix(64), as: UTF8.self)
  }

  private static func suggestion(for key: String, among keys: [String]) -> String {
    let nearest = keys.map { (key: $0, distance: distance(Array(key.utf8), Array($0.utf8))) }
      .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, (key.utf8.count + 1) / 3) else { return "" }
    return "; did you mean \(nearest.key)?"
  }

  /// Levenshtein's: letters to insert, drop or change.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (left == right ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[b.count]
  }
}
