import Base
import Campaign
import Testing

@Suite("Links of a content")
struct ContentLinkTests {
  private func warnings(_ json: String) throws -> [String] {
    try Content(json: JSONScanner.parse(Array(json.utf8))).warnings
  }

  @Test("a picture without https and a link without a scheme are named by their fields")
  func wrong() throws {
    #expect(
      try warnings(
        #"""
        {"image":"http://shop.example/a.png","click_url":"shop.example/sale",
         "buttons":[{"label":"A","link":"https://shop.example"},{"label":"B","link":"my shop:x y"}]}
        """#) == [
          #"content.image: "http://shop.example/a.png" is no https address: phones show no picture"#,
          #"content.click_url: "shop.example/sale" is no address with a scheme, as https: a tap opens nothing"#,
          #"content.buttons[1].link: "my shop:x y" is no address with a scheme, as https: a tap opens nothing"#,
        ])
  }

  @Test("what is right, personal or absent is passed over")
  func right() throws {
    #expect(
      try warnings(
        #"{"icon":"https://shop.example/i.png","image":"{{.Profile.photo}}","click_url":"myapp://sale/1","deep_link":""}"#
      )
        == [])
  }
}
