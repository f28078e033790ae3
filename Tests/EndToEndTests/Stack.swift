import Foundation
import Testing

/// A private PostgreSQL and provider stand-ins of one test's own, so that delays and refusals set for it disturb
/// nobody else.
struct Stack: Sendable {
  let folder: String
  let environment: [String: String]

  /// One line of the stand-ins' ledger: a message that a provider received.
  struct Received: Decodable, Sendable {
    let provider: String
    let token: String
    let uid: String?
    let status: Int
    /// The request that carried it: HMS arrays and transfers share one.
    let request: Int
    let connection: Int
    let accepted: Bool
    /// Of arrival, ms since 1970.
    let time: Int
    /// APNs: what authorised it, a key's id or `certificate`.
    let key: String?
    /// AppMetrica: the id that the request gave its transfer.
    let clientTransferId: Int?
  }

  struct Connections: Decodable, Sendable {
    let opened: Int
    let requests: Int
    /// APNs: different provider tokens that it was shown.
    let tokens: Int?
    let mostInFlight: Int
    let mostStreams: Int
    /// APNs: the connections that showed each key.
    let keys: [String: [Int]]?
  }

  /// Brings one up for `body`, migrated and with an account, and takes it down again.
  static func with(_ body: (Stack) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvo-stack-\(UUID().uuidString.prefix(8))")
      .path
    let script = Shell.root.appending(path: "Jobs/stack.sh").path
    let up = try await Shell.run(script, ["up", folder])
    try #require(up.code == 0, "stack.sh up: \(up.err)")
    let env = try await Shell.run(script, ["env", folder])
    var environment: [String: String] = [:]
    for line in env.outLines where line.hasPrefix("export ") {
      let parts = line.dropFirst(7).split(separator: "=", maxSplits: 1)
      environment[String(parts[0])] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
    }
    let stack = Stack(folder: folder, environment: environment)
    func down() async {
      // In a task of its own: a test that ran out of time is cancelled, and its servers must end all the same.
      await Task {
        _ = try? await Shell.run(script, ["down", folder])
        try? FileManager.default.removeItem(atPath: folder)
      }.value
    }
    do {
      try await stack.salvo("migrate")
      try await body(stack)
    } catch {
      await down()
      throw error
    }
    await down()
  }

  // MARK: Commands

  /// Runs salvo and demands exit 0.
  @discardableResult
  func salvo(_ words: String...) async throws -> Ended {
    let ended = try await Shell.run(Shell.salvo, words, environment)
    try #require(ended.code == 0, "salvo \(words.joined(separator: " ")): exit \(ended.code): \(ended.err)")
    return ended
  }

  /// Runs salvo and leaves the exit to the caller.
  func trySalvo(_ words: [String], _ more: [String: String] = [:]) async throws -> Ended {
    try await Shell.run(Shell.salvo, words, environment.merging(more) { $1 })
  }

  func stack(_ words: String...) async throws -> Ended {
    let ended = try await Shell.run(
      Shell.root.appending(path: "Jobs/stack.sh").path, [words[0], folder] + words.dropFirst(), environment)
    try #require(ended.code == 0, "stack.sh \(words.joined(separator: " ")): \(ended.err)")
    return ended
  }

  /// Runs SQL as the owner; the rows, columns separated by `|`.
  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    let ended = try await Shell.run(
      "/usr/bin/psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text], environment)
    try #require(ended.code == 0, "\(text): \(ended.err)")
    return ended.outLines
  }

  /// The one number that the SQL gives.
  func number(_ text: String) async throws -> Int {
    try #require(Int(try await sql(text).first ?? ""), "no number from \(text)")
  }

  // MARK: What the providers saw

  func ledger(_ provider: String? = nil) async throws -> [Received] {
    let decoder = JSONDecoder.snakeCase
    return try await stack("ledger").outLines.map { try decoder.decode(Received.self, from: Data($0.utf8)) }
      .filter { provider == nil || $0.provider == provider }
  }

  func connections() async throws -> [String: Connections] {
    return try JSONDecoder.snakeCase.decode(
      [String: Connections].self, from: Data(try await stack("connections").out.utf8))
  }
}

extension JSONDecoder {
  /// Reads `token_retired` as `tokenRetired`.
  static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}
