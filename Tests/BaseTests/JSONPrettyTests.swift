import Base
import Testing

@Suite("JSON on several lines")
struct JSONPrettyTests {
  @Test("members keep their order and digits, empty containers stay on their line")
  func pretty() throws {
    let value = try JSONScanner.parse(Array(#"{"b":[1.50,{}],"a":{"x":"é\n"},"e":[]}"#.utf8))
    #expect(
      value.prettyText == #"""
        {
          "b": [
            1.50,
            {}
          ],
          "a": {
            "x": "é\n"
          },
          "e": []
        }
        """#)
  }
}
