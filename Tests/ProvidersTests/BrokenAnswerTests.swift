import Base
import Providers
import Testing
import Transport

@Suite("Broken answers (C28)")
struct BrokenAnswerTests {
  static let providers = Fixtures.providers
  /// Those whose transfers can be asked for.
  static let asked = ["android-appmetrica", "ios-appmetrica"]
  /// Those that prove a success by more than its status.
  static let proving = ["android-firebase", "ios-firebase", "android-hms", "ios-hms"]

  static let bodies: [[UInt8]] = [
    Array("<!DOCTYPE html><p>Please try again in 30 seconds.".utf8), [], Array("[not json]".utf8),
    Array(#"{"error":{"code":400,"mess"#.utf8), Array("{}".utf8), Array("null".utf8), Array("[".utf8),
    Array(#"{"error":"text","reason":5,"code":{},"msg":7,"push_response":[]}"#.utf8),
    Array(#"{"error":{"code":"404","status":404,"message":[],"details":{"errorCode":"UNREGISTERED"}}}"#.utf8),
    [0x7B, 0xFF, 0x7D], Array(repeating: 0x78, count: 3 << 20),
    Array(String(repeating: "[", count: 100_000).utf8),
  ]

  @Test("never a crash, never a retired token, whatever the status", arguments: providers)
  func nobodyRetired(_ provider: String) throws {
    let lane = try Fixtures.lane(of: provider)
    for body in Self.bodies {
      for status in [200, 204, 301, 400, 401, 403, 404, 405, 410, 413, 429, 500, 502, 503, 504, 599, 999] {
        let verdict = try #require(lane.verdicts(status, bytes: body).first)
        #expect(verdict.verdict != .retire)
        if Self.proving.contains(provider) { #expect(verdict.verdict != .sent) }
        let detail = verdict.detail ?? ""
        #expect(detail.utf8.count <= 2048)
        #expect(!detail.unicodeScalars.contains("\0"))
      }
    }
  }

  @Test("5xx and 429 are tried again by those that can't be asked", arguments: providers.filter { !asked.contains($0) })
  func retried(_ provider: String) throws {
    let lane = try Fixtures.lane(of: provider)
    for body in Self.bodies {
      for status in [429, 500, 502, 503, 599] {
        let verdict = lane.verdicts(status, bytes: body).first?.verdict
        guard case .retry = verdict else {
          Issue.record("\(status): \(String(describing: verdict))")
          continue
        }
      }
    }
  }

  @Test("a cut 400 is the message's fault", arguments: providers)
  func cut(_ provider: String) throws {
    let lane = try Fixtures.lane(of: provider)
    let body = #"{"error":{"code":400,"mess"#
    #expect(lane.verdicts(400, body).map(\.verdict) == [.reject])
    #expect(lane.verdicts(400, body).first?.detail == body)
  }

  @Test("a success without its proof is unknown, or asked for where it can be")
  func noProof() throws {
    for body in Self.bodies {
      for provider in Self.proving {
        #expect(try Fixtures.lane(of: provider).verdicts(200, bytes: body).map(\.verdict) == [.unknown])
      }
      for provider in Self.asked {
        #expect(try Fixtures.lane(of: provider).verdicts(200, bytes: body).map(\.verdict) == [.accepted])
      }
      // RuStore's success is an empty body or an object without a fault.
      let isSuccess = body.isEmpty || body == Array("{}".utf8)
      #expect(
        try Fixtures.lane(of: "android-rustore").verdicts(200, bytes: body).map(\.verdict)
          == [isSuccess ? .sent : .unknown])
    }
  }

  @Test("no answer is unknown, or asked for where it can be; what wasn't sent is tried again", arguments: providers)
  func noAnswer(_ provider: String) throws {
    let lane = try Fixtures.lane(of: provider)
    #expect(
      lane.verdicts(.unknown("reset")).map(\.verdict)
        == [Self.asked.contains(provider) ? .accepted : .unknown])
    #expect(lane.verdicts(.unknown("reset")).first?.detail == "reset")
    #expect(lane.verdicts(.notSent(.stopped)).map(\.verdict) == [.retry(after: 0, laneWide: false)])
    #expect(lane.verdicts(.notSent(.deadline)).map(\.verdict) == [.retry(after: 0, laneWide: false)])
    #expect(lane.verdicts(.notSent(.refused("GOAWAY"))).map(\.verdict) == [.retry(after: 1, laneWide: false)])
    #expect(lane.verdicts(.notSent(.unreachable("refused"))).map(\.verdict) == [.retry(after: 5, laneWide: true)])
    #expect(lane.verdicts(.notSent(.untrusted("CA"))).map(\.verdict) == [.stop(isCredential: false)])
  }
}
