import Testing
import Transport

@testable import Pipeline

@Suite("Pools")
struct PoolsTests {
  private func configuration(_ name: String, streams: Int = 100, timeout: Double = 20) -> PoolConfiguration {
    var configuration = PoolConfiguration(
      name: name, endpoint: "https://localhost:1", connections: 2, streams: streams)
    configuration.timeout = timeout
    return configuration
  }

  @Test(
    "channels that agree in all but their names share a pool; another credential, width or time-out is another pool")
  func shared() async throws {
    let pools = Pools()
    let first = try pools.pool(configuration("android"), credential: [1])
    #expect(try pools.pool(configuration("ios"), credential: [1]) === first)
    #expect(try pools.pool(configuration("android"), credential: [2]) !== first)
    let narrow = try pools.pool(configuration("narrow", streams: 1), credential: [1])
    #expect(narrow !== first)
    #expect(narrow.configuration.streams == 1)
    let patient = try pools.pool(configuration("patient", timeout: 40), credential: [1])
    #expect(patient.configuration.timeout == 40)
    await pools.close()
  }
}
