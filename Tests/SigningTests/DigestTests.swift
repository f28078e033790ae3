import Base
import Signing
import Testing

@Suite("Digests and name-based UUIDs")
struct DigestTests {
  @Test("SHA-256 of FIPS 180-2's \"abc\"")
  func sha256() {
    #expect(
      Hex.encode(Digest.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Digest.prefix(Array("abc".utf8)) == "ba7816bf8f01")
    #expect(Digest.prefix([]) == "e3b0c44298fc")
  }

  // python3: uuid.uuid5(uuid.UUID("5e3df76f-2bb1-4d68-939d-d73ec774b091"), NAME)
  @Test(
    "a name's UUID is the one that Python's uuid5 gives",
    arguments: [
      ("", "980e6532-2593-5170-b426-ac193d3d5051"), ("a", "588aae9d-146f-58db-8246-ff629a7d01ef"),
      ("T1PZqzzzzzzzzzzzzz", "4fcb8b19-2599-508d-92de-db71a84645a7"), ("имя", "e88e1cd4-fe84-5c15-8851-26492b0b1430"),
    ])
  func uuid5(name: String, expected: String) {
    var out = Array("id=".utf8)
    UUIDv5.append(of: Array(name.utf8)[...], to: &out)
    #expect(String(decoding: out, as: UTF8.self) == "id=" + expected)
  }
}
