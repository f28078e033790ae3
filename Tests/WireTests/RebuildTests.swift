import Base
import Foundation
import Testing

@testable import Transport

extension WireTests {
  @Suite("A multi handle that fails is replaced") struct RebuildTests {
    /// Fails at the first turn after it was told to.
    private final class Failing: MultiHandle {
      let isDue: StopFlag

      init?(_ configuration: PoolConfiguration, isDue: StopFlag) {
        self.isDue = isDue
        super.init(configuration)
      }

      override func perform() -> String? { isDue.isSet ? "as ordered" : super.perform() }
    }

    @Test("what was in flight is unknown and not repeated, what comes later goes over new connections")
    func fails() async throws {
      let server = try TestServer()
      let isDue = StopFlag()
      let made = Guarded(0)
      let pool = try Pool(
        try server.configuration(connections: 1, streams: 20),
        makeMulti: { configuration in
          let isFirst = made.withLock { count in
            count += 1
            return count == 1
          }
          return isFirst ? Failing(configuration, isDue: isDue) : MultiHandle(configuration)
        })
      #expect(await pool.send(PageBuilder.page("first", 1)).words == ["200": 1])
      async let sent = pool.send(PageBuilder.page("m", 20, path: "/never"))
      while try server.requests().count < 21 { try await Task.sleep(nanoseconds: 10_000_000) }
      isDue.set()
      let results = await sent
      #expect(results.words == ["unknown": 20])
      #expect(results.allSatisfy { $0.handedOver == 1 && $0.text.contains("multi handle failed: as ordered") })
      #expect(await pool.send(PageBuilder.page("after", 20)).words == ["200": 20])
      await pool.close()
      #expect(made.withLock { $0 } == 2)
      #expect(try server.count("connection") == 2)
      #expect(try server.requests().count == 41)
      #expect(Set(try server.requests().compactMap(\.id)).count == 41)
    }

    @Test("without memory for one, nothing is handed over; with the next one everything goes")
    func isMissing() async throws {
      let server = try TestServer()
      let isThere = StopFlag()
      let pool = try Pool(
        try server.configuration(connections: 1, streams: 20),
        makeMulti: { isThere.isSet ? MultiHandle($0) : nil })
      let results = await pool.send(PageBuilder.page("m", 5))
      #expect(results.words == ["unreachable": 5])
      #expect(results.allSatisfy { $0.handedOver == 0 })
      isThere.set()
      var after: [ExchangeResult] = []
      for _ in 0..<100 where after.words != ["200": 5] { after = await pool.send(PageBuilder.page("after", 5)) }
      #expect(after.words == ["200": 5])
      await pool.close()
      #expect(try server.requests().count == 5)
    }
  }
}
