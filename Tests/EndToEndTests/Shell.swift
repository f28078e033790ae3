import Base
import Foundation
import Glibc
import Testing

/// What a program printed and how it ended.
struct Ended: Sendable {
  /// As a shell gives it: 128 + the number of the signal that ended it.
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

  /// Runs it to its end.
  static func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) async throws -> Ended
  {
    try await start(program, arguments, environment).ended()
  }

  /// Not by Foundation's `Process`: it takes a program for running while any heir holds its files, and the servers
  /// that `stack.sh up` leaves behind hold them for good.
  static func start(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws -> Running {
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvo-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Files, not pipes: a full pipe would stop a program that nobody reads yet.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, name) in [(Int32(1), "out"), (2, "err")] {
      posix_spawn_file_actions_addopen(
        &actions, number, folder.appending(path: name).path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, program, &actions, &attributes, &words, &variables)
    try #require(error == 0, "cannot start \(program): \(String(cString: strerror(error)))")
    return Running(pid: pid, folder: folder)
  }
}

/// A program that was started.
final class Running: Sendable {
  private struct State {
    var code: Int32?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let pid: pid_t
  private let folder: URL
  private let state = Guarded(State())

  fileprivate init(pid: pid_t, folder: URL) {
    self.pid = pid
    self.folder = folder
    Base.Thread(name: "wait \(pid)") { [self] in
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      let waiting = state.withLock { state in
        state.code = code
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }.start()
  }

  var isRunning: Bool { state.withLock { $0.code == nil } }

  func signal(_ number: Int32) {
    if isRunning { kill(pid, number) }
  }

  /// Waits for its end; to be called once. A test that runs out of time takes it along.
  func ended() async throws -> Ended {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if state.code == nil { state.waiting.append(continuation) }
          return state.code != nil
        }
        if hasEnded { continuation.resume() }
      }
    } onCancel: {
      signal(SIGKILL)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    return Ended(
      code: state.withLock { $0.code } ?? -1, out: try text("out"), err: try text("err"))
  }

  /// What it has written to stderr so far.
  func errors() throws -> String { try text("err") }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}

/// Waits until `condition` is true, and fails after a minute: the time says that something hangs, not how fast it is.
func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
  for _ in 1...1_200 {
    if try await condition() { return }
    try await Task.sleep(nanoseconds: 50_000_000)
  }
  Issue.record("waited in vain for \(what)")
}
