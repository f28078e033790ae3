import Base
import Foundation
import Testing
import Transport

extension WireTests {
  @Suite("Connections: how many, to whom, how wide") struct ConnectionTests {
    @Test("never more connections than configured, and one suffices for little", arguments: [1, 2, 4])
    func connections(count: Int) async throws {
      let server = try TestServer()
      let pool = try server.pool(connections: count, streams: 10)
      #expect(await pool.send(PageBuilder.page("few", 5)).words == ["200": 5])
      #expect(pool.connectionsOpened == 1)
      #expect(await pool.send(PageBuilder.page("many", 300, path: "/delay/20")).words == ["200": 300])
      #expect(pool.connectionsOpened <= count)
      #expect(pool.highestInFlight <= count * 10)
      await pool.close()
      #expect(try server.count("connection") == pool.connectionsOpened)
    }

    @Test("one request alone until the first answer")
    func firstAlone() async throws {
      let server = try TestServer()
      let pool = try server.pool { $0.startsWithOneRequest = true }
      async let first = pool.send(PageBuilder.page("first", 1, path: "/delay/3000"))
      while try server.requests().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
      async let others = pool.send(PageBuilder.page("others", 19))
      try await Task.sleep(for: .milliseconds(300))
      #expect(pool.inFlight == 1)
      #expect(try server.requests().count == 1)
      #expect(await first.words == ["200": 1])
      #expect(await others.words == ["200": 19])
      await pool.close()
    }

    @Test("APNs raises its limit from 1 to 1,000 after the first answer: nothing is refused, nothing falls asleep")
    func raisedLimit() async throws {
      let server = try TestServer("streams=1", "raise=1000")
      let pool = try server.pool(connections: 2, streams: 500) { $0.startsWithOneRequest = true }
      let results = await pool.send(PageBuilder.page("m", 1000, path: "/delay/10"))
      await pool.close()
      #expect(results.words == ["200": 1000])
      #expect(results.allSatisfy { $0.handedOver == 1 })
      #expect(try server.count("violation") == 0)
      #expect(try server.requests().count == 1000)
      #expect(try server.count("connection") <= 2)
    }

    @Test("the same over a single connection")
    func raisedLimitOnOneConnection() async throws {
      let server = try TestServer("streams=1", "raise=1000")
      let pool = try server.pool(connections: 1, streams: 500) { $0.startsWithOneRequest = true }
      #expect(await pool.send(PageBuilder.page("m", 600, path: "/delay/10")).words == ["200": 600])
      await pool.close()
      #expect(try server.count("violation") == 0)
    }

    @Test("a server's lower stream limit is kept although nobody can read it", arguments: [1, 10])
    func lowLimit(limit: Int) async throws {
      let server = try TestServer("streams=\(limit)")
      let pool = try server.pool(connections: 2, streams: 100)
      let results = await pool.send(PageBuilder.page("m", 100, path: "/delay/5"))
      await pool.close()
      #expect(results.words == ["200": 100])
      #expect(try server.count("violation") == 0)
      #expect(pool.highestInFlight <= 2 * limit + 1)
    }

    @Test("SETTINGS that come half a second late are waited for")
    func lateSettings() async throws {
      let server = try TestServer("settings=0.5", "streams=5")
      let pool = try server.pool(connections: 1, streams: 100)
      #expect(await pool.send(PageBuilder.page("m", 30, path: "/delay/20")).words["200"] == 30)
      await pool.close()
      #expect(try server.count("violation") == 0)
    }

    @Test("another CA: untrusted, and no request reaches the server")
    func wrongCA() async throws {
      let server = try TestServer()
      let pool = try server.pool { $0.caFile = try? Certificates.shared.get().strangerCA }
      let results = await pool.send(PageBuilder.page("m", 20))
      await pool.close()
      #expect(results.words == ["untrusted": 20])
      #expect(results.allSatisfy { $0.handedOver == 0 })
      #expect(try server.requests().isEmpty)
      #expect(try server.count("connection") <= 1)
    }

    @Test("an extra CA file is added to the system's certificates or to the channel's own")
    func extraCA() async throws {
      let certificates = try Certificates.shared.get()
      let server = try TestServer()
      for own in [nil, certificates.strangerCA] {
        let pool = try server.pool {
          $0.caFile = own
          $0.extraCAFile = certificates.ca
        }
        #expect(await pool.send(PageBuilder.page("m", 2)).words == ["200": 2])
        await pool.close()
      }
      let pool = try server.pool { $0.caFile = nil }
      #expect(await pool.send(PageBuilder.page("m", 2)).words == ["untrusted": 2])
      await pool.close()
    }

    @Test("a client certificate opens the door, without one nothing gets in")
    func clientCertificate() async throws {
      let server = try TestServer("clients=1")
      let certificate = Array(try Data(contentsOf: URL(fileURLWithPath: Certificates.shared.get().client)))
      let pool = try server.pool { $0.clientCertificate = certificate }
      #expect(await pool.send(PageBuilder.page("in", 2)).words == ["200": 2])
      await pool.close()
      let stranger = try server.pool()
      let refused = await stranger.send(PageBuilder.page("out", 2))
      await stranger.close()
      #expect(refused.words == ["certificate": 2], "\(refused)")
      #expect(try server.requests().compactMap(\.id) == ["in0", "in1"])
    }

    @Test("an HTTP/1.1-only server gets nothing from a pool that wants HTTP/2, at the first try and at the next")
    func http1Only() async throws {
      let server = try TestServer("alpn=http/1.1")
      let pool = try server.pool()
      for _ in 0..<2 {
        let results = await pool.send(PageBuilder.page("m", 5))
        #expect(results.words == ["unreachable": 5])
        #expect(results[0].text == "\(server.endpoint) speaks HTTP/1.1 only, HTTP/2 is needed")
        #expect(results.allSatisfy { $0.handedOver == 0 })
      }
      await pool.close()
      #expect(try server.requests().isEmpty)
    }

    @Test("nobody listens: everything that waits comes back at once, and says where")
    func refused() async throws {
      let port = try closedPort()
      var configuration = PoolConfiguration(
        name: "wire", endpoint: "https://127.0.0.1:\(port)", connections: 2, streams: 100)
      configuration.timeout = 5
      let pool = try Pool(configuration)
      let results = await pool.send(PageBuilder.page("m", 250))
      await pool.close()
      #expect(results.words == ["unreachable": 250])
      #expect(results.allSatisfy { $0.handedOver == 0 && $0.text.contains("127.0.0.1:\(port)") })
    }

    @Test("a peer that accepts and never speaks TLS: unreachable after the connect time-out")
    func blackHole() async throws {
      let listener = try Listener()
      var configuration = PoolConfiguration(
        name: "wire", endpoint: "https://127.0.0.1:\(listener.port)", connections: 1, streams: 10)
      configuration.connectTimeout = 0.3
      let pool = try Pool(configuration)
      let results = await pool.send(PageBuilder.page("m", 30))
      await pool.close()
      #expect(results.words == ["unreachable": 30])
      #expect(results.allSatisfy { $0.handedOver == 0 })
    }

    /// A port on which nobody listens any more.
    private func closedPort() throws -> Int { try Listener().port }
  }
}

/// A TCP socket that accepts connections into its backlog and never says a word.
private final class Listener {
  private let descriptor: Int32
  let port: Int

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) + listen(descriptor, 16) + getsockname(descriptor, address, &length)
      }
    }
    guard code == 0 else { throw ServerError(description: "no listening socket") }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}
