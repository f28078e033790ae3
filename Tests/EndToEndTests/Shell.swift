import Foundation

/// What a program printed and how it ended.
struct Ended: Sendable {
  let code: Int32
  let out: String
  let err: String

  var outLines: [String] { out.split(separator: "\n").map(String.init) }
  var errLines: [String] { err.split(separator: "\n").map(String.init) }
}

/// Starts programs as a person at a shell would.
enum Shell {
  /// The package's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The executable under test: `SALVO_BINARY`, else the debug build.
  static var salvo: String {
    ProcessInfo.processInfo.environment["SALVO_BINARY"] ?? root.appending(path: ".build/debug/salvo").path
  }

  /// Runs it to its end, off the cooperative pool.
  static func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) async throws -> Ended
  {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try start(program, arguments, environment).wait() })
      }
    }
  }

  static func start(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = root
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvo-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Files, not pipes: a full pipe would stop a program that nobody reads yet.
    let out = folder.appending(path: "out")
    let err = folder.appending(path: "err")
    for file in [out, err] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return Running(process: process, folder: folder)
  }
}

/// A program that is running.
final class Running: @unchecked Sendable {
  // `Process` is only touched by the test that started it.
  private let process: Process
  private let folder: URL

  init(process: Process, folder: URL) {
    self.process = process
    self.folder = folder
  }

  var pid: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  func signal(_ number: Int32) { kill(pid, number) }

  func wait() throws -> Ended {
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: folder) }
    let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Ended(
      code: code, out: try String(contentsOf: folder.appending(path: "out"), encoding: .utf8),
      err: try String(contentsOf: folder.appending(path: "err"), encoding: .utf8))
  }
}
