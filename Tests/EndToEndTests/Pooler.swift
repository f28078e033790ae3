import Foundation
import Glibc
import Testing

/// PgBouncer in transaction mode before a stack's PostgreSQL, as Debian's package has it: two connections to the server
/// for whoever comes, and no `ignore_startup_parameters`.
struct Pooler {
  /// What programs need to come in by it.
  let environment: [String: String]

  static func with(_ stack: Stack, _ body: (Pooler) async throws -> Void) async throws {
    let folder = URL(fileURLWithPath: stack.folder).appending(path: "pooler")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let sockets = folder.appending(path: "sockets")
    try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: true)
    // It refuses to run as root, and its user must make the socket.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sockets.path)
    let file = folder.appending(path: "pgbouncer.ini")
    try """
    [databases]
    salvo = host=\(stack.environment["PGHOST"] ?? "") port=5432 dbname=salvo user=salvo
    [pgbouncer]
    listen_addr =
    listen_port = 6432
    unix_socket_dir = \(sockets.path)
    auth_type = any
    pool_mode = transaction
    default_pool_size = 2
    """.write(to: file, atomically: true, encoding: .utf8)
    let server = try Shell.start(
      "/usr/sbin/pgbouncer", (getuid() == 0 ? ["-u", "postgres"] : []) + [file.path], stack.environment)
    func stop() async throws -> Ended {
      server.signal(SIGKILL)
      return try await server.ended()
    }
    do {
      try await eventually("the pooler's socket") {
        FileManager.default.fileExists(atPath: sockets.appending(path: ".s.PGSQL.6432").path) || !server.isRunning
      }
      #expect(server.isRunning)
      try await body(Pooler(environment: ["PGHOST": sockets.path, "PGPORT": "6432"]))
    } catch {
      Issue.record("pgbouncer said: \(try await stop().err)")
      throw error
    }
    _ = try await stop()
  }
}
