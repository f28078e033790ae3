import Base
import Foundation
import Testing
import Transport

extension WireTests {
  @Suite("Stopping, deadlines, cancelling") struct StopTests {
    @Test("after stop nothing new is handed over; what is in flight gets its answer")
    func stop() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 10)
      _ = await pool.send(PageBuilder.page("first", 30, path: "/delay/1"))
      async let pending = pool.send(PageBuilder.page("m", 100, path: "/delay/500"))
      while try server.requests().count < 40 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(pool.stop() == 10)
      let results = await pending
      #expect(results.words == ["200": 10, "stopped": 90])
      #expect(results.map(\.handedOver).reduce(0, +) == 10)
      #expect(await pool.send(PageBuilder.page("late", 5)).words == ["stopped": 5])
      await pool.close()
      #expect(await pool.send(PageBuilder.page("later", 5)).words == ["stopped": 5])
      #expect(try server.requests().count == 40)
      #expect(pool.inFlight == 0)
    }

    @Test("stop while the connection is being made: nothing is handed over")
    func stopWhileConnecting() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      async let pending = pool.send(PageBuilder.page("m", 10))
      pool.stop()
      #expect(await pending.words == ["stopped": 10])
      await pool.close()
      #expect(try server.requests().isEmpty)
    }

    @Test("whoever waits at the send deadline comes back as not sent, one page without the other")
    func deadline() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 10)
      _ = await pool.send(PageBuilder.page("first", 30, path: "/delay/1"))
      async let patient = pool.send(PageBuilder.page("m", 20, path: "/delay/400"))
      async let hasty = pool.send(
        PageBuilder.page("h", 20), sendBefore: BootInstant.now.advanced(seconds: 0.2))
      let past = await pool.send(PageBuilder.page("p", 5), sendBefore: BootInstant.now)
      #expect(past.words == ["deadline": 5])
      #expect(await patient.words == ["200": 20])
      #expect(await hasty.map(\.handedOver).reduce(0, +) == hasty.words["200", default: 0])
      #expect(await hasty.words["200", default: 0] + hasty.words["deadline", default: 0] == 20)
      await pool.close()
      let ids = try server.requests().compactMap(\.id)
      #expect(!ids.contains { $0.hasPrefix("p") })
      #expect(await ids.count { $0.hasPrefix("h") } == hasty.words["200", default: 0])
    }

    @Test("a cancelled task gets back what waits, and the answers of what is in flight")
    func cancelled() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 10)
      _ = await pool.send(PageBuilder.page("first", 30, path: "/delay/1"))
      let task = Task { await pool.send(PageBuilder.page("m", 50, path: "/delay/300")) }
      while try server.requests().count < 40 { try await Task.sleep(for: .milliseconds(10)) }
      task.cancel()
      #expect(await task.value.words == ["200": 10, "stopped": 40])
      #expect(await pool.send(PageBuilder.page("after", 3)).words == ["200": 3])
      await pool.close()
      #expect(try server.requests().count == 43)
    }

    @Test("close ends within the time-out although the peer is silent")
    func closeWithSilentPeer() async throws {
      let server = try TestServer()
      let pool = try server.pool { $0.timeout = 0.5 }
      async let pending = pool.send(PageBuilder.page("m", 5, path: "/never"))
      while try server.requests().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      await pool.close()
      #expect(await pending.words == ["unknown": 1, "stopped": 4])
    }

    @Test("a pool that is dropped without close lets its requests finish")
    func dropped() async throws {
      let server = try TestServer()
      let results = try await server.pool().send(PageBuilder.page("m", 20))
      #expect(results.words == ["200": 20])
    }

    @Test("counters: answers, latencies, connections")
    func counters() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      #expect(pool.counters == PoolCounters())
      _ = await pool.send(PageBuilder.page("m", 10, path: "/delay/20"))
      await pool.close()
      let counters = pool.counters
      #expect(counters.answers == 10)
      #expect(counters.connectionsOpened == 1)
      #expect(counters.shortestLatency >= 0.02)
      #expect(counters.longestLatency >= counters.shortestLatency)
      #expect(counters.totalLatency >= 10 * counters.shortestLatency)
    }
  }
}
