import Foundation
import Testing

extension Runs {
  /// `salvo doctor` on stacks that lack something: each line says what to do, the exit code is the worst.
  @Suite struct DoctorTests {
    struct Report: Decodable {
      struct Finding: Decodable {
        let check: String
        let level: String
        let text: String
        let advice: String?
        let exitCode: Int
      }
      let exitCode: Int
      let findings: [Finding]

      func wrong(_ check: String) -> [Finding] { findings.filter { $0.check == check && $0.level == "wrong" } }
    }

    private static func examine(_ stack: Stack, _ words: [String] = [], _ more: [String: String] = [:]) async throws
      -> Report
    {
      let ended = try await stack.trySalvo(["doctor", "--json"] + words, more)
      let report = try JSONDecoder.snakeCase.decode(Report.self, from: Data(ended.out.utf8))
      #expect(Int(ended.code) == report.exitCode && ended.err == "")
      return report
    }

    /// A database of its own beside the stack's, so that other tests' channels don't matter.
    private static func database(_ stack: Stack, _ name: String) async throws -> [String: String] {
      try await stack.sql("create database \(name)")
      let environment = ["PGDATABASE": name]
      _ = try await stack.trySalvo(["migrate"], environment)
      return environment
    }

    private static func channel(_ stack: Stack, _ environment: [String: String], _ credential: String) async throws {
      let endpoint = stack.environment["SALVO_FCM_ENDPOINT"] ?? ""
      let ended = try await Shell.run(
        "/usr/bin/psql",
        [
          "-Xq", "-v", "ON_ERROR_STOP=1", "-c",
          """
          with a as (insert into salvo.account (name) values ('Shop') returning id)
          insert into salvo.channel (account_id, provider, name, settings, credential)
          select id, 'android-firebase', 'shop-\(credential)', '{"endpoint": "\(endpoint)"}', 'file:\(credential)' from a
          """,
        ], stack.environment.merging(environment) { $1 })
      try #require(ended.code == 0, "\(ended.err)")
    }

    @Test("a stack that lacks nothing: every check is there, and the exit code is 0")
    func healthy() async throws {
      let stack = try await Stack.shared()
      let database = try await Self.database(stack, "doctor_healthy")
      try await Self.channel(stack, database, "fcm.json")
      let report = try await Self.examine(stack, ["--state", stack.folder], database)
      #expect(report.exitCode == 0, "\(report.findings.filter { $0.level == "wrong" })")
      let checks = Set(report.findings.map(\.check))
      let expected: Set = [
        "libcurl", "state", "trust", "database", "clock", "schema", "rights", "channels", "endpoint", "open files",
      ]
      #expect(expected.subtracting(checks) == [])
      // The provider's server, and the one that gives access tokens.
      #expect(report.findings.filter { $0.check == "endpoint" }.map(\.level) == ["right", "right"])
      let text = try await stack.trySalvo(["doctor"], database)
      #expect(text.code == 0 && !text.out.contains("WRONG") && !text.out.contains("\u{1B}"))
    }

    @Test(
      "a credential that is missing or of the wrong form is named, never shown; the others are looked at all the same")
    func credentials() async throws {
      let stack = try await Stack.shared()
      let database = try await Self.database(stack, "doctor_credentials")
      let secret = "not-a-service-account-secret"
      try secret.write(
        toFile: (stack.environment["SALVO_CREDENTIALS"] ?? "") + "/doctor-wrong.json", atomically: true, encoding: .utf8
      )
      for name in ["fcm.json", "doctor-absent.json", "doctor-wrong.json"] {
        try await Self.channel(stack, database, name)
      }
      let report = try await Self.examine(stack, [], database)
      #expect(report.exitCode == 78)
      let wrong = report.wrong("channels").map(\.text)
      #expect(wrong.count == 2)
      #expect(wrong.contains { $0.contains("doctor-absent.json") && $0.contains("No such file or directory") })
      #expect(wrong.contains { $0.contains("doctor-wrong.json") && $0.contains("JSON") })
      #expect(!report.findings.contains { $0.text.contains(secret) })
      #expect(
        report.findings.contains { $0.check == "channels" && $0.level == "right" && $0.text.contains("fcm.json") })
    }

    @Test("servers that the trust file doesn't vouch for, or that aren't there: 69; a trust file that isn't one: 78")
    func trust() async throws {
      let stack = try await Stack.shared()
      let database = try await Self.database(stack, "doctor_trust")
      try await Self.channel(stack, database, "fcm.json")
      let foreign = try await Self.examine(stack, ["--ca-file", stack.folder + "/wrong-ca.pem"], database)
      #expect(foreign.exitCode == 69)
      #expect(foreign.wrong("endpoint").count == 2)
      #expect(
        foreign.wrong("endpoint").allSatisfy { $0.text.contains("--ca-file") && $0.text.contains("wrong-ca.pem") })
      let none = try await Self.examine(stack, ["--ca-file", "/nonexistent.pem"], database)
      #expect(none.exitCode == 78)
      #expect(none.wrong("trust").map(\.text).first?.contains("/nonexistent.pem") == true)
      #expect(none.wrong("channels").isEmpty)

      _ = try await Shell.run(
        "/usr/bin/psql",
        [
          "-Xqc",
          #"update salvo.channel set settings = settings || '{"endpoint": "https://localhost:1"}'"#,
        ], stack.environment.merging(database) { $1 })
      let away = try await Self.examine(stack, [], database)
      #expect(away.exitCode == 69)
      #expect(away.wrong("endpoint").map(\.text).first?.contains("https://localhost:1 for shop-fcm.json") == true)
    }

    @Test("a database without the schema, with an older one, without rights, or away: 78 and 75, and what to do")
    func schema() async throws {
      let stack = try await Stack.shared()
      let database = try await Self.database(stack, "doctor_schema")
      func sql(_ text: String) async throws {
        let ended = try await Shell.run(
          "/usr/bin/psql", ["-Xqc", text], stack.environment.merging(database) { $1 })
        try #require(ended.code == 0, "\(ended.err)")
      }
      try await sql("create role doctor_nobody login")
      let nobody = try await Self.examine(stack, [], database.merging(["PGUSER": "doctor_nobody"]) { $1 })
      #expect(nobody.exitCode == 78)
      #expect(nobody.wrong("schema").first?.text.contains("salvo_runner") == true)
      try await sql("grant salvo_reader to doctor_nobody")
      let reader = try await Self.examine(stack, [], database.merging(["PGUSER": "doctor_nobody"]) { $1 })
      #expect(reader.exitCode == 78)
      #expect(reader.wrong("rights").first?.text.contains("insert on delivery") == true)
      #expect(reader.wrong("rights").first?.advice == "grant salvo_runner to it")

      try await sql("delete from salvo.schema_version where version = (select max(version) from salvo.schema_version)")
      let old = try await Self.examine(stack, [], database)
      #expect(old.exitCode == 78 && old.wrong("schema").first?.text.contains("run `salvo migrate`") == true)
      try await sql("drop schema salvo cascade")
      let empty = try await Self.examine(stack, [], database)
      #expect(empty.exitCode == 78 && empty.wrong("schema").first?.text.contains("has no Salvo schema") == true)
      let away = try await Self.examine(stack, [], ["PGPORT": "1"])
      #expect(away.exitCode == 75 && away.wrong("database").count == 1)
      let folder = try await Self.examine(stack, ["--state", "/nonexistent"], ["PGPORT": "1"])
      #expect(folder.wrong("state").first?.exitCode == 73)
    }
  }
}
