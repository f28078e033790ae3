import Glibc

/// A file that grows at its end and that nobody else writes.
///
/// Its lock says whether whoever wrote it still lives: the kernel drops it with the process, however that died, and no
/// process id that another program got since can deceive.
public final class AppendFile: Sendable {
  /// As it was opened; `rename(to:)` leaves it.
  public let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// A new file that only this user can read, locked until the process ends.
  public convenience init(creating path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    self.init(path: path, descriptor: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw FileError(path) }
  }

  /// A file whose writer is dead, locked while this object lives.
  /// - Returns: nil when somebody holds it, or it is gone.
  public convenience init?(orphanAt path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw FileError(path)
    }
    self.init(path: path, descriptor: descriptor)
    var status = stat()
    // Another may have held it and removed it between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      return nil
    }
  }

  /// Appends the bytes by one write(2). Afterwards they outlive the process, not the machine: nothing waits for the
  /// disk.
  /// - Throws: also when only a part of them went in.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    while true {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count == bytes.count { return }
      if count >= 0 { throw FileError(path: path, reason: String(cString: strerror(ENOSPC)), isMissing: false) }
      if errno != EINTR { throw FileError(path) }
    }
  }

  /// Gives it another name in the same file system; the lock stays. `path` remains the name it was opened by.
  public func rename(to other: String) throws(FileError) {
    guard Glibc.rename(path, other) == 0 else { throw FileError(path) }
  }
}

extension FileError {
  /// What `errno` says of the call that just failed.
  init(_ path: String) {
    let error = errno
    self.init(path: path, reason: String(cString: strerror(error)), isMissing: error == ENOENT)
  }
}
