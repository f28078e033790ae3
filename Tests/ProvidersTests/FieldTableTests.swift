import Base
import Campaign
import Foundation
import Providers
import Testing

@Suite("Every field at every provider that can carry it")
struct FieldTableTests {
  static var cells: [(PayloadProfile, String, FieldTable.Row, FieldTable.Cell)] {
    FieldTable.all.flatMap { table in
      table.rows.flatMap { row in row.cells.map { (table.profile, $0.0, row, $0.1) } }
    }
  }

  /// What lies at `a.b{}.c`.
  static func value(_ root: JSON, _ place: String) throws -> JSON? {
    var value: JSON? = root
    for part in place.split(separator: ".") {
      let isText = part.hasSuffix("{}")
      let name = String(isText ? part.dropLast(2) : part)
      value = Int(name).flatMap { value?.array?.dropFirst($0).first } ?? value?.object?[name]
      if isText { value = try value?.string.map { try JSONScanner.parse($0) } }
    }
    return value
  }

  @Test("a cell's value is where the table says")
  func cell() throws {
    for (profile, provider, row, cell) in Self.cells {
      let text = #"{"title":"T","body":"B",\#(row.sample)}"#.replacing(
        row.field == "title" || row.field == "body"
          ? #""\#(row.field)":"\#(row.field == "title" ? "T" : "B")","# : "\u{0}",
        with: "")
      let content = try Content(json: JSONScanner.parse(text))
      if cell.place.hasPrefix("header: ") {
        let adapter = try PayloadTests.provider(provider)
        let launch = Fixtures.launch(content: content, startedAt: 1_760_000_000_000).prepared(for: adapter.platform)
        let lane = try adapter.lane(
          of: Fixtures.channel(provider, settings: Fixtures.settings(of: provider), profile: profile), launch: launch,
          credential: Array(Fixtures.credential(of: provider).utf8))
        let lines = lane.headerLines(
          Access(authorization: nil, renewAt: EpochMilliseconds(0), validUntil: EpochMilliseconds(0)))
        #expect(lines.contains(String(cell.place.dropFirst(8))), "\(row.field) at \(provider) (\(profile))")
      } else {
        let payload = try RenderedPayload(provider, content, profile: profile)
        let expected = try JSONScanner.parse(cell.value)
        #expect(try Self.value(payload.root, cell.place) == expected, "\(row.field) at \(provider) (\(profile))")
      }
    }
  }

  static func markdown(_ table: FieldTable) -> String {
    let head = "| field | \(table.providers.joined(separator: " | ")) |"
    let line = "|" + String(repeating: " --- |", count: table.providers.count + 1)
    let rows = table.rows.map { row in
      let cells = table.providers.map { provider in
        row.cells.first { $0.0 == provider }.map { "`\($0.1.place)`" } ?? ""
      }
      return "| `\(row.field)` | \(cells.joined(separator: " | ")) |"
    }
    return ([head, line] + rows).joined(separator: "\n")
  }

  static func file(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }

  @Test("the printed tables are these", arguments: FieldTable.all.indices)
  func printed(_ index: Int) throws {
    let table = Self.markdown(FieldTable.all[index])
    #expect(try Self.file("Sources/Campaign/CONTENT.md").contains(table), "\n\(table)")
  }

  @Test("a field that no cell has is one that steers, or is known to have none")
  func complete() {
    let shown = Set(FieldTable.all.flatMap { $0.rows.map { String($0.field.prefix { $0 != "." }) } })
    let elsewhere: Set = ["notification", "locales", "variants"]
    #expect(Set(Content.keys) == shown.union(elsewhere))
  }
}
