import Testing

@testable import Providers

@Suite("What is kept of an answer")
struct AnswerTextTests {
  @Test("2 kB at most, valid UTF-8, no NUL")
  func kept() {
    #expect(AnswerText.kept([]) == nil)
    #expect(AnswerText.kept(Array("plain".utf8)) == "plain")
    #expect(AnswerText.kept([0x61, 0x00, 0xFF, 0x62]) == "a\u{FFFD}\u{FFFD}b")
    #expect(AnswerText.kept(Array(repeating: 0x78, count: 3 << 20))?.utf8.count == 2048)
    // Every bad byte becomes three: the limit counts what is kept.
    #expect(AnswerText.kept(Array(repeating: 0xFF, count: 3000)) == String(repeating: "\u{FFFD}", count: 682))
    // 1,025 letters of two bytes: one is left out whole.
    #expect(
      AnswerText.kept(Array(String(repeating: "Ж", count: 1025).utf8)) == String(repeating: "Ж", count: 1024))
  }

  @Test("codes and ids lose controls and what exceeds 200 characters")
  func words() {
    #expect(AnswerText.word("UNREGISTERED") == "UNREGISTERED")
    #expect(AnswerText.word("a\u{0}b\nc") == "a b c")
    #expect(AnswerText.word(String(repeating: "x", count: 5000)) == String(repeating: "x", count: 200))
  }
}
