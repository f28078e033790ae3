/// All that makes connections shareable: one endpoint, one credential, one trust.
public struct PoolConfiguration: Sendable, Hashable {
  /// Which HTTP is spoken.
  public enum Version: Sendable {
    /// HTTP/2 over TLS; a peer that offers only HTTP/1.1 is a clear stop.
    case http2
    /// HTTP/1.1 keep-alive: half the CPU of h2 for bodies of megabytes.
    case http1
  }

  /// As shown by `ps -L` and in logs: the channel's name.
  public var name: String
  /// `https://host[:port]`, no trailing slash.
  public var endpoint: String
  /// Which HTTP is spoken.
  public var version: Version = .http2
  /// Connections at most, ever.
  public var connections: Int
  /// Concurrent requests a connection, at most; the server's own limit is found and kept to. 1 for HTTP/1.1.
  public var streams: Int
  /// PEM file that replaces the system's trust; nil = the system bundle.
  public var caFile: String?
  /// PEM file added to it: `--ca-file`.
  public var extraCAFile: String?
  /// Its URL; nil = none, whatever the environment says.
  public var proxy: String?
  /// PEM of a client certificate, its chain and its unencrypted key; nil = none.
  public var clientCertificate: [UInt8]?
  /// Whole time of one request in seconds, once it is handed to the network.
  public var timeout: Double = 20
  /// Seconds that a connection may take to be made, TLS included.
  public var connectTimeout: Double = 10
  /// Bytes kept of an answer's body; what comes after them is read and forgotten.
  public var answerLimit = 64 << 10
  /// APNs allows one stream until a token proved valid: an answer of 401 or 403 doesn't count as the first one.
  /// (Every HTTP/2 connection begins with one request until its first answer, because only then the server's stream
  /// limit is certainly known.)
  public var startsWithOneRequest = false

  /// The rest as above: TLS by the system's authorities, no proxy, 20 s a request.
  public init(name: String, endpoint: String, connections: Int, streams: Int) {
    self.name = name
    self.endpoint = endpoint
    self.connections = connections
    self.streams = streams
  }
}
