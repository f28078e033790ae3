import Base
import Foundation
import Testing

@testable import Campaign

@Suite("content.schema.json says what the parser does")
struct ContentSchemaTests {
  static func schema() throws -> JSON {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try JSONScanner.parse(Array(Data(contentsOf: root.appending(path: "Sources/Campaign/content.schema.json"))))
  }

  static func keys(_ schema: JSON?) -> Set<String> { Set(schema?.object?["properties"]?.object?.keys ?? []) }

  static func at(_ json: JSON, _ names: String...) -> JSON? { names.reduce(json) { $0?.object?[$1] } }

  @Test("the content's keys, an edition's, a variant's, the push object's")
  func keys() throws {
    let schema = try Self.schema()
    #expect(Self.keys(schema) == Set(Content.keys))
    #expect(Self.keys(Self.at(schema, "$defs", "edition")) == Set(Content.shownKeys))
    #expect(Self.keys(Self.at(schema, "$defs", "variant")) == Set(Content.shownKeys + ["name", "weight", "locales"]))
    let push = Self.at(schema, "$defs", "apple_push")
    #expect(Self.keys(push) == Set(ApplePush.keys))
    #expect(Self.keys(Self.at(schema, "$defs", "edition", "properties", "loc")) == Set(Localization.keys))
    let properties = try #require(push?.object?["properties"]?.object)
    #expect(Self.keys(properties["alert"]?.object?["anyOf"]?.array?.last) == Set(ApplePush.alertKeys))
    #expect(Self.keys(properties["buttons"]?.object?["items"]) == Set(ApplePush.buttonKeys))
    #expect(properties["asset_file_type"]?.object?["enum"] == .array(ApplePush.assetTypes.map { .string($0) }))
  }

  @Test("Firebase's blocks, to any depth")
  func firebase() throws {
    try compare(FirebaseContent.shape, Self.at(Self.schema(), "$defs", "fcm"), "fcm")
  }

  private func compare(_ shape: FieldShape, _ schema: JSON?, _ path: String) throws {
    let schema = try #require(schema?.object, "\(path)")
    switch shape {
    case .object(let members):
      #expect(Self.keys(.object(schema)) == Set(members.map(\.0)), "\(path)")
      #expect(schema["additionalProperties"] == .bool(false), "\(path)")
      for (name, member) in members { try compare(member, schema["properties"]?.object?[name], "\(path).\(name)") }
    case .choice(let words): #expect(schema["enum"] == .array(words.map { .string($0) }), "\(path)")
    case .list(let element): try compare(element, schema["items"], "\(path)[]")
    case .text: #expect(schema["type"] == .string("string"), "\(path)")
    case .flag: #expect(schema["type"] == .string("boolean"), "\(path)")
    case .whole(let range):
      #expect(schema["minimum"]?.int == range.lowerBound && schema["maximum"]?.int == range.upperBound, "\(path)")
    case .decimal(let range):
      #expect(schema["minimum"]?.double == range.lowerBound && schema["maximum"]?.double == range.upperBound, "\(path)")
    case .color: #expect(schema["pattern"]?.string != nil, "\(path)")
    case .texts: #expect(schema["type"] == .string("array"), "\(path)")
    case .strings, .open: #expect(schema["type"] == .string("object"), "\(path)")
    case .duration: #expect(schema["type"]?.array?.count == 2, "\(path)")
    }
  }
}
