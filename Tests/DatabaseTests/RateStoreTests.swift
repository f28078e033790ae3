import Postgres
import Store
import Testing

@Suite("RateStore", .database)
struct RateStoreTests {
  private func with(_ body: (Database) async throws -> Void) async throws {
    try await TestDatabase.with(connections: 4) { test in
      _ = try await Migrator(test.database).migrate()
      try await body(test.database)
    }
  }

  @Test("a runner alone has the whole rate; a second one waits until the first let go of half")
  func two() async throws {
    try await with { database in
      let first = RateStore(database, owner: "first", lease: 3_600)
      let second = RateStore(database, owner: "second", lease: 3_600)
      #expect(try await first.share(of: "key", rate: 160) == 160)
      #expect(try await second.share(of: "key", rate: 160) == 0)
      #expect(try await first.share(of: "key", rate: 160) == 80)
      #expect(try await second.share(of: "key", rate: 160) == 80)
      #expect(try await first.share(of: "key", rate: 160) == 80)
      try await first.release("key")
      #expect(try await second.share(of: "key", rate: 160) == 160)
    }
  }

  @Test("a part that its runner no longer renews is taken over when its lease ends")
  func vanished() async throws {
    try await with { database in
      let dead = RateStore(database, owner: "dead", lease: 3_600)
      let alive = RateStore(database, owner: "alive", lease: 3_600)
      #expect(try await dead.share(of: "key", rate: 16) == 16)
      #expect(try await alive.share(of: "key", rate: 16) == 0)
      try await database.run { connection in
        _ = try connection.execute("update salvo.rate_slot set lease_until = now() where owner = 'dead'")
      }
      #expect(try await alive.share(of: "key", rate: 16) == 16)
    }
  }

  @Test("three runners renewing in turn never hold more than the whole")
  func never() async throws {
    try await with { database in
      let runners = (0..<3).map { RateStore(database, owner: "runner \($0)", lease: 3_600) }
      var held = [0.0, 0.0, 0.0]
      for round in 0..<5 {
        for at in [0, 1, 2] {
          held[at] = try await runners[at].share(of: "key", rate: 1_600)
          #expect(held.reduce(0, +) <= 1_600, "round \(round)")
        }
      }
      // 16 slots among three: 6, 6 and 4, or so.
      #expect(held.allSatisfy { $0 >= 400 && $0 <= 600 }, "\(held)")
    }
  }

  @Test("nobody is left without a part: of sixteen parts five runners hold 4, 3, 3, 3 and 3, whoever asks last")
  func five() async throws {
    try await with { database in
      let runners = (0..<5).map { RateStore(database, owner: "runner \($0)", lease: 3_600) }
      var held = [0.0, 0.0, 0.0, 0.0, 0.0]
      for _ in 0..<3 {
        for at in [4, 2, 0, 1, 3] { held[at] = try await runners[at].share(of: "key", rate: 16) }
      }
      #expect(held == [4, 3, 3, 3, 3])
    }
  }

  @Test("a day's allowance is spent once, whoever asks")
  func day() async throws {
    try await with { database in
      let runners = (0..<4).map { RateStore(database, owner: "runner \($0)", lease: 3_600) }
      let granted = try await withThrowingTaskGroup(of: Int.self) { group in
        for runner in runners {
          group.addTask {
            var sum = 0
            for _ in 0..<20 where try await runner.spend(.question, of: "key", daily: 50) == nil { sum += 1 }
            return sum
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(granted == 50)
      let wait = try #require(try await runners[0].spend(.question, of: "key", daily: 50))
      #expect((0...86_400).contains(wait))
    }
  }

  @Test("sendings leave a question for each that none was asked about, and a fiftieth of the day")
  func questions() async throws {
    try await with { database in
      let rates = RateStore(database, owner: "runner", lease: 3_600)
      /// How many are granted until one is not.
      func granted(_ request: DayRequest, of name: String, daily: Int64) async throws -> Int {
        var count = 0
        while count < 1_000, try await rates.spend(request, of: name, daily: daily) == nil { count += 1 }
        return count
      }
      // Half are sendings when nothing was asked about, the other half asks.
      #expect(try await granted(.sending, of: "one", daily: 10) == 5)
      #expect(try await granted(.question, of: "one", daily: 10) == 5)
      // Two questions each: 33 sendings and 66 questions; a fiftieth is two.
      var sendings = 0
      while try await rates.spend(.sending, of: "two", daily: 100) == nil {
        sendings += 1
        for _ in 1...2 { #expect(try await rates.spend(.question, of: "two", daily: 100) == nil) }
      }
      #expect(sendings == 33)
      #expect(try await granted(.question, of: "two", daily: 100) == 1)
      #expect(try await granted(.sending, of: "three", daily: 2) == 1)
    }
  }
}
