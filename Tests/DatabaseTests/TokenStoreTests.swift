import Store
import Testing

@Suite("TokenStore", .database)
struct TokenStoreTests {
  private func fresh(_ token: String, renewAfter: Double = 3_000) -> StoredToken {
    StoredToken(token: token, renewAfter: renewAfter, expiresAfter: renewAfter + 600)
  }

  @Test("of five processes that mint at once, all show one token")
  func firstWins() async throws {
    try await TestDatabase.with(connections: 5) { test in
      _ = try await Migrator(test.database).migrate()
      let tokens = TokenStore(test.database)
      #expect(try await tokens.token(for: "key") == nil)
      let used = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<5 {
          group.addTask { try await tokens.offer(fresh("bearer \(number)"), for: "key", insteadOf: nil).token }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(used.count == 1)
      #expect(try await tokens.token(for: "key")?.token == used.first)
    }
  }

  @Test("an offer replaces one that is due or was refused, and no other")
  func replaced() async throws {
    try await TestDatabase.with { test in
      _ = try await Migrator(test.database).migrate()
      let tokens = TokenStore(test.database)
      #expect(try await tokens.offer(fresh("a"), for: "key", insteadOf: nil).token == "a")
      #expect(try await tokens.offer(fresh("b"), for: "key", insteadOf: nil).token == "a")
      #expect(try await tokens.offer(fresh("b"), for: "key", insteadOf: "a").token == "b")
      #expect(try await tokens.offer(fresh("c"), for: "key", insteadOf: "a").token == "b")
      #expect(try await tokens.offer(fresh("d", renewAfter: -1), for: "other", insteadOf: nil).token == "d")
      #expect(try await tokens.token(for: "other") == nil)
      #expect(try await tokens.offer(fresh("e"), for: "other", insteadOf: nil).token == "e")
    }
  }
}
