import Base
import Foundation
import Transport

/// Builds pages the way a renderer does: one arena, ranges into it.
struct PageBuilder {
  private var bytes: [UInt8] = []
  private var requests: [Request] = []
  private let headers: HeaderSet

  static let plain = HeaderSet(["content-type: application/json", "authorization: Bearer shared"])

  init(headers: HeaderSet = PageBuilder.plain) { self.headers = headers }

  mutating func add(
    _ id: String, path: String = "/ok", method: Request.Method = .post, body: [UInt8] = Array("{}".utf8),
    headers lines: [String] = []
  ) {
    let path = append(Array(path.utf8))
    let headers = append((["x-id: \(id)"] + lines).flatMap { Array($0.utf8) + [0] })
    requests.append(Request(method: method, path: path, headers: headers, body: append(body)))
  }

  private mutating func append(_ more: [UInt8]) -> ByteRange {
    let start = bytes.count
    bytes += more
    return ByteRange(lower: start, upper: bytes.count)
  }

  var page: RequestPage { RequestPage(bytes: bytes, requests: requests, headers: headers) }

  /// `count` requests with ids `prefix0`, `prefix1` …
  static func page(_ prefix: String, _ count: Int, path: String = "/ok") -> RequestPage {
    var builder = PageBuilder()
    for index in 0..<count { builder.add("\(prefix)\(index)", path: path) }
    return builder.page
  }
}

extension TestServer {
  /// A pool for this server that trusts the run's CA.
  func pool(
    connections: Int = 2, streams: Int = 100, _ change: (inout PoolConfiguration) -> Void = { _ in }
  ) throws -> Pool {
    var configuration = try configuration(connections: connections, streams: streams)
    change(&configuration)
    return try Pool(configuration)
  }

  func configuration(connections: Int, streams: Int) throws -> PoolConfiguration {
    var configuration = PoolConfiguration(
      name: "wire", endpoint: endpoint, connections: connections, streams: streams)
    configuration.caFile = try Certificates.shared.get().ca
    configuration.timeout = 5
    return configuration
  }
}

extension Pool {
  func send(_ page: RequestPage) async -> [ExchangeResult] { await send(page, sendBefore: .distantFuture) }
}

extension ExchangeResult {
  /// The result in one word: `200`, `deadline`, `refused`, `unknown` …
  var word: String {
    switch exchange {
    case .answered(let answer): String(answer.status)
    case .notSent(.stopped): "stopped"
    case .notSent(.deadline): "deadline"
    case .notSent(.unreachable): "unreachable"
    case .notSent(.untrusted): "untrusted"
    case .notSent(.refused): "refused"
    case .notSent(.certificateRefused): "certificate"
    case .unknown: "unknown"
    }
  }

  var answer: Answer? { if case .answered(let answer) = exchange { answer } else { nil } }

  var text: String {
    switch exchange {
    case .answered: ""
    case .notSent(.unreachable(let text)), .notSent(.untrusted(let text)), .notSent(.refused(let text)),
      .notSent(.certificateRefused(let text)), .unknown(let text):
      text
    case .notSent(.stopped), .notSent(.deadline): ""
    }
  }
}

extension [ExchangeResult] {
  /// How many of each word.
  var words: [String: Int] { reduce(into: [:]) { $0[$1.word, default: 0] += 1 } }
}
