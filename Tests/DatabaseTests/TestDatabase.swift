import Foundation
import Postgres
import Testing

/// A fresh, empty database for one test, dropped when the test is over.
///
/// It lives in the cluster that `SALVO_TEST_DATABASE` (a superuser's conninfo, keywords) names.
struct TestDatabase {
  static let server = ProcessInfo.processInfo.environment["SALVO_TEST_DATABASE"] ?? ""

  let name: String
  /// Settings that lead to it: the server's, with the database last, because a later keyword wins.
  let conninfo: String
  let database: Database

  /// A connection of its own, for tests of `Connection` alone.
  func connect() throws -> Connection { try Connection(conninfo: conninfo, applicationName: "salvo-test") }

  /// Makes one, hands it to `body`, drops it.
  /// - Parameter options: further keywords of the conninfo.
  static func with(
    connections: Int = 2, options: String = "", _ body: (TestDatabase) async throws -> Void
  ) async throws {
    let name = "salvo_test_\(UInt64.random(in: 0 ... .max))"
    try Connection(conninfo: server, applicationName: "salvo-test").execute("create database \(name)")
    let conninfo = "\(server) dbname=\(name) \(options)"
    let database = Database(conninfo: conninfo, applicationName: "salvo-test", connections: connections)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(TestDatabase(name: name, conninfo: conninfo, database: database)))
    } catch {
      result = .failure(error)
    }
    try Connection(conninfo: server, applicationName: "salvo-test").execute("drop database \(name) with (force)")
    try result.get()
  }
}

extension Trait where Self == ConditionTrait {
  /// Needs PostgreSQL.
  static var database: Self {
    .enabled(
      if: !TestDatabase.server.isEmpty,
      "SALVO_TEST_DATABASE names no PostgreSQL: run Jobs/test.sh, which starts one of its own.")
  }
}
