import Postgres
import Testing

@Suite("Database", .database)
struct PostgresDatabaseTests {
  @Test("one statement runs")
  func one() async throws {
    try await TestDatabase.with { test in
      let name = try await test.database.run { try $0.execute("select current_database()")[0].text(0) }
      #expect(name == test.name)
    }
  }
}
