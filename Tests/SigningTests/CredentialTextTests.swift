import Signing
import Testing

@Suite("Texts of credentials")
struct CredentialTextTests {
  @Test(
    "BOM, CRLF, outer white space and one pair of quotes go; all else stays",
    arguments: [
      ("abc123\n", "abc123"), ("\u{FEFF}abc\r\n", "abc"), ("\"abc\"", "abc"), ("'abc'\n", "abc"),
      ("\u{FEFF}\"a b\"\r\n", "a b"), ("\"\"abc\"\"", "\"abc\""), ("a\r\nb\r\n", "a\nb"), ("a\rb", "a\rb"),
      ("{\"a\":\"b\"}\n", "{\"a\":\"b\"}"), ("\"", "\""), ("\"abc'", "\"abc'"), ("", ""), (" \r\n", ""), ("\"\"", ""),
    ])
  func tidy(text: String, expected: String) {
    #expect(CredentialText.tidy(Array(text.utf8)) == Array(expected.utf8))
  }

  @Test("C19: a bearer file's final newline goes")
  func bearer() throws {
    #expect(try CredentialText.word(Array("abc123\n".utf8)) == "abc123")
    #expect(try CredentialText.word(Array("\u{FEFF}'y0_Ab-c.d~e+f/g=='\r\n".utf8)) == "y0_Ab-c.d~e+f/g==")
  }

  @Test(
    "C19: a text that could begin another header is refused, and not shown",
    arguments: ["abc\r\nX-Evil: 1", "abc\nX-Evil: 1", "abc\rX-Evil: 1", "abc X-Evil", "abc\u{0}", "абв", "", "\r\n"])
  func evil(text: String) {
    let error = #expect(throws: SigningError.self) { try CredentialText.word(Array(text.utf8)) }
    #expect(error?.description.contains("Evil") == false)
    #expect(error?.description.contains("\n") == false)
  }
}
