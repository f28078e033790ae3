import Base
import Transport

/// One pool a credential and configuration (endpoint, trust, proxy, width, time-outs), shared by the lanes that agree in
/// all of it: a channel that sets its own width or time-out gets them.
///
/// One connection serves one credential: libcurl shares a connection between two `Authorization` values of one
/// multi handle, and APNs binds a connection to one key.
final class Pools: Sendable {
  private struct Key: Hashable {
    let configuration: PoolConfiguration
    let credential: [UInt8]
  }

  private let state = Guarded<[Key: Pool]>([:])

  /// The pool of that configuration and credential; made when it is the first.
  func pool(_ configuration: PoolConfiguration, credential: [UInt8]) throws(TransportError) -> Pool {
    var agreed = configuration
    // A name is for people.
    agreed.name = ""
    let key = Key(configuration: agreed, credential: credential)
    if let pool = state.withLock({ $0[key] }) { return pool }
    let made = try Pool(configuration)
    return state.withLock { pools in
      if let pool = pools[key] { return pool }
      pools[key] = made
      return made
    }
  }

  private var all: [Pool] { state.withLock { Array($0.values) } }

  /// Nothing new is handed to the network.
  /// - Returns: requests in flight at this moment.
  func stop() -> Int { all.reduce(0) { $0 + $1.stop() } }

  func close() async {
    for pool in all { await pool.close() }
  }
}
