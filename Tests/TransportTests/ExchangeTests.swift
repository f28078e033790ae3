import Testing

@testable import Transport

@Suite("Exchange: evidence decides") struct ExchangeTests {
  private func evidence(_ code: UInt32, _ change: (inout TransferEvidence) -> Void = { _ in }) -> TransferEvidence {
    var evidence = TransferEvidence()
    evidence.code = code
    evidence.detail = "words"
    evidence.bodyBytes = 100
    change(&evidence)
    return evidence
  }

  private func word(_ evidence: TransferEvidence) -> String {
    switch Exchange.from(evidence, answer: Answer(status: evidence.status)) {
    case .answered(let answer): "answered \(answer.status)"
    case .notSent(.stopped): "stopped"
    case .notSent(.deadline): "deadline"
    case .notSent(.unreachable(let text)): "unreachable: \(text)"
    case .notSent(.untrusted(let text)): "untrusted: \(text)"
    case .notSent(.refused(let text)): "refused: \(text)"
    case .notSent(.certificateRefused(let text)): "certificate: \(text)"
    case .unknown(let text): "unknown: \(text)"
    }
  }

  @Test("no connection: not sent", arguments: [5, 6, 7, 28, 35, 58])
  func unreachable(code: UInt32) {
    #expect(word(evidence(code)) == "unreachable: words")
    #expect(!evidence(code).wasHandedOver)
    #expect(evidence(code).isConnectFailure)
  }

  @Test(
    "the peer's alert about our certificate: not sent, unless another connection had it before or other streams had")
  func certificateRefused() {
    let alert = "x: OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0"
    func refused(_ code: UInt32, _ made: Bool, placed: Bool) -> String {
      word(
        evidence(code) {
          $0.detail = alert
          $0.madeConnection = made
          $0.wasPlaced = placed
          $0.bodyBytesRead = placed ? 100 : 0
        })
    }
    #expect(refused(56, true, placed: true) == "certificate: \(alert)")
    #expect(refused(35, true, placed: false) == "certificate: \(alert)")
    #expect(refused(35, true, placed: true) == "unknown: \(alert)")
    #expect(refused(56, false, placed: true) == "unknown: \(alert)")
  }

  @Test("certificate not trusted, or CA file unusable: untrusted", arguments: [60, 77])
  func untrusted(code: UInt32) {
    #expect(word(evidence(code)) == "untrusted: words")
  }

  @Test("the same codes after libcurl moved a request that had been read: unknown", arguments: [5, 6, 7, 35, 60, 77])
  func afterRetry(code: UInt32) {
    let evidence = evidence(code) {
      $0.wasPlaced = true
      $0.bodyBytesRead = 100
    }
    #expect(word(evidence) == "unknown: words")
    #expect(evidence.wasHandedOver)
  }

  @Test("body read, no answer: unknown", arguments: [16, 18, 28, 42, 52, 55, 56, 65, 92])
  func unknown(code: UInt32) {
    let evidence = evidence(code) {
      $0.wasPlaced = true
      $0.bodyBytesRead = 1
    }
    #expect(word(evidence) == "unknown: words")
  }

  @Test("placed, but its body was never asked for: not sent", arguments: [16, 18, 28, 52, 55, 56, 65, 92])
  func bodyUnread(code: UInt32) {
    let evidence = evidence(code) { $0.wasPlaced = true }
    #expect(word(evidence) == "unreachable: words")
    #expect(!evidence.wasHandedOver)
    #expect(!evidence.isConnectFailure)
  }

  @Test("without a body it may have been taken as soon as it was placed")
  func withoutBody() {
    let evidence = evidence(52) {
      $0.bodyBytes = 0
      $0.wasPlaced = true
    }
    #expect(word(evidence) == "unknown: words")
  }

  @Test("above a GOAWAY's last stream: refused, although it was handed over", arguments: [16, 55, 56, 65, 18])
  func refused(code: UInt32) {
    let evidence = evidence(code) {
      $0.wasPlaced = true
      $0.bodyBytesRead = 100
      $0.refusal = "GOAWAY"
    }
    #expect(word(evidence) == "refused: GOAWAY")
    #expect(evidence.wasHandedOver)
  }

  @Test("a status outranks the code", arguments: [0, 16, 18, 28, 56, 65, 92])
  func status(code: UInt32) {
    let evidence = evidence(code) {
      $0.wasPlaced = true
      $0.bodyBytesRead = 100
      $0.status = 200
      $0.refusal = "GOAWAY"
    }
    #expect(word(evidence) == "answered 200")
  }

  @Test("an early refusal of a body that was never read is an answer")
  func earlyStatus() {
    let evidence = evidence(0) {
      $0.wasPlaced = true
      $0.status = 413
    }
    #expect(word(evidence) == "answered 413")
    #expect(!evidence.wasHandedOver)
  }

  @Test("an interim status is no answer", arguments: [100, 103])
  func interim(status: Int) {
    let evidence = evidence(56) {
      $0.wasPlaced = true
      $0.bodyBytesRead = 100
      $0.status = status
    }
    #expect(word(evidence) == "unknown: words")
  }

  @Test("what the pool withheld: its reason, and not the network's fault")
  func withheld() {
    #expect(word(evidence(42) { $0.withheld = .stopped }) == "stopped")
    #expect(word(evidence(42) { $0.withheld = .deadline }) == "deadline")
    let http1 = evidence(42) {
      $0.withheld = .http1Only
      $0.detail = "https://localhost"
    }
    #expect(word(http1) == "unreachable: https://localhost speaks HTTP/1.1 only, HTTP/2 is needed")
    #expect(!evidence(42) { $0.withheld = .stopped }.isConnectFailure)
    #expect(http1.isConnectFailure)
  }

  @Test("a stream's own failure leaves the connection alone", arguments: [0, 28, 42, 92])
  func streamFailures(code: UInt32) { #expect(!evidence(code).isConnectionLost) }

  @Test("other failures don't", arguments: [7, 16, 18, 52, 55, 56, 65])
  func connectionFailures(code: UInt32) { #expect(evidence(code).isConnectionLost) }
}
