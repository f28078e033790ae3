import Base
import Foundation
import Testing
import Transport

extension WireTests {
  @Suite("What arrives is what was rendered") struct ExactnessTests {
    /// C32: body i = `{"i":<i>,"pad":"` + `x` × (i·7) + `"}`; 0 is empty, 1 holds `\u0000` as text, 2 a raw NUL.
    private func body(_ index: Int) -> [UInt8] {
      switch index {
      case 0: []
      case 1: Array(#"{"nul":"\u0000"}"#.utf8)
      case 2: [0x61, 0x00, 0x62]
      default: Array("{\"i\":\(index),\"pad\":\"\(String(repeating: "x", count: index % 500 * 7))\"}".utf8)
      }
    }

    private func pages(_ range: Range<Int>) -> [RequestPage] {
      stride(from: range.lowerBound, to: range.upperBound, by: 100).map { first in
        var builder = PageBuilder()
        for index in first..<min(first + 100, range.upperBound) {
          // Only even ones carry a collapse id: it must not turn up on the odd ones.
          builder.add(
            "\(index)", path: "/ok/\(index)", body: body(index),
            headers: index.isMultiple(of: 2) ? ["apns-collapse-id: c\(index)"] : [])
        }
        return builder.page
      }
    }

    @Test("C32: 500 concurrent bodies, then 500 more over the same handles, arrive byte for byte and leak nothing")
    func bodies() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 2, streams: 250)
      // The second half is shorter than the first: what a handle left over would show.
      for half in [500..<1000, 0..<500] {
        await withTaskGroup(of: Void.self) { group in
          for page in pages(half) {
            group.addTask {
              let results = await pool.send(page)
              #expect(results.words == ["200": 100])
              #expect(results.allSatisfy { $0.handedOver == 1 })
            }
          }
        }
      }
      await pool.close()
      let requests = try server.requests()
      #expect(requests.count == 1000)
      #expect(Set(requests.compactMap(\.id)).count == 1000)
      for request in requests {
        let index = try #require(Int(request.id ?? ""))
        let expected = body(index)
        #expect(request.body == Data(expected), "body \(index)")
        #expect(request.path == "/ok/\(index)")
        let headers = try #require(request.headers)
        var wanted: [[String]] = [
          [":method", "POST"], [":path", "/ok/\(index)"], [":scheme", "https"],
          [":authority", "127.0.0.1:\(server.port)"], ["accept", "*/*"], ["content-type", "application/json"],
          ["authorization", "Bearer shared"], ["x-id", "\(index)"], ["content-length", "\(expected.count)"],
        ]
        if index.isMultiple(of: 2) { wanted.append(["apns-collapse-id", "c\(index)"]) }
        #expect(headers.sorted { $0[0] < $1[0] } == wanted.sorted { $0[0] < $1[0] })
      }
      #expect(try server.count("connection") <= 2)
      #expect(pool.highestInFlight <= 500)
      #expect(pool.inFlight == 0)
    }

    @Test("results come back in the page's order, whatever the order of the answers")
    func order() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      var builder = PageBuilder()
      for index in 0..<40 {
        builder.add("\(index)", path: "/delay/\((40 - index) * 5)", body: Array(repeating: 0x61, count: index))
      }
      let results = await pool.send(builder.page)
      await pool.close()
      for (index, result) in results.enumerated() {
        let answer = try #require(result.answer)
        #expect(String(decoding: answer.body, as: UTF8.self) == "{\"length\":\(index)}")
      }
    }

    @Test("a GET carries no body, and a POST after it does again")
    func methods() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 1)
      var builder = PageBuilder()
      builder.add("post1", body: Array("one".utf8))
      builder.add("get", method: .get, body: [])
      builder.add("post2", body: Array("three".utf8))
      #expect(await pool.send(builder.page).words == ["200": 3])
      await pool.close()
      let requests = try server.requests()
      #expect(requests.map(\.method) == ["POST", "GET", "POST"])
      #expect(requests.map(\.body) == [Data("one".utf8), Data(), Data("three".utf8)])
    }

    @Test("of a 3 MB answer the first 64 kB are kept and the rest is no error")
    func largeAnswer() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      let results = await pool.send(PageBuilder.page("large", 3, path: "/large/3000000"))
      await pool.close()
      #expect(results.words == ["200": 3])
      #expect(results.map { $0.answer?.body.count } == [65_536, 65_536, 65_536])
      #expect(results.allSatisfy { $0.answer?.body.allSatisfy { $0 == UInt8(ascii: "x") } == true })
    }

    @Test("answers of some kB arrive whole and at once on a connection that carries nothing else")
    func longAnswers() async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: 1, streams: 1) { $0.answerLimit = 1 << 20 }
      let body = [UInt8](repeating: UInt8(ascii: "b"), count: 70_000)
      for size in [1_000, 7_500, 15_000, 60_000] {
        var builder = PageBuilder()
        builder.add("\(size)", path: "/large/\(size)", body: body)
        let results = await pool.send(builder.page)
        #expect(results.first?.answer?.body.count == size)
      }
      await pool.close()
      #expect(try server.count("connection") == 1)
    }

    @Test(
      "a 3 MB body arrives whole, over HTTP/2 and over HTTP/1.1", arguments: [PoolConfiguration.Version.http2, .http1])
    func largeBody(version: PoolConfiguration.Version) async throws {
      let server = try TestServer("alpn=\(version == .http2 ? "h2" : "http/1.1")")
      let pool = try server.pool(connections: 1, streams: 1) { $0.version = version }
      let large = (0..<(version == .http2 ? 200_000 : 3_000_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      var builder = PageBuilder()
      builder.add("first", body: large)
      builder.add("second", body: Array("small".utf8))
      #expect(await pool.send(builder.page).words == ["200": 2])
      await pool.close()
      #expect(try server.requests().map(\.body) == [Data(large), Data("small".utf8)])
      #expect(try server.count("connection") == 1)
    }

    @Test("status and retry-after are told; of a success no retry-after is read", arguments: [429, 503, 301, 404])
    func status(status: Int) async throws {
      let server = try TestServer()
      let pool = try server.pool()
      var builder = PageBuilder()
      builder.add("with", path: "/status/\(status)/120")
      builder.add("without", path: "/status/\(status)")
      let results = await pool.send(builder.page)
      await pool.close()
      #expect(results.map { $0.answer?.status } == [status, status])
      #expect(results.map { $0.answer?.retryAfter } == ["120", nil])
      #expect(results.map { $0.answer?.body } == Array(repeating: Array(#"{"error":"as ordered"}"#.utf8), count: 2))
    }

    @Test("a request with a line break in its header or path is not sent, its neighbours are")
    func malformed() async throws {
      let server = try TestServer()
      let pool = try server.pool()
      var builder = PageBuilder()
      builder.add("good1")
      builder.add("bad1", headers: ["authorization: a\r\nx-evil: 1"])
      builder.add("bad2", path: "/ok\r\nx-evil: 1")
      builder.add("good2")
      let results = await pool.send(builder.page)
      await pool.close()
      #expect(results.map(\.word) == ["200", "unreachable", "unreachable", "200"])
      #expect(results.map(\.handedOver) == [1, 0, 0, 1])
      #expect(try server.requests().compactMap(\.id).sorted() == ["good1", "good2"])
    }
  }
}
