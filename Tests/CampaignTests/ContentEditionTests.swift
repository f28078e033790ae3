import Base
import Campaign
import Testing

@Suite("Locales and variants of a content")
struct ContentEditionTests {
  private func content(_ text: String) throws -> Content { try Content(json: JSONScanner.parse(text)) }

  @Test("a locale's words are laid over the common ones; what it doesn't say stays")
  func locales() throws {
    let content = try content(
      #"{"title":"T","body":"B","badge":1,"data":{"a":1},"locales":{"pt":{"title":"P"},"pt_BR":{"body":"R","data":{"b":2}}}}"#
    )
    #expect(content.editions.map(\.locale) == [nil, "pt", "pt-br"])
    #expect(content.editions.map(\.content.title) == ["T", "P", "T"])
    #expect(content.editions.map(\.content.body) == ["B", "B", "R"])
    #expect(content.editions.map(\.content.data.keys) == [["a"], ["a"], ["a", "b"]])
    #expect(content.title == "T" && content.variants.isEmpty)
  }

  @Test("variants times locales; a variant's own words in a language are the last word")
  func variants() throws {
    let content = try content(
      #"""
      {"title":"T","locales":{"ru":{"title":"Р"}},
       "variants":[{"name":"a","weight":3},{"name":"b","title":"TB","locales":{"ru":{"title":"РБ"},"de":{"title":"D"}}}]}
      """#)
    #expect(content.variants.map(\.name) == ["a", "b"] && content.variants.map(\.weight) == [3, 1])
    #expect(
      content.editions.map { "\($0.variant ?? -1) \($0.locale ?? "") \($0.content.title ?? "")" } == [
        "0  T", "0 ru Р", "1  TB", "1 ru РБ", "1 de D",
      ])
  }

  @Test("a locale falls back from its region to its language")
  func fallBack() {
    #expect(Content.fallBack(from: "pt-BR") == ["pt-br", "pt"])
    #expect(Content.fallBack(from: "zh_Hans_CN") == ["zh-hans-cn", "zh-hans", "zh"])
    #expect(Content.fallBack(from: "") == [])
  }

  @Test(
    "what is wrong is named where it stands",
    arguments: [
      (#"{"locales":[]}"#, "content.locales: an object, not an array"),
      (#"{"locales":{"p!":{}}}"#, "content.locales.p!: the name must be a language tag, as pt or pt-BR"),
      (#"{"locales":{"pt-BR":{},"pt_br":{}}}"#, "content.locales.pt_br: the locale is there twice"),
      (#"{"locales":{"pt":{"ttl":5}}}"#, "content.locales.pt.ttl: no such key"),
      (#"{"locales":{"pt":{"titel":"x"}}}"#, "content.locales.pt.titel: no such key; did you mean title?"),
      (#"{"locales":{"pt":{"badge":-1}}}"#, "content.locales.pt.badge: 0 to 999, not -1"),
      (#"{"variants":[{"title":"x"}]}"#, "content.variants[0].name: is missing"),
      (#"{"variants":[{"name":"a"},{"name":"a"}]}"#, "content.variants[1].name: a is there twice"),
      (#"{"variants":[{"name":"a","weight":0}]}"#, "content.variants[0].weight: 1 to 1000000, not 0"),
      (
        #"{"variants":[{"name":"a","fcm":{"web":{}}}]}"#,
        "content.variants[0].fcm.web: no such key"
      ),
    ])
  func refused(_ text: String, _ message: String) throws {
    #expect(try refusal(text, Content.init(json:)) == message)
  }
}
