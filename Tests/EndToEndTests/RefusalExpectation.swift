import Foundation
import Testing

extension Ended {
  /// Everything the program said, as a person at the terminal reads it.
  var everything: String { out + err }

  /// One line on stderr, nothing on stdout, this exit code, and the line says all of `words`.
  func expectOneLine(
    _ code: Int32, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.code == code, "\(err)", sourceLocation: sourceLocation)
    #expect(out == "", sourceLocation: sourceLocation)
    #expect(errLines.count == 1, "\(err)", sourceLocation: sourceLocation)
    #expect(err.hasPrefix("salvo: error: "), "\(err)", sourceLocation: sourceLocation)
    for word in words { #expect(err.contains(word), "\(word) is missing: \(err)", sourceLocation: sourceLocation) }
  }
}

extension Stack {
  /// A file in the stack's credentials folder.
  func writeCredential(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/credentials/\(name)", atomically: true, encoding: .utf8)
  }

  func credential(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/credentials/\(name)", encoding: .utf8)
  }

  /// What nobody may read in a log: long words of every credential file (keys, secrets, tokens) and device tokens.
  func secrets() async throws -> [String] {
    var secrets = try await sql("select token from salvo.subscription order by random() limit 20")
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/credentials") {
      let text = try credential(name).replacing("\\n", with: "\n")
      secrets += text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+=_-".contains($0))) }
        .map(String.init).filter { $0.count >= 20 && !$0.hasPrefix("-") }
    }
    return secrets
  }

  /// None of it holds a secret or a token.
  func expectNoSecret(in ended: [Ended], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let secrets = try await secrets()
    try #require(secrets.count > 40, "the credentials folder holds less than it should")
    for one in ended {
      let text = one.everything
      let found = secrets.first { text.contains($0) }
      #expect(found == nil, "it says a secret: \(text)", sourceLocation: sourceLocation)
    }
  }
}

extension TestLaunch {
  /// Runs it and leaves the exit to the caller.
  func tryRun(_ more: [String: String] = [:]) async throws -> Ended {
    try await stack.trySalvo(["run", "\(id)"], more)
  }

  func state() async throws -> String {
    try await stack.sql("select state from salvo.launch where id = \(id)").first ?? ""
  }

  /// Nothing was planned: no lane, no chunk, and the launch is what it was.
  func expectUntouched(_ wanted: String = "draft", sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let found = try await stack.sql(
      """
      select state, exists (select from salvo.lane where launch_id = \(id)),
        exists (select from salvo.chunk where launch_id = \(id)),
        exists (select from salvo.delivery where launch_id = \(id))
      from salvo.launch where id = \(id)
      """)
    #expect(found == ["\(wanted)|f|f|f"], sourceLocation: sourceLocation)
  }

  func setChannel(_ lane: Int, _ assignments: String) async throws {
    try await stack.sql("update salvo.channel set \(assignments) where id = \(channels[lane])")
  }

  /// Subscriptions of the account that are retired.
  func retired() async throws -> Int {
    try await stack.number(
      """
      select count(*) from salvo.subscription s join salvo.channel h on h.id = s.channel_id
      where h.account_id = \(account) and s.state = 'retired'
      """)
  }
}
