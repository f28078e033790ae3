import Foundation

/// A program with pipes at its stdin and stdout. Killed and reaped when this object goes; its stdin ends when the
/// test process does, however that ends. (Foundation's Process waits on a run loop and hung on busy machines.)
final class ChildProcess {
  private let pid: pid_t
  private let input: Int32
  private let output: Int32
  private var status: Int32?

  init(_ program: String, _ arguments: [String]) throws {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw ServerError(description: "no pipe") }
    (input, output) = (toChild[1], fromChild[0])
    // Ours alone: a later child that inherited them would keep this one alive.
    for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    posix_spawn_file_actions_addclose(&actions, toChild[0])
    posix_spawn_file_actions_addclose(&actions, fromChild[1])
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(toChild[0])
      close(fromChild[1])
    }
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, nil, words + [nil], environ)
    guard code == 0 else { throw ServerError(description: "\(program): \(String(cString: strerror(code)))") }
    pid = child
  }

  /// The next bytes of its stdout, empty at its end.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Waits for its end.
  /// - Returns: its exit status.
  func wait() -> Int32 {
    var found: Int32 = 0
    if status == nil, waitpid(pid, &found, 0) == pid { status = found }
    return status ?? -1
  }

  deinit {
    close(input)
    close(output)
    if status == nil {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }
}
