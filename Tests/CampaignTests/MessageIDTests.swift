import Campaign
import Testing

@Suite("Message ids and launch ids")
struct MessageIDTests {
  private func text(
    _ kind: MessageID.Kind, _ n: [Int64], group: Int64 = 0
  ) -> String {
    var out: [UInt8] = []
    MessageID.append(
      kind: kind, account: n[0], campaign: n[1], resource: n[2], channel: n[3], profile: n[4], subscription: n[5],
      milliseconds: n[6], group: group, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  private func numbers(_ id: MessageID) -> [Int64] {
    [id.account, id.campaign, id.resource, id.channel, id.profile, id.subscription, id.milliseconds]
  }

  // Built from the description by a Python script: LEB128, crc32c of letter and numbers, base58.
  @Test(
    "known ids",
    arguments: [
      (MessageID.Kind.full, [1, 2, 3, 4, 5, 6, 1_760_000_000_000], 0, "T8dEAJwm1vVHA81R5hcH3M"),
      (.full, [0, 0, 0, 0, 0, 0, 0], 0, "T11111112j1c5M"),
      (.unique, [12, 40_000, 7, 3, 0, 0, 1_760_000_000_000], 300, "UbiFaJJa4TjBbzQeetftDwbT5N6H"),
      (.email, [1, 1, 1, 1, 1, 1, 1], 0, "EfrsBPKpswWH612"),
      (.full, [-1, 1, 1, 1, 1, 1, 1], 0, "T4yRJXiMt1ka5WmKmWtgPNFDFUYRi"),
      (
        .full, [.max, .max, .max, .max, .max, .max, .max], 0,
        "T8A7cSQWQzbo1W37oimgxqp1cwnKfidpT9yD1X85y8mvnGmRwEYf9pJp3DjKTKWEV4gksSZi8YEWQ7Cfu9aSNhWRD4P9h"
      ),
    ] as [(MessageID.Kind, [Int64], Int64, String)])
  func known(kind: MessageID.Kind, ids: [Int64], group: Int64, expected: String) throws {
    #expect(text(kind, ids, group: group) == expected)
    let id = try MessageID.decode(expected.utf8)
    #expect(id.kind == kind)
    #expect(numbers(id) == ids)
    #expect(id.group == group)
  }

  @Test("70 characters at most, whatever profile and subscription are, until 2109")
  func length() {
    let large: Int64 = 1 << 35 - 1
    #expect(text(.full, [large, large, large, large, .max, .max, 4_398_046_511_103]).utf8.count <= 70)
    #expect(text(.unique, [large, large, large, large, 0, 0, 4_398_046_511_103], group: .max).utf8.count <= 70)
  }

  @Test("random ids up to 2^53 and at the ends of Int64 come back")
  func roundTrip() throws {
    var random = SystemRandomNumberGenerator()
    let ends: [Int64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 53, .max, .max - 1, -1, .min]
    for _ in 0..<2000 {
      let ids = (0..<7).map { _ in
        Bool.random(using: &random)
          ? Int64.random(in: 0...(1 << Int64.random(in: 0...53, using: &random)), using: &random)
          : ends.randomElement(using: &random) ?? 0
      }
      for kind in MessageID.Kind.allCases {
        let group = kind == .unique ? ids[0] : 0
        let id = try MessageID.decode(text(kind, ids, group: ids[0]).utf8)
        #expect(id.kind == kind)
        #expect(numbers(id) == ids)
        #expect(id.group == group)
      }
    }
  }

  @Test("one wrong character, two exchanged ones, a cut or a longer text: never another id")
  func slips() {
    let id = Array("T8dEAJwm1vVHA81R5hcH3M".utf8)
    let alphabet = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    for at in id.indices {
      for letter in alphabet where letter != id[at] {
        var wrong = id
        wrong[at] = letter
        #expect(throws: CampaignError.self) { try MessageID.decode(wrong) }
      }
      var swapped = id
      swapped.swapAt(at, max(at - 1, 0))
      if swapped != id { #expect(throws: CampaignError.self) { try MessageID.decode(swapped) } }
      #expect(throws: CampaignError.self) { try MessageID.decode(id[..<at]) }
      #expect(throws: CampaignError.self) { try MessageID.decode(id + id[..<at] + [0x31]) }
    }
  }

  // All with a right checksum, by the same script.
  @Test(
    "numbers written in another way are refused although the checksum is right",
    arguments: [
      ("T3rc8dB5sAdjeZimPY", "its numbers are not written as they should be"),
      ("T26Jnu7KzwGi9v9bw", "it holds more than an id does"),
      ("T4gJJy7EtprS8i", "its numbers are not written as they should be"),
      ("T4yRJXiMt1ka5WmZK8mn26tCT4P1x", "its numbers are not written as they should be"),
      ("TfrsBPKpGWRzbB9", "its numbers are not written as they should be"),
      ("T62GLZk", "the checksum is wrong; was it cut or mistyped?"),
    ])
  func written(text: String, message: String) {
    #expect(throws: CampaignError(field: "message id", message: message)) { try MessageID.decode(text.utf8) }
  }

  @Test("what is no id says so")
  func noIDs() {
    let cases = [
      ("", "it begins with T, U or E"), ("X8dEA", "it begins with T, U or E"),
      ("T8dEA0", "a character in it is not one of base58's, which has no 0, O, I and l"),
      ("T", "the checksum is wrong; was it cut or mistyped?"),
      (String(repeating: "T", count: 117), "116 characters at most, not 117"),
    ]
    for (text, message) in cases {
      #expect(throws: CampaignError(field: "message id", message: message)) { try MessageID.decode(text.utf8) }
    }
  }

  // The time's digits by Python: divmod by 58.
  @Test("a launch id is account, campaign and the start in base58")
  func launchTag() throws {
    #expect(LaunchTag.text(account: 12, campaign: 40_000, milliseconds: 1_760_000_000_000) == "12_40000_Netb3wd")
    #expect(LaunchTag.text(account: 0, campaign: 0, milliseconds: 0) == "0_0_1")
    for tag in [
      LaunchTag(account: 12, campaign: 40_000, milliseconds: 1_760_000_000_000),
      LaunchTag(account: .max, campaign: .min, milliseconds: .max),
      LaunchTag(account: 0, campaign: -1, milliseconds: -1),
    ] {
      let text = LaunchTag.text(account: tag.account, campaign: tag.campaign, milliseconds: tag.milliseconds)
      #expect(try LaunchTag.decode(text) == tag)
    }
    for text in ["", "12_40000_", "12_40000", "12_40000_Netb3wd_", "a_1_1", "1_1_0", "1__1", "1_9223372036854775808_1"]
    {
      #expect(throws: CampaignError.self) { try LaunchTag.decode(text) }
    }
  }
}
