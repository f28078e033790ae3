import Foundation
import Testing

/// A server of `Tests/WireTests/servers` on a port of the system's choice, with the stack's certificate. Ends when this
/// object goes.
final class WireServer {
  private struct Entry: Decodable {
    let kind: String
    let ids: [String]?
  }

  let port: Int
  private let folder: URL
  private let process = Process()
  private let input = Pipe()

  var endpoint: String { "https://localhost:\(port)" }

  /// - Parameters:
  ///   - options: as the script describes them.
  ///   - script: one that misbehaves as ordered and writes down which message it read how often, unless it is another.
  init(_ stack: Stack, _ options: [String], script: String = "h2server.py") throws {
    folder = URL(fileURLWithPath: stack.folder).appending(path: "wire-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (from, to) in [
      ("providers/leaf.pem", "server.pem"), ("providers/leaf.key", "server.key"), ("ca.pem", "ca.pem"),
    ] {
      try FileManager.default.copyItem(atPath: stack.folder + "/" + from, toPath: folder.appending(path: to).path)
    }
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let path = Shell.root.appending(path: "Tests/WireTests/servers/" + script).path
    process.arguments = [path, folder.path] + options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(
      Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(script) did not start: is python3-h2 installed?")
  }

  deinit {
    // It ends with its stdin.
    try? input.fileHandleForWriting.close()
  }

  /// How often each message was read to its end, by uid, or by token where one request carries many.
  func reads() throws -> [String: Int] {
    try entries().filter { $0.kind == "request" }.flatMap { $0.ids ?? [] }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// What it met, in order: `request`, `ping`, `question`, `transfer` …
  func kinds() throws -> [String] { try entries().map(\.kind) }

  /// The lines that another script wrote into a file of its folder.
  func lines(of file: String) throws -> [String] {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func entries() throws -> [Entry] {
    try lines(of: "ledger").map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
  }
}
