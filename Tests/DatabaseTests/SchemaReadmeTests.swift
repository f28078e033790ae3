import Campaign
import Foundation
import Postgres
import Store
import Testing

@Suite("SQL/README.md", .database)
struct SchemaReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// What stands between two fences.
  private struct Block {
    /// `sql`, `sh`.
    let language: String
    /// Of SQL: what the fence names beside the language, else the platform's.
    let role: String
    let text: String
  }

  /// Every block, in order.
  private static func blocks() throws -> [Block] {
    let text = try String(contentsOf: root.appending(path: "SQL/README.md"), encoding: .utf8)
    // Odd parts are inside.
    let parts = "\n\(text)\n".components(separatedBy: "\n```")
    try #require(parts.count % 2 == 1, "a fence isn't closed")
    return stride(from: 1, to: parts.count, by: 2).map { at in
      let lines = parts[at].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let words = lines[0].split(separator: " ").map(String.init)
      return Block(
        language: words.first ?? "", role: words.dropFirst().first ?? "salvo_platform",
        text: lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// Roles that the page makes for programs: the cluster's, so they would outlive the database.
  private static let users = ["shop_backend", "mailer"]

  private func dropUsers(_ test: TestDatabase) async throws {
    try await test.database.run { connection in
      for user in Self.users { try connection.execute("drop role if exists \(user)") }
    }
  }

  /// As a person at a shell whose PG* variables lead to the database; a minute at most.
  private func shell(_ text: String, _ test: TestDatabase) throws -> String? {
    var environment = ProcessInfo.processInfo.environment
    for setting in test.conninfo.split(separator: " ") {
      let pair = setting.split(separator: "=", maxSplits: 1).map(String.init)
      let name = ["host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "dbname": "PGDATABASE"][pair[0]]
      if let name, pair.count == 2 { environment[name] = pair[1] }
    }
    environment["PATH"] = Self.root.appending(path: ".build/debug").path + ":" + (environment["PATH"] ?? "")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["60", "/bin/sh", "-ec", text]
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    let said = Pipe()
    process.standardError = said
    try process.run()
    let errors = try said.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0
      ? nil : "exit \(process.terminationStatus): \(String(decoding: errors, as: UTF8.self))"
  }

  @Test("every block runs as written, in order, on a fresh database, SQL under the role it names or the platform's")
  func run() async throws {
    try await TestDatabase.with { test in
      _ = try await Migrator(test.database).migrate()
      try await dropUsers(test)
      let blocks = try Self.blocks()
      #expect(blocks.count { $0.language == "sql" } >= 13)
      for block in blocks {
        switch block.language {
        case "sql":
          do {
            try await test.database.run { connection in
              try connection.execute("set role \(block.role)")
              defer { _ = try? connection.execute("reset role") }
              try connection.script(Array(block.text.utf8))
            }
          } catch {
            Issue.record("\(error) as \(block.role) in:\n\(block.text)")
          }
        case "sh":
          if let failure = try shell(block.text, test) { Issue.record("\(failure) in:\n\(block.text)") }
        default:
          Issue.record("a block of \"\(block.language)\" that nothing runs:\n\(block.text)")
        }
      }
      let members = try await test.database.run { connection in
        try connection.execute(
          """
          select r.rolname::text || ' ' || m.rolname from pg_auth_members a
          join pg_roles r on r.oid = a.roleid join pg_roles m on m.oid = a.member
          where m.rolname = any($1) order by 1
          """, [.textArray(Self.users)]
        ).map { $0.text(0) }
      }
      #expect(members == ["salvo_platform shop_backend", "salvo_runner mailer"])
      try await dropUsers(test)
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
