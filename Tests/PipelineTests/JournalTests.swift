import Base
import Campaign
import Foundation
import Providers
import Store
import Testing

@testable import Pipeline

@Suite("Journal")
struct JournalTests {
  private func key(_ number: Int64) -> RecipientKey { RecipientKey(profileID: number, subscriptionID: -number) }

  private func window(_ count: Int64, settlesLater: Bool = false) -> JournaledWindow {
    JournaledWindow(
      channelID: 9, chunkNo: 3, windowNo: 2, id: 1 << 40, token: 7, attempt: 1, settlesLater: settlesLater,
      cursor: key(0), keys: (1...count).map(key))
  }

  private func bytes(_ records: [JournalRecord], boot: String = "boot-1") -> [UInt8] {
    var bytes: [UInt8] = []
    let began = JournalRecord.began(launch: 5, startedAt: EpochMilliseconds(1_700_000_000_000), boot: boot)
    for record in [began] + records { record.append(to: &bytes) }
    return bytes
  }

  private let sent = JournalRecord.End.verdict(
    MessageVerdict(.sent, httpStatus: 200, providerMessageID: "projects/p/messages/ü"))

  private var policy: RetryPolicy { RetryPolicy(requestBudget: 2, attempts: 3, attempt: 1) }

  @Test("every record reads back as it was")
  func records() {
    let verdicts: [Verdict] = [
      .sent, .accepted, .retire, .reject, .retry(after: 1.5, laneWide: true), .retry(after: 0, laneWide: false),
      .refreshAccess, .stop(isCredential: true), .stop(isCredential: false), .unknown,
    ]
    let records: [JournalRecord] =
      [
        .opened(number: 1, window(3, settlesLater: true)), .handingOver(number: 1, messages: [0, 1, 2, 7, 4_999]),
        .ended(number: 1, messages: [2], handedOver: false, .notTaken),
        .skipped(number: 1, messages: [5, 4], reason: "duplicate"), .closed(number: 1),
      ]
      + verdicts.map {
        .ended(
          number: 2, messages: [0], handedOver: true,
          .verdict(MessageVerdict($0, reason: "quota", httpStatus: 429, providerCode: "QUOTA_EXCEEDED")))
      }
    let (read, isIntact) = JournalRecord.read(bytes(records))
    #expect(Array(read.dropFirst()) == records)
    #expect(isIntact)
  }

  @Test("a last record that was cut short takes nothing from those before it, one that was changed ends the trust")
  func damage() {
    let whole = bytes([.opened(number: 1, window(2)), .handingOver(number: 1, messages: [0])])
    let before = bytes([.opened(number: 1, window(2))]).count
    for length in before..<whole.count {
      let (records, isIntact) = JournalRecord.read(Array(whole.prefix(length)))
      #expect(records.count == 2)
      #expect(isIntact)
    }
    var changed = whole
    changed[before - 1] ^= 1
    let (records, isIntact) = JournalRecord.read(changed)
    #expect(records.count == 1)
    #expect(!isIntact)
    #expect(!JournalReplay(changed, isWhole: true, boot: "boot-1").provesAbsence)
  }

  @Test("what it doesn't tell did not happen, unless the machine was restarted or a write failed")
  func absence() {
    let told = bytes([.opened(number: 1, window(2))])
    #expect(JournalReplay(told, isWhole: true, boot: "boot-1").provesAbsence)
    #expect(!JournalReplay(told, isWhole: true, boot: "boot-2").provesAbsence)
    #expect(!JournalReplay(told, isWhole: false, boot: "boot-1").provesAbsence)
    #expect(!JournalReplay(bytes([], boot: ""), isWhole: true, boot: "").provesAbsence)
    #expect(!JournalReplay([], isWhole: true, boot: "boot-1").provesAbsence)
  }

  @Test("answers are results, what was in flight is unknown, what was never handed over is left to the next window")
  func results() throws {
    let refused = JournalRecord.End.verdict(MessageVerdict(.retire, reason: "unregistered", httpStatus: 404))
    let replay = JournalReplay(
      bytes([
        .opened(number: 1, window(8)), .skipped(number: 1, messages: [1], reason: "duplicate"),
        .handingOver(number: 1, messages: [0, 2, 4]), .ended(number: 1, messages: [0], handedOver: true, sent),
        .ended(number: 1, messages: [2], handedOver: true, refused), .handingOver(number: 1, messages: [5]),
        .ended(number: 1, messages: [5], handedOver: false, .notTaken),
        .opened(number: 2, window(1)), .closed(number: 2),
      ]), isWhole: true, boot: "boot-1")
    #expect(replay.launch == 5)
    #expect(replay.open.count == 1)
    let result = try #require(replay.open.first).result(policy: policy, uid: { "U\($0.profileID)" })
    #expect(
      result.rows.map { "\($0.key.profileID) \($0.outcome.name) \($0.reason ?? "-") \($0.requests) \($0.uid ?? "-")" }
        == [
          "1 sent - 1 U1", "2 skipped duplicate 0 U2",
          // No token is retired by a journal: the breaker's view of the lane died with its runner.
          "3 rejected suspect 1 U3", "4 deferred not_handed_over 0 -", "5 unknown in_doubt 1 U5",
        ])
    #expect(result.cursor == key(5))
    #expect(result.retirements.isEmpty)
    #expect(result.rows[0].providerMessageID == "projects/p/messages/ü")
  }

  @Test("a window of which nothing was handed over is closed empty, its chunk goes on where it stood")
  func untouched() throws {
    let replay = JournalReplay(bytes([.opened(number: 1, window(8))]), isWhole: true, boot: "boot-1")
    let result = try #require(replay.open.first).result(policy: policy, uid: { _ in nil })
    #expect(result.rows.isEmpty)
    #expect(result.cursor == key(0))
  }

  @Test("a transfer that was handed over is asked about, answered or not")
  func settlesLater() throws {
    let handedOver: [JournalRecord] = [
      .opened(number: 1, window(4, settlesLater: true)), .handingOver(number: 1, messages: [0, 1, 2]),
    ]
    let answer = JournalRecord.ended(
      number: 1, messages: [0, 1, 2], handedOver: true, .verdict(MessageVerdict(.accepted, httpStatus: 200)))
    for records in [handedOver, handedOver + [answer]] {
      let replay = JournalReplay(bytes(records), isWhole: true, boot: "boot-1")
      let result = try #require(replay.open.first).result(policy: policy, uid: { _ in nil })
      #expect(result.rows.isEmpty)
      #expect(result.accepted == (1...3).map(key))
      #expect(result.cursor == key(3))
    }
  }
}
