import Base
import Foundation
import Testing
import Transport

extension WireTests {
  @Suite("Whatever the peer does, nothing is sent twice") struct FaultTests {
    /// Every id that the server read to its end, with how often.
    private func reads(_ server: TestServer) throws -> [String: Int] {
      try server.requests().reduce(into: [:]) { $0[$1.id ?? "", default: 0] += 1 }
    }

    @Test("GOAWAY: streams above the last one are provably unsent, those below were answered or are unknown")
    func goAwayUnanswered() async throws {
      let server = try TestServer("warm=1", "goaway=40", "last=25", "answer=0", "error=11")
      let pool = try server.pool(connections: 1, streams: 40) { $0.timeout = 15 }
      _ = await pool.send(PageBuilder.page("first", 1))
      let results = await pool.send(PageBuilder.page("m", 40))
      await pool.close()
      let read = try reads(server)
      #expect(read.values.allSatisfy { $0 == 1 })
      for (index, result) in results.enumerated() {
        #expect(result.handedOver == 1)
        if read["m\(index)"] != nil {
          #expect(result.word == "unknown", "m\(index): \(result)")
        } else {
          #expect(result.word == "refused", "m\(index): \(result)")
        }
      }
      #expect(results.words == ["unknown": 25, "refused": 15])
      #expect(results.contains { $0.text.hasPrefix("GOAWAY with error 11: stream ") })
      // libcurl tells one of them that the connection is gone; nobody sits out the time-out.
      #expect(!results.contains { $0.text.contains("timed out") })
    }

    @Test("GOAWAY with answers: whoever was read is answered once, the others come back to be sent again")
    func goAwayAnswered() async throws {
      let server = try TestServer("goaway=50")
      let pool = try server.pool(connections: 2, streams: 50)
      var waiting = Set((0..<400).map { "m\($0)" })
      var answered: [String: Int] = [:]
      for _ in 0..<20 where !waiting.isEmpty {
        let ids = waiting.sorted()
        var builder = PageBuilder()
        for id in ids { builder.add(id) }
        for (id, result) in zip(ids, await pool.send(builder.page)) {
          switch result.word {
          case "200":
            answered[id, default: 0] += 1
            waiting.remove(id)
          case "refused", "unreachable": break
          default: Issue.record("\(id): \(result)")
          }
        }
      }
      await pool.close()
      #expect(waiting.isEmpty)
      #expect(answered.count == 400)
      #expect(try reads(server) == answered)
    }

    @Test(
      "C31: a connection that dies after reading makes its requests unknown and repeats none", arguments: [true, false])
    func dropAfterReading(isReused: Bool) async throws {
      let server = isReused ? try TestServer("drop=20", "warm=1") : try TestServer("drop=1")
      let pool = try server.pool(connections: 1, streams: 30)
      if isReused { #expect(await pool.send(PageBuilder.page("first", 1)).words == ["200": 1]) }
      let results = await pool.send(PageBuilder.page("m", 20))
      await pool.close()
      let read = try reads(server)
      #expect(read.values.allSatisfy { $0 == 1 })
      // Three silences on fresh connections are enough.
      #expect(isReused ? read.count >= 20 : read.count == 3)
      for (index, result) in results.enumerated() {
        let wasRead = read["m\(index)"] != nil
        #expect(result.word == "unknown" || !wasRead && result.handedOver == 0, "m\(index): \(result)")
      }
    }

    @Test("a peer that hangs up before reading: one request at a time learns it, and none is answered or repeated")
    func hangUp() async throws {
      let server = try TestServer("hangup=1")
      let pool = try server.pool()
      let results = await pool.send(PageBuilder.page("m", 6))
      await pool.close()
      #expect(results.allSatisfy { ["unknown", "unreachable"].contains($0.word) })
      #expect(try server.requests().isEmpty)
      #expect(pool.highestInFlight == 1)
    }

    @Test("HTTP/1.1: a request read on a reused connection that then dies is unknown, and is not repeated")
    func dropHTTP1() async throws {
      let server = try TestServer("alpn=http/1.1", "drop=1", "warm=2")
      let pool = try server.pool(connections: 1, streams: 1) { $0.version = .http1 }
      let results = await pool.send(PageBuilder.page("m", 3))
      await pool.close()
      #expect(results.map(\.word) == ["200", "200", "unknown"])
      #expect(results.map(\.handedOver) == [1, 1, 1])
      #expect(try reads(server) == ["m0": 1, "m1": 1, "m2": 1])
    }

    @Test("a request without a body isn't repeated either", arguments: [Request.Method.get, .post])
    func dropWithoutBody(method: Request.Method) async throws {
      let server = try TestServer("alpn=http/1.1", "drop=1", "warm=1")
      let pool = try server.pool(connections: 1, streams: 1) { $0.version = .http1 }
      var builder = PageBuilder()
      builder.add("a")
      builder.add("b", method: method, body: [])
      let results = await pool.send(builder.page)
      await pool.close()
      #expect(results.map(\.word) == ["200", "unknown"])
      #expect(try reads(server) == ["a": 1, "b": 1])
    }

    @Test("a reset stream is unknown, its siblings are answered", arguments: [2, 8, 11])
    func reset(error: Int) async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 50)
      var builder = PageBuilder()
      for index in 0..<60 { builder.add("m\(index)", path: index % 20 == 7 ? "/rst/\(error)" : "/ok") }
      let results = await pool.send(builder.page)
      await pool.close()
      for (index, result) in results.enumerated() {
        #expect(result.word == (index % 20 == 7 ? "unknown" : "200"), "m\(index): \(result)")
      }
      #expect(try reads(server).count == 60)
      #expect(try reads(server).values.allSatisfy { $0 == 1 })
      #expect(try server.count("connection") == 1)
    }

    @Test("REFUSED_STREAM: known not to be processed, on a connection that others use, and not repeated here")
    func refusedStream() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 2, streams: 50)
      var builder = PageBuilder()
      for index in 0..<60 { builder.add("m\(index)", path: index % 20 == 7 ? "/rst/7" : "/ok") }
      let results = await pool.send(builder.page)
      await pool.close()
      for (index, result) in results.enumerated() where index % 20 == 7 {
        #expect(result.word == "refused", "m\(index): \(result)")
        #expect(result.text.hasPrefix("REFUSED_STREAM"))
      }
      #expect(try reads(server).values.allSatisfy { $0 == 1 })
    }

    @Test("a status that came before the stream broke decides")
    func halfAnswer() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      // One at a time. When the answer and the reset of one stream are read for the sake of another, 7.88.1 drops the
      // status with the stream, and what is left is unknown.
      for index in 0..<3 {
        let results = await pool.send(PageBuilder.page("half-\(index)", 1, path: "/half/2"))
        #expect(results.words == ["200": 1])
        #expect(results.allSatisfy { ($0.answer?.body.count ?? 99) <= 50 })
      }
      let together = await pool.send(PageBuilder.page("together", 20, path: "/half/2"))
      await pool.close()
      #expect(together.allSatisfy { ["200", "unknown"].contains($0.word) })
      #expect(try reads(server).values.allSatisfy { $0 == 1 })
    }

    @Test("C31c: a stream that is never answered ends at its own time-out and leaves the others alone")
    func silence() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 100) { $0.timeout = 0.7 }
      var builder = PageBuilder()
      for index in 0..<100 { builder.add("m\(index)", path: index == 7 ? "/never" : "/delay/50") }
      let results = await pool.send(builder.page)
      let after = await pool.send(PageBuilder.page("after", 5))
      await pool.close()
      for (index, result) in results.enumerated() {
        #expect(result.word == (index == 7 ? "unknown" : "200"), "m\(index): \(result)")
      }
      #expect(results[7].handedOver == 1)
      #expect(after.words == ["200": 5])
      #expect(try server.count("connection") == 1)
      #expect(try reads(server).values.allSatisfy { $0 == 1 })
    }

    @Test("a server that closes at the 101st stream never sees it")
    func overflow() async throws {
      let server = try TestServer("overflow=100", "streams=100")
      let pool = try server.pool(connections: 2, streams: 500)
      let results = await pool.send(PageBuilder.page("m", 400, path: "/delay/20"))
      await pool.close()
      #expect(results.words == ["200": 400])
      #expect(try server.count("violation") == 0)
      #expect(try reads(server).count == 400)
    }
  }
}
