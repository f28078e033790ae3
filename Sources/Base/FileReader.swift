import Glibc

/// Why a file can't be read: its name and the system's reason.
public struct FileError: Error, Sendable, CustomStringConvertible {
  /// As it was asked for.
  public let path: String
  /// The system's words.
  public let reason: String
  /// Whether there is no such file.
  public let isMissing: Bool
  public var description: String { "\(path): \(reason)" }
}

/// Whole small files: credentials, certificates, templates.
public enum FileReader {
  /// Reads a regular file.
  /// - Parameter limit: bytes; a larger file is refused instead of filling the memory.
  public static func read(_ path: String, limit: Int = 1 << 20) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let openError = errno
    guard descriptor >= 0 else {
      throw FileError(path: path, reason: String(cString: strerror(openError)), isMissing: openError == ENOENT)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      let readError = errno
      if count < 0 {
        if readError == EINTR { continue }
        throw FileError(path: path, reason: String(cString: strerror(readError)), isMissing: false)
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= limit else {
        throw FileError(path: path, reason: "larger than \(limit) bytes", isMissing: false)
      }
    }
  }
}
