import Base
import Foundation
import Testing

@testable import Transport

@Suite("Pool: what can't work is said before anything is sent") struct PoolTests {
  private func configuration(_ change: (inout PoolConfiguration) -> Void) -> PoolConfiguration {
    var configuration = PoolConfiguration(name: "test", endpoint: "https://localhost", connections: 1, streams: 1)
    change(&configuration)
    return configuration
  }

  private func error(_ change: (inout PoolConfiguration) -> Void) -> TransportError? {
    do throws(TransportError) {
      _ = try Pool(configuration(change))
      return nil
    } catch {
      return error
    }
  }

  @Test("a CA file that is missing, empty or no PEM is named")
  func trust() throws {
    let folder = NSTemporaryDirectory() + "salvo-trust-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "".write(toFile: folder + "/empty.pem", atomically: true, encoding: .utf8)
    try "hello".write(toFile: folder + "/text.pem", atomically: true, encoding: .utf8)
    for name in ["missing.pem", "empty.pem", "text.pem", ""] {
      let file = folder + "/" + name
      for found in [error { $0.caFile = file }, error { $0.extraCAFile = file }] {
        #expect(found?.code == .trust)
        #expect(found?.description.hasPrefix(file) == true, "\(found?.description ?? "no error")")
      }
    }
    #expect(error { $0.caFile = folder + "/missing.pem" }?.description.hasSuffix(": No such file or directory") == true)
  }

  @Test(
    "an endpoint must be https",
    arguments: ["http://localhost", "localhost", "", "https://", "https://a b", "https://a\r\n"])
  func endpoint(endpoint: String) { #expect(error { $0.endpoint = endpoint }?.code == .configuration) }

  @Test("no connections or no streams: refused")
  func width() {
    #expect(error { $0.connections = 0 }?.code == .configuration)
    #expect(error { $0.streams = 0 }?.code == .configuration)
  }

  @Test("a pool that never sent anything closes")
  func unused() async throws {
    let pool = try Pool(configuration { _ in })
    #expect(pool.stop() == 0)
    await pool.close()
    await pool.close()
    #expect(pool.counters == PoolCounters())
  }

  @Test("an empty page has no results")
  func emptyPage() async throws {
    let pool = try Pool(configuration { _ in })
    let page = RequestPage(bytes: [], requests: [], headers: HeaderSet([]))
    #expect(await pool.send(page, sendBefore: .distantFuture).isEmpty)
    await pool.close()
  }

  @Test("ranges outside their page, and headers without an end, are not sent")
  func ranges() async throws {
    let pool = try Pool(configuration { $0.endpoint = "https://127.0.0.1:1" })
    let empty = ByteRange(lower: 0, upper: 0)
    let bytes = Array("/okx: 1".utf8)
    let path = ByteRange(lower: 0, upper: 3)
    let page = RequestPage(
      bytes: bytes,
      requests: [
        Request(path: ByteRange(lower: 0, upper: 99), headers: empty, body: empty),
        Request(path: path, headers: empty, body: ByteRange(lower: 5, upper: 4)),
        Request(path: path, headers: ByteRange(lower: 3, upper: 7), body: empty),
        Request(path: empty, headers: empty, body: empty),
      ], headers: HeaderSet([]))
    for result in await pool.send(page, sendBefore: .distantFuture) {
      guard case .notSent(.unreachable(let text)) = result.exchange else {
        Issue.record("\(result)")
        continue
      }
      #expect(text.contains("can't be sent"))
    }
    await pool.close()
  }
}
