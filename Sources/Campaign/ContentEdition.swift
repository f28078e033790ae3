internal import Base

extension Content {
  /// One of several contents of a launch, for a share of its profiles.
  public struct Variant: Sendable, Equatable {
    /// Kept with the results.
    public var name: String
    /// Its share is this of the sum of all.
    public var weight: Int
  }

  /// The content as the recipients of one locale and one variant get it.
  public struct Edition: Sendable, Equatable {
    /// As `Locale.normalized`; nil for everybody whose locale has no edition.
    public var locale: String?
    /// Index into `variants`; nil when there are none.
    public var variant: Int?
    /// All of its content: the launch's, with what the edition says of its own in place.
    public var content: Content
  }

  /// Every one of them is compiled for every channel.
  private static let mostEditions = 500

  /// `pt_BR` and `pt-BR` are the same.
  static func normalized(locale: some StringProtocol) -> String {
    locale.lowercased().replacing("_", with: "-")
  }

  /// Locales to look for, in this order: `pt-BR`, `pt`.
  public static func fallBack(from locale: some StringProtocol) -> [String] {
    var tag = normalized(locale: locale)[...]
    var tags: [String] = []
    while !tag.isEmpty {
      tags.append(String(tag))
      tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
    }
    return tags
  }

  /// `locales` and `variants`: what differs is laid over the content, the variant's first, then the locale's, last what
  /// the variant says for that locale. So a variant without words in somebody's language doesn't take those away.
  mutating func readEditions(_ json: JSON) throws(CampaignError) {
    guard let base = json.object else { return }
    let locales = try Self.locales(of: json, path: "content")
    var named: [(variant: JSONObject, locales: [(tag: String, path: String, own: JSONObject)], path: String)] = []
    for (index, element) in (try FieldReader.array(base["variants"], "content.variants", atMost: 100)).enumerated() {
      let path = "content.variants[\(index)]"
      let fields = try FieldReader(element, path: path, keys: ["name", "weight", "locales"] + Self.shownKeys)
      let name = try fields.required(
        "name", fields.text("name", "1 to 64 bytes of text") { (1...64).contains($0.utf8.count) })
      if variants.contains(where: { $0.name == name }) {
        throw CampaignError(field: "\(path).name", message: "\(name) is there twice")
      }
      variants.append(Variant(name: name, weight: try fields.whole("weight", 1...1_000_000) ?? 1))
      var own = JSONObject()
      for member in element.object?.members ?? [] where Self.shownKeys.contains(member.key) {
        own.set(member.key, member.value)
      }
      named.append((own, try Self.locales(of: element, path: path), path))
    }
    if variants.isEmpty, locales.isEmpty { return }

    var plain = self
    plain.variants = []
    let common = JSONObject(base.members.filter { !["locales", "variants"].contains($0.key) })
    for index in variants.isEmpty ? [nil] : variants.indices.map(Optional.some) {
      let variant = index.map { named[$0] }
      let own = variant?.locales ?? []
      var tags = locales.map(\.tag)
      tags += own.map(\.tag).filter { !tags.contains($0) }
      for tag in [nil] + tags.map(Optional.some) {
        let layers = [
          variant.map { (json: $0.variant, path: $0.path) },
          locales.first { $0.tag == tag }.map { (json: $0.own, path: $0.path) },
          own.first { $0.tag == tag }.map { (json: $0.own, path: $0.path) },
        ].compactMap { $0 }
        var merged = JSON.object(common)
        var path = "content"
        var content = plain
        for layer in layers {
          merged = merged.merging(.object(layer.json))
          path = layer.path
          content = try Content(json: merged, path: path)
        }
        editions.append(Edition(locale: tag, variant: index, content: content))
      }
    }
    if editions.count > Self.mostEditions {
      throw CampaignError(
        field: "content.variants",
        message: "\(editions.count) editions by variants and locales together, \(Self.mostEditions) at most")
    }
  }

  private static func locales(
    of json: JSON, path: String
  ) throws(CampaignError) -> [(tag: String, path: String, own: JSONObject)] {
    guard let value = json.object?["locales"], !value.isNull else { return [] }
    guard let object = value.object else {
      throw CampaignError(field: "\(path).locales", message: "an object, not \(FieldReader.shown(value))")
    }
    var found: [(tag: String, path: String, own: JSONObject)] = []
    for member in object.members {
      let field = "\(path).locales.\(FieldReader.oneLine(member.key))"
      let tag = normalized(locale: member.key)
      guard !tag.isEmpty, tag.utf8.count <= 35, !tag.hasPrefix("-"), !tag.hasSuffix("-"),
        tag.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
      else { throw CampaignError(field: field, message: "the name must be a language tag, as pt or pt-BR") }
      if found.contains(where: { $0.tag == tag }) {
        throw CampaignError(field: field, message: "the locale is there twice")
      }
      _ = try FieldReader(member.value, path: field, keys: shownKeys)
      found.append((tag, field, member.value.object ?? JSONObject()))
    }
    return found
  }
}

extension JSON {
  /// With the other laid over it: objects member by member, anything else in place of what was there.
  func merging(_ other: JSON) -> JSON {
    guard var object, let over = other.object else { return other }
    for member in over.members { object.set(member.key, (object[member.key] ?? .null).merging(member.value)) }
    return .object(object)
  }
}

extension FieldReader {
  /// An array that may be missing.
  fileprivate static func array(_ value: JSON?, _ field: String, atMost count: Int) throws(CampaignError) -> [JSON] {
    guard let value, !value.isNull else { return [] }
    guard let array = value.array else {
      throw CampaignError(field: field, message: "an array, not \(shown(value))")
    }
    guard array.count <= count else {
      throw CampaignError(field: field, message: "\(count) at most, not \(array.count)")
    }
    return array
  }
}
