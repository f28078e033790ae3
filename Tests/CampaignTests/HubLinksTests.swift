import Base
import Campaign
import Signing
import Testing

@Suite("Tracking links")
struct HubLinksTests {
  private static let uid = Array("T8dEAJwm1vVHA81R5hcH3M".utf8)

  /// A key whose bytes count up from `first`.
  private static func key(_ first: UInt8) throws -> LinkKey {
    try LinkKey(text: Array(Hex.encode(first...(first + 63)).utf8))
  }

  private static func url(_ links: HubLinks, _ kind: HubLinks.Kind, _ uid: [UInt8] = uid) throws -> String {
    var out: [UInt8] = []
    try links.session().append(kind, uid: uid[...], to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  // Python: urlsafe_b64encode(sha256(key)[:1] + AESSIV(key).encrypt(bytes([kind]) + uid, None)), key = bytes(range(64))
  @Test("the layout, computed by another implementation; one slash whether the setting ends in one or not")
  func layout() throws {
    for hub in ["https://hub.example/p", "https://hub.example/p/"] {
      let links = try HubLinks(hubURL: hub, keys: [Self.key(0)])
      #expect(
        try Self.url(links, .open)
          == "https://hub.example/p/_Y9v4UbLZyw0l3S58KWCnrur2pL2fDmrsBkj4dXX5spfSMOw6OiVNw")
      #expect(
        try Self.url(links, .ack)
          == "https://hub.example/p/_b9QYXt5daeG17UT2Sx7vwsIWLkCKK1CqCMYTUoI5RDd9Tth1_u03Q")
    }
  }

  @Test("links come back, also with a query that was added on the way")
  func decode() throws {
    let links = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(0)])
    for kind in HubLinks.Kind.allCases {
      let url = try Self.url(links, kind)
      #expect(try links.decode(url) == HubLinks.Link(kind: kind, uid: Self.uid))
      #expect(try links.decode(url + "?utm_source=push/x#top") == HubLinks.Link(kind: kind, uid: Self.uid))
    }
  }

  @Test("the newest key encrypts, all decrypt; dropping the oldest changes no other link")
  func rotation() throws {
    let old = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(64), Self.key(0)])
    let new = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(128), Self.key(64), Self.key(0)])
    let last = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(128), Self.key(64)])
    let first = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(0)])
    #expect(try Self.url(old, .open) != Self.url(new, .open))
    #expect(try new.decode(Self.url(old, .open)).uid == Self.uid)
    #expect(try last.decode(Self.url(old, .open)).uid == Self.uid)
    #expect(try new.decode(Self.url(first, .ack)).kind == .ack)
    #expect(throws: CampaignError(field: "link", message: "none of the 2 keys given made it")) {
      try last.decode(Self.url(first, .ack))
    }
  }

  @Test("a changed, cut or foreign link is refused, and none crashes")
  func refused() throws {
    let links = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(0)])
    let url = Array(try Self.url(links, .open).utf8)
    for at in url.indices.dropFirst("https://hub.example/".utf8.count) {
      var changed = url
      changed[at] = changed[at] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(throws: CampaignError.self) { try links.decode(String(decoding: changed, as: UTF8.self)) }
      #expect(throws: CampaignError.self) { try links.decode(String(decoding: url[..<at], as: UTF8.self)) }
    }
    for text in ["", "/", "https://hub.example/", "https://hub.example/%41", "абв"] {
      #expect(throws: CampaignError.self) { try links.decode(text) }
    }
  }

  @Test("no key, no links")
  func noKey() {
    #expect(throws: SigningError.self) { try HubLinks(hubURL: "https://hub.example", keys: []) }
  }

  @Test("many tasks at once, a session each, make the links that one makes alone")
  func concurrency() async throws {
    let links = try HubLinks(hubURL: "https://hub.example", keys: [Self.key(0)])
    let uids = (0..<200).map { Array("T\($0)".utf8) }
    let alone = try uids.map { try Self.url(links, .open, $0) }
    let together = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<16 {
        group.addTask {
          let session = try links.session()
          return try uids.map { uid in
            var out: [UInt8] = []
            try session.append(.open, uid: uid[...], to: &out)
            return String(decoding: out, as: UTF8.self)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(together.count == 16)
    #expect(together.allSatisfy { $0 == alone })
  }
}
