import Base
import Providers
import Testing
import Transport

@testable import Pipeline

@Suite("AccessKeeper")
struct AccessKeeperTests {
  /// Exchanges a credential; counts how often.
  private final class Source: AccessSource {
    let begun = Guarded(0)
    let life: Double
    init(life: Double = 3600) { self.life = life }

    func begin(now: EpochMilliseconds) throws(ProviderError) -> AccessStep {
      begun.withLock { $0 += 1 }
      return .exchange(AccessExchange(endpoint: "https://localhost", path: "/token", form: []))
    }

    func access(from answer: Answer, askedAt: EpochMilliseconds) throws(ProviderError) -> Access {
      guard answer.status == 200 else { throw ProviderError(.credential, "refused") }
      return Access(
        authorization: "Bearer " + String(decoding: answer.body, as: UTF8.self),
        renewAt: askedAt.adding(seconds: life), validUntil: askedAt.adding(seconds: life + 300))
    }
  }

  private func keeper(
    _ source: Source, status: Int = 200, onRenewal: @escaping @Sendable (Bool) -> Void = { _ in }
  ) -> AccessKeeper {
    let count = Guarded(0)
    return AccessKeeper(
      source: source, lines: { $0.authorization.map { ["authorization: " + $0] } ?? [] },
      exchange: { _ in
        // Long enough for everybody to arrive while it is under way.
        try await Task.sleep(nanoseconds: 50_000_000)
        let number = count.withLock { count in
          count += 1
          return count
        }
        return Answer(status: status, body: Array("t\(number)".utf8))
      }, onRenewal: onRenewal)
  }

  @Test("each authorization that is made, and each try that gives none, is told once")
  func told() async throws {
    let told = Guarded<[Bool]>([])
    let good = keeper(Source(), onRenewal: { isGiven in told.withLock { $0.append(isGiven) } })
    _ = try await good.refused(try await good.current())
    _ = try await good.current()
    #expect(told.withLock { $0 } == [true, true])
    let bad = keeper(Source(), status: 400, onRenewal: { isGiven in told.withLock { $0.append(isGiven) } })
    await #expect(throws: ProviderError.self) { _ = try await bad.current() }
    #expect(told.withLock { $0 } == [true, true, false])
  }

  @Test("200 callers at once make one exchange and share its header set")
  func singleFlight() async throws {
    let source = Source()
    let keeper = keeper(source)
    let sets = try await withThrowingTaskGroup(of: HeaderSet.self) { group in
      for _ in 0..<200 { group.addTask { try await keeper.current() } }
      return try await group.reduce(into: [HeaderSet]()) { $0.append($1) }
    }
    #expect(source.begun.withLock { $0 } == 1)
    #expect(sets.allSatisfy { $0 === sets[0] })
    #expect(sets[0].lines == ["authorization: Bearer t1"])
  }

  @Test("150 refused at once renew once, and all go on with the new one")
  func oneRefresh() async throws {
    let source = Source()
    let keeper = keeper(source)
    let old = try await keeper.current()
    let sets = try await withThrowingTaskGroup(of: HeaderSet?.self) { group in
      for _ in 0..<150 { group.addTask { try await keeper.refused(old) } }
      return try await group.reduce(into: [HeaderSet?]()) { $0.append($1) }
    }
    #expect(source.begun.withLock { $0 } == 2)
    #expect(sets.allSatisfy { $0?.lines == ["authorization: Bearer t2"] })
  }

  @Test("one that is refused right after it was renewed is the end; once it was taken, it may be renewed again")
  func secondRefusal() async throws {
    let source = Source()
    let keeper = keeper(source)
    let first = try await keeper.current()
    let second = try #require(try await keeper.refused(first))
    #expect(try await keeper.refused(second) == nil)
    #expect(source.begun.withLock { $0 } == 2)
    keeper.accepted(second)
    #expect(try await keeper.refused(second) != nil)
  }

  @Test("an old one is renewed before it ends")
  func early() async throws {
    let source = Source(life: 0)
    let keeper = keeper(source)
    _ = try await keeper.current()
    #expect(try await keeper.current().lines == ["authorization: Bearer t2"])
  }

  @Test("who is away for a moment is asked again; while the old one is good, nobody waits for a new one")
  func away() async throws {
    let statuses = Guarded([503, 200, 503, 503, 503])
    let asked = Guarded(0)
    let keeper = AccessKeeper(
      source: Source(life: 0), lines: { $0.authorization.map { [$0] } ?? [] },
      exchange: { _ in
        asked.withLock { $0 += 1 }
        let status = statuses.withLock { $0.isEmpty ? 503 : $0.removeFirst() }
        if status == 503 { throw ProviderError(.temporary, "away") }
        return Answer(status: 200, body: Array("t1".utf8))
      })
    let first = try await keeper.current()
    #expect(first.lines == ["Bearer t1"])
    #expect(asked.withLock { $0 } == 2)
    #expect(try await keeper.current() === first)
    #expect(asked.withLock { $0 } == 5)
    // Not asked again with every request.
    #expect(try await keeper.current() === first)
    #expect(asked.withLock { $0 } == 5)
    await #expect(throws: ProviderError(.temporary, "away")) { try await keeper.refused(first) }
  }

  @Test("once the process was asked to stop, who is away is not asked again")
  func stopped() async throws {
    let stop = StopFlag()
    let asked = Guarded(0)
    let keeper = AccessKeeper(
      source: Source(), lines: { _ in [] },
      exchange: { _ in
        asked.withLock { $0 += 1 }
        stop.set()
        throw ProviderError(.temporary, "away")
      }, stop: stop)
    await #expect(throws: ProviderError(.temporary, "away")) { try await keeper.current() }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("a refusal of the exchange reaches everybody who waited, and is asked again by the next")
  func refusedExchange() async throws {
    let source = Source()
    let keeper = keeper(source, status: 400)
    await #expect(throws: ProviderError(.credential, "refused")) { try await keeper.current() }
    await #expect(throws: ProviderError(.credential, "refused")) { try await keeper.current() }
    #expect(source.begun.withLock { $0 } == 2)
  }
}
