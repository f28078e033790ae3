import Base
import Testing

@Suite("Reading JSON")
struct JSONScannerTests {
  @Test("C06: numbers keep the digits the customer wrote, true stays apart from 1")
  func c06() throws {
    let text =
      #"{"order_id":9007199254740993,"ts":1655371000,"big":18446744073709551616,"price":129.90,"exp":1e3,"one":1,"#
      + #""one_f":1.0,"zero":0,"vip":true,"off":false}"#
    let value = try JSONScanner.parse(text)
    let object = try #require(value.object)
    #expect(object["order_id"] == .number("9007199254740993"))
    #expect(object["big"] == .number("18446744073709551616"))
    #expect(object["price"] == .number("129.90"))
    #expect(object["exp"] == .number("1e3"))
    #expect(object["one"] == .number("1"))
    #expect(object["one_f"] == .number("1.0"))
    #expect(object["vip"] == .bool(true))
    #expect(object["vip"] != object["one"])
    #expect(object["one"]?.bool == nil)
    #expect(object["off"]?.int == nil)
    #expect(
      object.keys == ["order_id", "ts", "big", "price", "exp", "one", "one_f", "zero", "vip", "off"])
    #expect(value.text == text)
  }

  @Test(
    "valid texts of RFC 8259",
    arguments: [
      ("null", JSON.null), (" \t\r\ntrue ", .bool(true)), ("0", .number("0")), ("-0", .number("-0")),
      ("-12.50e+03", .number("-12.50e+03")), ("1E-400", .number("1E-400")), (#""""#, .string("")),
      (#""\u0041\n\t\r\b\f\/\\\"""#, .string("A\n\t\r\u{8}\u{C}/\\\"")), (#""\ud83d\ude00""#, .string("😀")),
      (#""\uD834\uDD1E""#, .string("𝄞")), ("\"\u{7F}\u{2028}é\"", .string("\u{7F}\u{2028}é")),
      (#""\u0000""#, .string("\u{0}")), ("[]", .array([])), ("[ 1 , [ ] ]", .array([.number("1"), .array([])])),
      ("{ }", .object(JSONObject())),
      (
        #"{"a":{"a":1},"":null}"#,
        .object(
          JSONObject([
            .init(key: "a", value: .object(JSONObject([.init(key: "a", value: .number("1"))]))),
            .init(key: "", value: .null),
          ]))
      ),
    ])
  func valid(text: String, value: JSON) throws {
    #expect(try JSONScanner.parse(text) == value)
  }

  @Test(
    "what RFC 8259 does not allow is refused",
    arguments: [
      "", " ", "nul", "truE", "nullx", "True", "NaN", "Infinity", "01", "-01", "00", "1.", ".5", "+1", "-", "1e", "1e+",
      "0x1", "1 2", "1,", "\"", "\"a", "'a'", "a", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"",
      "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "{1:1}", "{\"a\":1 \"b\":2}", "}",
      "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1F}\"", #""\x""#, #""\""#, #""\u""#, #""\u12""#, #""\u12g4""#,
      #""\u 123""#,
      #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800A""#, #""\ud800\n""#, #""\ud800\u0041""#,
      #""\ud83d\ude0""#, "\u{FEFF}1", "1 // one", "/**/1", "{\"a\":1}x", "[1]]", #"{"a":1,"a":1}"#,
      #"{"a":1,"\u0061":2}"#, "[\u{A0}1]",
    ])
  func invalid(text: String) {
    #expect(throws: JSONError.self) { try JSONScanner.parse(text) }
  }

  @Test(
    "invalid UTF-8 is refused: lone bytes, overlong forms, surrogates, cut sequences",
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xE2, 0x82], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONError.self) { try JSONScanner.parse([quote] + bytes + [quote]) }
    #expect(throws: JSONError.self) {
      try JSONScanner.parse(Array("{".utf8) + [quote] + bytes + [quote] + Array(":1}".utf8))
    }
  }

  @Test("512 levels are read, 513 and a hundred thousand are refused, on a pool thread too")
  func depth() async throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    let deepest = try await Task.detached { try JSONScanner.parse(nested(512)).text }.value
    #expect(deepest == nested(512))
    #expect(throws: JSONError.self) { try JSONScanner.parse(nested(513)) }
    #expect(throws: JSONError.self) { try JSONScanner.parse(String(repeating: "[", count: 100_000)) }
    #expect(throws: JSONError.self) { try JSONScanner.parse(String(repeating: "{\"a\":", count: 100_000)) }
  }

  @Test(
    "an error says where: line and column from 1, columns in bytes",
    arguments: [
      ("{\n  \"a\": 1,\n  \"b\": x\n}", 3, 8), ("{\"a\":1,\"a\":2}", 1, 8), ("[1,\n2", 2, 2), ("\"é\" 1", 1, 6),
      ("", 1, 1),
      ("[\"abc", 1, 2), ("[012]", 1, 2),
    ])
  func place(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSONScanner.parse(text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.description.hasPrefix("line \(line), column \(column): ") == true)
  }

  @Test("keys are bytes: é in two forms is two keys")
  func keysAreBytes() throws {
    let object = try #require(try JSONScanner.parse("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
    #expect(object["\u{E9}"] == .number("1"))
    #expect(object["e\u{301}"] == .number("2"))
  }

  @Test("every prefix of a text is refused or read, none crashes; so is every text with one byte changed")
  func mutations() {
    let text = Array(#"{"a":[1,-2.5e3,"\ud83d\ude00é\n",true,null],"b":{"c":""}}"#.utf8)
    for end in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONScanner.parse(Array(text[..<end])) }
    }
    var read = 0
    for at in text.indices {
      for byte in [0x00, 0x22, 0x2C, 0x30, 0x5C, 0x7B, 0x80, 0xFF] as [UInt8] {
        var changed = text
        changed[at] = byte
        // What is read must be what is written again, strictly.
        if let value = try? JSONScanner.parse(changed) {
          read += 1
          #expect((try? JSONScanner.parse(value.text)) == value)
        }
      }
    }
    #expect(read > 0)
  }
}
