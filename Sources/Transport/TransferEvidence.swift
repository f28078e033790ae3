internal import CCurl

/// What is known about a transfer when libcurl is done with it.
struct TransferEvidence {
  /// Why the pool itself ended a transfer before anything of it was written.
  enum Withheld: Equatable {
    case stopped
    case deadline
    /// The peer chose HTTP/1.1 and the pool wants HTTP/2.
    case http1Only
  }

  /// The last HTTP status, 0 without one.
  var status = 0
  /// CURLcode.
  var code: UInt32 = 0
  /// libcurl had a connection for it and was about to write (PREREQFUNCTION).
  var wasPlaced = false
  /// It opened a connection of its own.
  var madeConnection = false
  var bodyBytes = 0
  /// Bytes of the body that libcurl asked for: they may have been written.
  var bodyBytesRead = 0
  var withheld: Withheld?
  /// A GOAWAY or REFUSED_STREAM said that its stream was not processed: how.
  var refusal: String?
  /// libcurl's own words, with the endpoint; for people.
  var detail = ""

  /// It may have reached the provider. A request whose body was never asked for can't have been taken: no server
  /// processes a message without its content (RFC 9113 §8.1, RFC 9112 §8). One without a body may have been taken as
  /// soon as it was placed.
  var wasHandedOver: Bool { wasPlaced && (bodyBytes == 0 || bodyBytesRead > 0) }

  /// It got no connection, and the next one would hardly get one either.
  var isConnectFailure: Bool {
    switch withheld {
    case .stopped, .deadline: false
    case .http1Only: true
    case nil: !wasPlaced && code != CURLE_URL_MALFORMAT.rawValue
    }
  }

  /// The peer's TLS alert is about our certificate (RFC 8446 §6.2), in OpenSSL's words: `tlsv13 alert certificate
  /// required`, `sslv3 alert bad certificate`, `tlsv1 alert unknown ca`. Only on a connection that this transfer made,
  /// and not when it had been written to another one before.
  var isCertificateRefused: Bool {
    madeConnection && code != CURLE_OK.rawValue && !(wasHandedOver && code == CURLE_SSL_CONNECT_ERROR.rawValue)
      && [
        "alert certificate required", "alert bad certificate", "alert certificate revoked", "alert certificate expired",
        "alert certificate unknown", "alert unsupported certificate", "alert unknown ca", "alert access denied",
      ].contains { detail.contains($0) }
  }

  /// More than this stream may be gone. A reset stream (92), one that timed out (28) and one that the pool ended
  /// itself (42) leave their siblings alone.
  var isConnectionLost: Bool {
    ![CURLE_OK, CURLE_HTTP2_STREAM, CURLE_OPERATION_TIMEDOUT, CURLE_ABORTED_BY_CALLBACK].contains {
      $0.rawValue == code
    }
  }
}

extension Exchange {
  /// Decides by evidence, not by code alone: libcurl retries on a fresh connection by itself, so "connection refused"
  /// may well be the end of a request that the provider has already read.
  static func from(_ evidence: TransferEvidence, answer: @autoclosure () -> Answer) -> Exchange {
    // A status outranks the code (seen: 56 with status 200). 1xx is no answer yet.
    if evidence.status >= 200, evidence.wasPlaced { return .answered(answer()) }
    if evidence.isCertificateRefused { return .notSent(.certificateRefused(evidence.detail)) }
    guard evidence.wasHandedOver else { return .notSent(NotSent.from(evidence)) }
    if let refusal = evidence.refusal { return .notSent(.refused(refusal)) }
    return .unknown(evidence.detail)
  }
}

extension NotSent {
  /// Why a request that was never handed over wasn't.
  static func from(_ evidence: TransferEvidence) -> NotSent {
    switch evidence.withheld {
    case .stopped: return .stopped
    case .deadline: return .deadline
    case .http1Only: return .unreachable("\(evidence.detail) speaks HTTP/1.1 only, HTTP/2 is needed")
    case nil: break
    }
    switch CURLcode(rawValue: evidence.code) {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: return .untrusted(evidence.detail)
    default: return .unreachable(evidence.detail)
    }
  }
}
