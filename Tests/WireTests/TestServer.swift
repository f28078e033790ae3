import Base
import Foundation

/// A folder with certificates of this run: a CA, a server's certificate for 127.0.0.1, and a CA that signed nothing.
struct Certificates: Sendable {
  let folder: String
  var ca: String { folder + "/ca.pem" }
  var strangerCA: String { folder + "/stranger.pem" }
  /// A certificate signed by the CA with its key, in one file: what APNs' certificates are exported as. The server's
  /// own will do.
  var client: String { folder + "/client.pem" }

  /// Made once a run, removed when the process ends.
  static let shared = Result { try Certificates() }

  private init() throws {
    folder = NSTemporaryDirectory() + "salvo-wire-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["ca", "stranger"] {
      try openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name) "
          + "-keyout @\(name).key -out @\(name).pem")
    }
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout @server.key -out @server.csr")
    try "subjectAltName=DNS:localhost,IP:127.0.0.1".write(
      toFile: folder + "/names", atomically: true, encoding: .utf8)
    try openssl(
      "x509 -req -in @server.csr -CA @ca.pem -CAkey @ca.key -CAcreateserial -days 2 -extfile @names -out @server.pem")
    try
      (String(contentsOfFile: folder + "/server.pem", encoding: .utf8)
      + String(contentsOfFile: folder + "/server.key", encoding: .utf8))
      .write(toFile: client, atomically: true, encoding: .utf8)
    atexit {
      if let folder = try? Certificates.shared.get().folder { try? FileManager.default.removeItem(atPath: folder) }
    }
  }

  private func openssl(_ arguments: String) throws {
    // Words that begin with @ are files of the folder.
    let words = arguments.split(separator: " ").map { $0.hasPrefix("@") ? folder + "/" + $0.dropFirst() : String($0) }
    let status = try ChildProcess("/usr/bin/openssl", words).wait()
    guard status == 0 else { throw ServerError(description: "openssl \(arguments)") }
  }
}

struct ServerError: Error, CustomStringConvertible { let description: String }

/// `servers/h2server.py` in a process of its own, on a port of the system's choice. Ends when this object goes.
final class TestServer {
  /// One line of the server's ledger.
  struct Entry: Decodable {
    let kind: String
    let id: String?
    let connection: Int?
    let method: String?
    let path: String?
    let body: Data?
    let headers: [[String]]?
  }

  let port: Int
  private let folder: String
  private let process: ChildProcess

  var endpoint: String { "https://127.0.0.1:\(port)" }

  /// - Parameter options: `name=value`, as the script describes them.
  init(_ options: String...) throws {
    let certificates = try Certificates.shared.get()
    folder = certificates.folder + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in ["server.pem", "server.key", "ca.pem"] {
      try FileManager.default.copyItem(atPath: certificates.folder + "/" + file, toPath: folder + "/" + file)
    }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/servers/h2server.py"
    process = try ChildProcess("/usr/bin/python3", [script, folder] + options)
    let line = process.read()
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ServerError(description: "h2server.py did not start: is python3-h2 installed? It said: \(line)")
    }
    self.port = port
  }

  /// What the server wrote so far.
  func ledger() throws -> [Entry] {
    let text = try String(contentsOfFile: folder + "/ledger", encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
  }

  /// The requests it read to their end.
  func requests() throws -> [Entry] { try ledger().filter { $0.kind == "request" } }

  func count(_ kind: String) throws -> Int { try ledger().count { $0.kind == kind } }
}
