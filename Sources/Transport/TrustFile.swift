internal import CCurl
import Glibc

/// Whom connections trust, as one file for CURLOPT_CAINFO. Nil path = libcurl's own default, the system's bundle.
///
/// A combined bundle lives in a memory file, not in CAINFO_BLOB: 7.88.1 copies the blob (220 kB) for every request and
/// compares it with the chosen connection's, 11 % of a request's CPU.
final class TrustFile: Sendable {
  let path: String?
  private let descriptor: Int32

  /// - Throws: `TransportError` (`.trust`) naming the file that is missing, unreadable or holds no certificate.
  init(_ configuration: PoolConfiguration) throws(TransportError) {
    guard let extra = configuration.extraCAFile else {
      if let file = configuration.caFile { _ = try Self.certificates(in: file) }
      path = configuration.caFile
      descriptor = -1
      return
    }
    var bundle = try Self.certificates(in: configuration.caFile ?? Self.systemBundle)
    bundle.append(0x0A)
    bundle += try Self.certificates(in: extra)
    descriptor = ccurl_memory_file("salvo-ca")
    path = "/proc/self/fd/\(descriptor)"
    guard descriptor >= 0, Self.write(bundle, to: descriptor) else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { Glibc.close(descriptor) }
      throw TransportError(.trust, "\(extra): can't be added to the system's certificates: \(reason)")
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// The bundle this libcurl was built for; Debian's place when it doesn't say.
  private static var systemBundle: String {
    let file = ccurl_version().pointee.cainfo
    return file.map { String(cString: $0) } ?? "/etc/ssl/certs/ca-certificates.crt"
  }

  /// The bytes of a PEM file with at least one certificate.
  static func certificates(in file: String) throws(TransportError) -> [UInt8] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TransportError(.trust, "\(file): \(String(cString: strerror(errno)))") }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw TransportError(.trust, "\(file): \(String(cString: strerror(errno)))") }
      bytes += chunk[..<count]
    }
    guard bytes.contains("-----BEGIN CERTIFICATE-----".utf8) else {
      throw TransportError(.trust, "\(file): no certificate in it, a PEM file (-----BEGIN CERTIFICATE-----) is needed")
    }
    return bytes
  }

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
