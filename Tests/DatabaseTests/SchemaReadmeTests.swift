import Campaign
import Foundation
import Postgres
import Store
import Testing

@Suite("SQL/README.md", .database)
struct SchemaReadmeTests {
  private static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../SQL/README.md").standardizedFileURL

  /// The blocks marked `sql`, in order.
  private static func blocks() throws -> [String] {
    let text = try String(contentsOf: readme, encoding: .utf8)
    return text.components(separatedBy: "```sql\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  @Test("every block runs as written, in order, on a fresh database, under the platform's role")
  func run() async throws {
    try await TestDatabase.with { test in
      _ = try await Migrator(test.database).migrate()
      let blocks = try Self.blocks()
      #expect(blocks.count == 16)
      try await test.database.run { connection in
        try connection.execute("set role salvo_platform")
        for block in blocks {
          do {
            try connection.script(Array(block.utf8))
          } catch {
            Issue.record("\(error) in:\n\(block)")
          }
        }
        try connection.execute("reset role")
      }
      let recipients = try await test.database.run { connection in
        try connection.execute(
          "select channel_id, profile_id, subscription_id, variables->>'code' from salvo.recipient where launch_id = 1 order by 1, 2, 3"
        ).map { "\($0.int(0)!) \($0.int(1)!) \($0.int(2)!) \($0.text(3)!)" }
      }
      #expect(recipients == ["1 1 1 AUTUMN-1", "1 2 2 AUTUMN-2", "2 1 3 AUTUMN-3"])
      let launches = LaunchStore(test.database)
      let launch = try await launches.load(1)
      #expect(launch.state == .scheduled)
      #expect(launch.content.title == "{{.Profile.first_name}}, it is autumn")
      #expect(try await launches.channels(of: 1).map(\.name) == ["shop-android", "shop-ios"])
    }
  }
}
