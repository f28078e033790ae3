import Base
import Glibc
import Postgres
import Testing

/// Answers the first message of each connection as PgBouncer does: refuses `options`, lets everything else in.
private final class Pooler: Sendable {
  let port: UInt16
  /// The parameters each client began with.
  let startups = Guarded<[[String]]>([])
  private let listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isListening)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(listener) }

  /// Serves `count` connections one after the other, then ends.
  func serve(_ count: Int) {
    Thread(name: "pooler") {
      for _ in 0..<count {
        let client = accept(self.listener, nil, nil)
        self.greet(client)
        close(client)
      }
    }.start()
  }

  private func greet(_ client: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(client, &buffer, buffer.count)
    guard count > 8 else { return }
    let words = buffer[8..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    startups.withLock { $0.append(words) }
    if words.contains("options") {
      send(client, "E", "SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0")
    } else {
      send(client, "R", "\0\0\0\0")
      send(client, "Z", "I")
      // Until the client leaves.
      while read(client, &buffer, buffer.count) > 0 {}
    }
  }

  private func send(_ client: Int32, _ type: String, _ body: String) {
    let length = UInt8(body.utf8.count + 4)
    let message = Array(type.utf8) + [0, 0, 0, length] + Array(body.utf8)
    _ = write(client, message, message.count)
  }
}

@Suite("A pooler that refuses options")
struct PostgresPoolerTests {
  @Test("is asked again without Salvo's limits, and then with what the user asked for")
  func askedAgain() throws {
    let pooler = try Pooler()
    pooler.serve(2)
    _ = try Connection(
      conninfo: "host=127.0.0.1 port=\(pooler.port) user=app dbname=mail sslmode=disable gssencmode=disable",
      applicationName: "salvo")
    let startups = pooler.startups.withLock { $0 }
    #expect(startups.map { $0.contains("options") } == [true, false])
    #expect(startups.allSatisfy { $0.contains("client_encoding") && $0.contains("UTF8") })
  }

  @Test("refuses what the user himself asks for, in its own words")
  func usersOptions() throws {
    let pooler = try Pooler()
    pooler.serve(2)
    let error = #expect(throws: PostgresError.self) {
      try Connection(
        conninfo: "host=127.0.0.1 port=\(pooler.port) user=app dbname=mail sslmode=disable gssencmode=disable"
          + " options='-c lock_timeout=7'", applicationName: "salvo")
    }
    #expect(error?.code == .connection)
    #expect(error?.description.hasSuffix("FATAL: unsupported startup parameter: options") == true)
  }
}
