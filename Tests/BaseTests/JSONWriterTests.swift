import Base
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test("only quotes, backslashes and control characters are escaped; UTF-8 and / stay")
  func escapes() {
    #expect(JSON.string("a\"b\\c/d").text == #""a\"b\\c/d""#)
    #expect(JSON.string("\n\r\t").text == #""\n\r\t""#)
    #expect(JSON.string("\u{0}\u{8}\u{B}\u{C}\u{1F}").text == #""\u0000\u0008\u000b\u000c\u001f""#)
    #expect(JSON.string("é😀\u{2028}\u{7F}").text == "\"é😀\u{2028}\u{7F}\"")
    #expect(JSON.string("").text == "\"\"")
  }

  @Test("a sequence without storage of its own is written alike")
  func lazySequences() {
    let text = "a\"b\nc"
    var whole: [UInt8] = []
    whole.appendJSONEscaped(text.utf8)
    var lazily: [UInt8] = []
    lazily.appendJSONEscaped(text.utf8.lazy.map { $0 })
    #expect(String(decoding: whole, as: UTF8.self) == #"a\"b\nc"#)
    #expect(lazily == whole)
  }

  @Test("values are compact, members in their order, a later one of the same name replaces")
  func values() {
    var object = JSONObject()
    object.set("z", .number("1.50"))
    object.set("a", .array([.null, .bool(false), .object(JSONObject())]))
    object.set("z", .number("2"))
    object.set("\"", .string("x"))
    #expect(JSON.object(object).text == #"{"z":2,"a":[null,false,{}],"\"":"x"}"#)
  }

  @Test("random scalars come back the same")
  func roundTrip() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var text = String.UnicodeScalarView()
      for _ in 0..<40 {
        let range: ClosedRange<UInt32> = [0...0x7F, 0...0xFFFF, 0...0x10FFFF].randomElement(using: &random) ?? 0...0
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
      }
      let value = JSON.string(String(text))
      let read = try JSONScanner.parse(value.text)
      #expect(read.string.map { Array($0.unicodeScalars) } == Array(text))
    }
  }
}
