internal import CCurl
import Glibc

/// Whom connections trust, as one file for CURLOPT_CAINFO (nil path = libcurl's own default, the system's bundle), and
/// the certificate they show, as one for CURLOPT_SSLCERT.
///
/// A combined bundle lives in a memory file, not in CAINFO_BLOB: 7.88.1 copies the blob (220 kB) for every request and
/// compares it with the chosen connection's, 11 % of a request's CPU.
struct TrustFile: Sendable {
  var path: String? { bundle?.path ?? file }
  /// Nil = none is shown.
  var certificatePath: String? { certificate?.path }
  private let file: String?
  private let bundle: MemoryFile?
  private let certificate: MemoryFile?

  /// - Throws: `TransportError` (`.trust`) naming the file that is missing, unreadable or holds no certificate.
  init(_ configuration: PoolConfiguration) throws(TransportError) {
    certificate = try configuration.clientCertificate.map { bytes throws(TransportError) in
      guard let file = MemoryFile(bytes, name: "salvo-certificate") else {
        throw TransportError(.trust, "\(configuration.name): its certificate can't be kept: \(Self.lastError)")
      }
      return file
    }
    guard let extra = configuration.extraCAFile else {
      if let file = configuration.caFile { _ = try Self.certificates(in: file) }
      file = configuration.caFile
      bundle = nil
      return
    }
    var all = try Self.certificates(in: configuration.caFile ?? Self.systemBundle)
    all.append(0x0A)
    all += try Self.certificates(in: extra)
    guard let combined = MemoryFile(all, name: "salvo-ca") else {
      throw TransportError(.trust, "\(extra): can't be added to the system's certificates: \(Self.lastError)")
    }
    bundle = combined
    file = nil
  }

  private static var lastError: String { String(cString: strerror(errno)) }

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
}
