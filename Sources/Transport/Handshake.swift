internal import Base
internal import CCurl
import Glibc

/// Connects to a server as a pool would, TLS included, and sends nothing.
public enum Handshake {
  /// What connecting came to.
  public enum Outcome: Sendable, Equatable {
    /// The server is there and trusted; after so many seconds.
    case reached(seconds: Double)
    /// Its certificate isn't trusted: libcurl's words.
    case untrusted(String)
    case unreachable(String)
    /// The connection can't even be tried: trust file, settings, libcurl itself.
    case impossible(String)
  }

  /// Waits no longer than the configuration's time-out for connecting.
  public static func attempt(_ configuration: PoolConfiguration) async -> Outcome {
    do {
      return try await Worker(name: "handshake").run { try connect(configuration) }
    } catch {
      return .impossible("\(error)")
    }
  }

  private static func connect(_ configuration: PoolConfiguration) throws(TransportError) -> Outcome {
    let trust = try Pool.checked(configuration)
    guard let curl = curl_easy_init() else { throw TransportError(.unsupported, "libcurl has no memory") }
    defer { curl_easy_cleanup(curl) }
    var options = EasyOptions(curl)
    options.set(configuration, trust: trust)
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.pointee = 0
    defer { errorText.deallocate() }
    _ = ccurl_set_error_buffer(curl, errorText)
    defer { _ = ccurl_set_long(curl, CURLOPT_CONNECT_ONLY, 0) }
    guard ccurl_set_string(curl, CURLOPT_URL, configuration.endpoint) == CURLE_OK,
      ccurl_set_long(curl, CURLOPT_CONNECT_ONLY, 1) == CURLE_OK
    else { throw TransportError(.configuration, "\(configuration.endpoint): libcurl doesn't take the address") }
    let began = BootInstant.now
    let code = curl_easy_perform(curl)
    let words = errorText.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    switch code {
    case CURLE_OK: return .reached(seconds: -began.secondsFromNow)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: return .untrusted(words)
    default: return .unreachable(words)
    }
  }
}

/// What the libcurl that is loaded is and can do.
public struct LibcurlVersion: Sendable, Equatable {
  /// `7.88.1`
  public let version: String
  /// `OpenSSL/3.0.15`; empty when it has no TLS.
  public let tls: String
  /// Whether it was built with HTTP/2.
  public let hasHTTP2: Bool
  /// Names are looked up beside the transfers, not while they wait.
  public let resolvesAsynchronously: Bool

  /// The one this process runs with.
  public static var loaded: LibcurlVersion {
    let found = ccurl_version().pointee
    return LibcurlVersion(
      version: found.version.map { String(cString: $0) } ?? "unknown",
      tls: found.ssl_version.map { String(cString: $0) } ?? "",
      hasHTTP2: found.features & CURL_VERSION_HTTP2 != 0,
      resolvesAsynchronously: found.features & CURL_VERSION_ASYNCHDNS != 0)
  }
}
