import Foundation
import Testing

extension Runs {
  /// Launches that can't run, and databases that can't be used.
  @Suite struct RefusalOfLaunchTests {
    @Test("a launch that isn't there: 66; without recipients, too large or cancelled: 65, and nothing changes")
    func launches() async throws {
      let stack = try await Stack.shared()
      try await stack.trySalvo(["run", "999999"]).expectOneLine(66, ["there is no launch 999999"])

      let launch = try await TestLaunch.make(stack, [.firebase(3)], options: #"{"max_recipients": 2}"#)
      try await launch.tryRun().expectOneLine(65, ["launch \(launch.id) has 3 recipients", "max_recipients", "2"])
      try await launch.expectUntouched()

      try await stack.sql("update salvo.launch set state = 'cancelled' where id = \(launch.id)")
      try await launch.tryRun().expectOneLine(65, ["launch \(launch.id) is cancelled"])
      try await launch.expectUntouched("cancelled")

      let campaign = try await stack.number(
        "insert into salvo.campaign (account_id, name) values (\(launch.account), 'empty') returning id")
      let empty = try await stack.createLaunch(campaign: campaign, content: TestLaunch.equalContent)
      try await stack.trySalvo(["run", "\(empty)"]).expectOneLine(
        65, ["launch \(empty) has no recipients", "salvo audience"])
      #expect(try await stack.sql("select state from salvo.launch where id = \(empty)") == ["draft"])
      #expect(try await stack.ledger().isEmpty)
    }

    @Test("one launch that can't run keeps no other back")
    func oneOfTwo() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      let ended = try await stack.trySalvo(["run", "999999", "\(launch.id)"])
      #expect(ended.code == 66)
      #expect(ended.errLines == ["salvo: error: there is no launch 999999"])
      #expect(
        ended.outLines.last
          == "all lanes: planned 3 sent 3 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
    }

    @Test("a database that doesn't answer: 75; settings that can't be read: 78; a password is never said")
    func databaseAway() async throws {
      let stack = try await Stack.shared()
      let nowhere = try await stack.trySalvo(["run", "1"], ["PGHOST": "\(stack.folder)/nowhere"])
      nowhere.expectOneLine(75, ["\(stack.folder)/nowhere", "No such file or directory"])
      let refused = try await stack.trySalvo(
        ["run", "1", "--database", "host=127.0.0.1 port=1 user=shop password=hunter2 dbname=shop"])
      refused.expectOneLine(75, ["shop@127.0.0.1:1/shop", "Connection refused"])
      let unread = try await stack.trySalvo(["run", "1", "--database", "host=127.0.0.1 pasword=hunter2"])
      unread.expectOneLine(78, ["--database"])
      for ended in [refused, unread] { #expect(!ended.everything.contains("hunter2")) }
    }

    @Test("a schema that is missing, older or newer: 78, saying what to do")
    func schemaVersions() async throws {
      let stack = try await Stack.shared()
      let name = "schema_versions"
      let other = ["PGDATABASE": name]
      try await stack.sql("create database \(name)")
      let commands = [["run", "1"], ["launch", "list"], ["audience", "1"]]

      try await stack.trySalvo(["run", "1"], other).expectOneLine(78, [name, "no Salvo schema", "`salvo migrate`"])
      #expect(try await stack.trySalvo(["migrate"], other).code == 0)
      let needed = try await stack.number("select max(version) from salvo.schema_version")

      func setVersion(_ version: Int) async throws {
        let update =
          "update salvo.schema_version set version = \(version) where version = (select max(version) from salvo.schema_version)"
        let ended = try await Shell.run(
          "/usr/bin/psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-c", update], stack.environment.merging(other) { $1 })
        try #require(ended.code == 0, "\(ended.err)")
      }
      try await setVersion(needed + 1)
      for command in commands + [["migrate"]] {
        try await stack.trySalvo(command, other).expectOneLine(
          78, [name, "version \(needed + 1)", "knows \(needed)", "salvo"])
      }
      let last = try await stack.sql("select max(version) from salvo.schema_version where version < \(needed)")
      if let older = last.first.flatMap({ Int($0) }) {
        let delete = "delete from salvo.schema_version where version > \(older)"
        _ = try await Shell.run("/usr/bin/psql", ["-Xq", "-c", delete], stack.environment.merging(other) { $1 })
        try await stack.trySalvo(["run", "1"], other).expectOneLine(
          78, [name, "version \(older)", "needs \(needed)", "`salvo migrate`"])
      }
      try await stack.sql("drop database \(name)")
    }
  }
}
