import Glibc

/// Where a command's result goes: a file that appears under its name when it is whole, or stdout.
public final class OutputFile {
  private let descriptor: Int32
  /// Nil = stdout.
  private let path: String?
  private var part: String { (path ?? "") + ".part" }

  /// - Parameters:
  ///   - path: nil = stdout.
  ///   - mode: who may read it, before the process's mask.
  public init(_ path: String?, mode: UInt32 = 0o644) throws(FileError) {
    self.path = path
    guard let path else {
      descriptor = 1
      return
    }
    descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  /// What was written and not finished goes away.
  deinit {
    guard path != nil, descriptor >= 0 else { return }
    close(descriptor)
    unlink(part)
  }

  /// Appends.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var at = 0
    while at < bytes.count {
      let count = bytes[at...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(path ?? "stdout")
      }
      at += count
    }
  }

  /// The file is whole and on the disk: it gets its name.
  public func finish() throws(FileError) {
    guard let path else { return }
    guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> FileError {
    let error = errno
    return FileError(path: path, reason: String(cString: strerror(error)), isMissing: error == ENOENT)
  }
}
