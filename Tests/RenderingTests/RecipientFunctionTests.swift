import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Functions for a recipient's own clock and language")
struct RecipientFunctionTests {
  /// A content text as one recipient gets it.
  static func text(
    _ text: String, vars: String = "{}", zone: String? = nil, locale: String? = nil, account: String = "UTC",
    edition: String? = nil
  ) throws -> String {
    var page = RecipientPage()
    func place(_ text: String?) -> ByteRange? {
      guard let text else { return nil }
      let start = page.bytes.count
      page.bytes += Array(text.utf8)
      return ByteRange(lower: start, upper: page.bytes.count)
    }
    let row = Recipient(
      key: RecipientKey(profileID: 1, subscriptionID: 2), state: .active, registeredAt: EpochMilliseconds(0),
      token: ByteRange(lower: 0, upper: 0), locale: place(locale), timeZone: place(zone), variables: place(vars))
    let parsed = try PersonalText(name: "content.body", text: text)
    var out: [UInt8] = []
    try parsed.append(
      for: PersonalValues(row, of: page, attributes: true, variables: true, timeZone: account, locale: edition),
      isBlankAllowed: false, to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  @Test("a moment stands on the recipient's clock, else on the account's")
  func zones() throws {
    let pattern = #"{{date "dd.MM.yyyy HH:mm" .Vars.at}}"#
    let vars = #"{"at":"2025-10-09T08:53:20Z"}"#
    #expect(try Self.text(pattern, vars: vars, zone: "Europe/Moscow") == "09.10.2025 11:53")
    #expect(try Self.text(pattern, vars: vars, account: "America/New_York") == "09.10.2025 04:53")
    #expect(try Self.text(pattern, vars: #"{"at":1760000000}"#, zone: "Asia/Kolkata") == "09.10.2025 14:23")
    // A time that names no zone is a clock's already.
    #expect(try Self.text(pattern, vars: #"{"at":"2025-10-09 18:00"}"#, zone: "Asia/Kolkata") == "09.10.2025 18:00")
  }

  @Test("in words of the edition's language, else of the recipient's")
  func words() throws {
    let text = #"{{.Vars.at | date "EEEE, d MMMM yy 'at' h:mm a"}}"#
    let vars = #"{"at":"2025-10-09T18:05:00"}"#
    #expect(try Self.text(text, vars: vars) == "Thursday, 9 October 25 at 6:05 PM")
    #expect(try Self.text(text, vars: vars, locale: "ru-RU") == "четверг, 9 октября 25 at 6:05 PM")
    #expect(try Self.text(#"{{date "d MMM" .Vars.at}}"#, vars: vars, locale: "en", edition: "ru") == "9 окт.")
  }

  @Test(
    "numbers in groups of three",
    arguments: [
      ("1234567.5", nil, "1,234,567.5", "1\u{A0}234\u{A0}567,5"), ("999", nil, "999", "999"),
      ("-1234.995", 2, "-1,235.00", "-1\u{A0}235,00"), ("1e3", nil, "1,000", "1\u{A0}000"),
      ("9007199254740993", nil, "9,007,199,254,740,993", "9\u{A0}007\u{A0}199\u{A0}254\u{A0}740\u{A0}993"),
      ("999.95", 1, "1,000.0", "1\u{A0}000,0"), ("-0.004", 2, "0.00", "0,00"), ("129.90", nil, "129.90", "129,90"),
      ("5", 0, "5", "5"), ("12.5e-1", nil, "1.25", "1,25"),
    ] as [(String, Int?, String, String)])
  func numbers(_ digits: String, _ decimals: Int?, _ english: String, _ russian: String) throws {
    let text = "{{number \(decimals.map { "\($0) " } ?? "").Vars.n}}"
    #expect(try Self.text(text, vars: #"{"n":\#(digits)}"#) == english)
    #expect(try Self.text(text, vars: #"{"n":\#(digits)}"#, locale: "ru") == russian)
  }

  @Test(
    "the word for a number by the rule of two forms and of three",
    arguments: [
      ("0", "items", "товаров"), ("1", "item", "товар"), ("2", "items", "товара"), ("4", "items", "товара"),
      ("5", "items", "товаров"), ("11", "items", "товаров"), ("12", "items", "товаров"), ("21", "items", "товар"),
      ("22", "items", "товара"), ("111", "items", "товаров"), ("1.5", "items", "товара"), ("1.0", "item", "товар"),
    ])
  func plurals(_ digits: String, _ english: String, _ russian: String) throws {
    let vars = #"{"n":\#(digits)}"#
    #expect(try Self.text(#"{{plural "item" "items" .Vars.n}}"#, vars: vars) == english)
    #expect(try Self.text(#"{{.Vars.n | plural "товар" "товара" "товаров"}}"#, vars: vars) == russian)
  }

  @Test("Russian names in Latin letters")
  func translit() throws {
    #expect(
      try Self.text(#"{{translit "Осенняя распродажа: Щука, ЩУКА, объём 5%"}}"#)
        == "Osennyaya rasprodazha: Shchuka, SHCHUKA, obem 5%")
  }

  @Test(
    "what can't be read is refused in words, and a missing value is missing",
    arguments: [
      (
        #"{{date "dd" .Vars.x}}"#, #"{"x":"soon"}"#,
        "date takes a time in ISO 8601 or seconds since 1970, not this text"
      ),
      (#"{{number .Vars.x}}"#, #"{"x":true}"#, "number takes a number, here is true or false"),
      (#"{{number .Vars.x}}"#, "{}", "content.body names number .Vars.x, which this recipient does not have"),
      (#"{{date "dd" .Vars.x}}"#, "{}", #"content.body names date "dd" .Vars.x, which this recipient does not have"#),
    ])
  func refused(_ text: String, _ vars: String, _ detail: String) throws {
    let error = #expect(throws: PersonalFailure.self) { try Self.text(text, vars: vars) }
    #expect(error?.detail.hasSuffix(detail) == true, "\(error?.detail ?? "")")
  }

  @Test("a zone that the machine doesn't know rejects the message; a wrong pattern the content")
  func unknown() throws {
    let vars = #"{"at":1760000000}"#
    #expect(throws: PersonalFailure.self) { try Self.text(#"{{date "dd" .Vars.at}}"#, vars: vars, zone: "Mars/Base") }
    #expect(throws: TemplateError.self) { try PersonalText(name: "content.body", text: #"{{date "YYYY" .Vars.at}}"#) }
  }
}
