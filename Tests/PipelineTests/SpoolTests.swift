import Campaign
import Store
import Testing

@testable import Pipeline

@Suite("Spool")
struct SpoolTests {
  private func key(_ number: Int64) -> RecipientKey { RecipientKey(profileID: number, subscriptionID: number + 100) }

  @Test("a window's results are a line each, and read back as they were")
  func lines() {
    let testimony = Testimony(
      launchID: 7, channelID: 9, token: 3, attempt: 2,
      rows: [
        DeliveryRow(key: key(1), outcome: .sent, requests: 1, httpStatus: 200, providerMessageID: "projects/p/1"),
        DeliveryRow(
          key: key(2), outcome: .rejected, reason: "payload", requests: 2, httpStatus: 400, providerCode: "Bad\n\"1\""),
        DeliveryRow(key: key(3), outcome: .deferred, reason: "not_handed_over"),
      ], source: "spool")
    let bytes = Spool.encode(testimony)
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(2) == [
        #"{"launch":7,"channel":9,"token":3,"attempt":2}"#,
        #"{"profile":1,"subscription":101,"outcome":1,"requests":1,"http_status":200,"provider_message_id":"projects/p/1"}"#,
      ])
    #expect(Spool.decode(bytes) == testimony)
  }

  @Test(
    "a file that is cut short or isn't ours is refused", arguments: ["", "{}\n", "{\"launch\":7", "\u{0}", "[]\n[]\n"])
  func broken(text: String) {
    #expect(Spool.decode(Array(text.utf8)) == nil)
  }
}
