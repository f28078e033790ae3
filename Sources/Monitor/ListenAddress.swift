import Glibc

/// Where to listen: a numeric address and a port.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A numeric address, IPv6 without its brackets.
  public let host: String
  /// 0 lets the system choose one.
  public let port: UInt16

  /// - Parameter text: `127.0.0.1:9464`, `localhost:9464`, `[::1]:9464`; port 0 lets the system choose one. Nil when it
  ///   is none of these: a name could stand for any address.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = String(text[..<colon])
    if host == "localhost" { host = "127.0.0.1" }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard Self.isNumeric(host), host.contains(":") else { return nil }
    } else {
      guard Self.isNumeric(host), !host.contains(":") else { return nil }
    }
    self.init(host: host, port: port)
  }

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether it is an IPv4 or IPv6 address as inet_pton(3) reads it.
  static func isNumeric(_ host: String) -> Bool {
    var address = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }
}

/// Why nothing can listen there.
public struct ListenError: Error, Sendable, CustomStringConvertible {
  let address: ListenAddress
  let reason: String
  public var description: String { "--listen \(address): \(reason); choose another address or port" }
}
