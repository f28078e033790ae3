internal import CCurl
import Glibc

/// Bytes that libcurl reads by a path and that never lie on a disk.
final class MemoryFile: Sendable {
  private let descriptor: Int32
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// - Parameter name: what `/proc` shows of it.
  /// - Returns: nil, and errno, when there is no memory or no descriptor.
  init?(_ bytes: [UInt8], name: String) {
    descriptor = ccurl_memory_file(name)
    guard descriptor >= 0, Self.write(bytes, to: descriptor) else {
      let reason = errno
      if descriptor >= 0 { Glibc.close(descriptor) }
      errno = reason
      return nil
    }
  }

  deinit { Glibc.close(descriptor) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}
