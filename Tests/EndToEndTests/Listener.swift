import Base
import Foundation
import Glibc
import Testing

/// A running salvo that listens, and a client that sends it whatever bytes it likes.
struct Listener: Sendable {
  let runner: Running
  let port: UInt16

  /// Starts `salvo run LAUNCH --listen 127.0.0.1:0 …` and waits until it says where it listens.
  static func start(_ launch: TestLaunch, _ words: String...) async throws -> Listener {
    let runner = try Shell.start(
      Shell.salvo, ["run", "\(launch.id)", "--listen", "127.0.0.1:0"] + words, launch.stack.environment)
    var port: UInt16?
    try await eventually("the listener") {
      let said = try runner.errors().split(separator: "http://127.0.0.1:").dropFirst().first
      port = said.flatMap { UInt16($0.prefix { $0 != "/" }) }
      return port != nil || !runner.isRunning
    }
    let said = try runner.errors()
    return Listener(runner: runner, port: try #require(port, "it does not listen: \(said)"))
  }

  struct Answer: Sendable {
    /// 0 when the connection was closed without one.
    var status: Int
    var body: String
  }

  /// One request of a well-behaved program.
  func ask(_ method: String, _ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
    let all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }
    let lines = ["\(method) \(path) HTTP/1.1"] + all.map { "\($0): \($1)" } + ["Content-Length: 0", "", ""]
    return try await send(Array(lines.joined(separator: "\r\n").utf8))
  }

  /// Sends the bytes and reads until the other side closes.
  func send(_ bytes: [UInt8]) async throws -> Answer {
    let socket = try await open()
    return try await Worker(name: "client").run {
      defer { close(socket) }
      var at = 0
      while at < bytes.count {
        let sent = bytes[at...].withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent <= 0 { break }
        at += sent
      }
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { break }
        answer.append(contentsOf: buffer[..<count])
      }
      let text = String(decoding: answer, as: UTF8.self)
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
      let status = text.hasPrefix("HTTP/1.") ? Int(text.dropFirst(9).prefix(3)) ?? 0 : 0
      return Answer(status: status, body: parts.count == 2 ? String(parts[1]) : "")
    }
  }

  /// A connection that says so much and no more; the caller closes it.
  func open(saying bytes: [UInt8] = []) async throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(socket >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    // Whoever is not answered for so long is not answered at all.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0, "connect: \(String(cString: strerror(errno)))")
    _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    return socket
  }
}

/// Samples of Prometheus' text format, by name with labels.
struct Samples {
  private let lines: [(name: String, labels: String, value: Double)]

  init(_ text: String) {
    lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
        return nil
      }
      let series = line[..<space]
      let brace = series.firstIndex(of: "{") ?? series.endIndex
      return (String(series[..<brace]), String(series[brace...]), value)
    }
  }

  /// The sum of all of that name whose labels contain every one of these, as `channel="3"`.
  func sum(_ name: String, _ labels: String...) -> Int {
    Int(
      lines.filter { line in line.name == name && labels.allSatisfy(line.labels.contains) }.reduce(0) { $0 + $1.value })
  }
}
