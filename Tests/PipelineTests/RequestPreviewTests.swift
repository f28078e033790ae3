import Base
import Testing

@testable import Pipeline

@Suite("RequestPreview")
struct RequestPreviewTests {
  @Test("the token is masked wherever it stands, also inside a text that is JSON")
  func token() throws {
    let body = try JSONScanner.parse(Array(#"{"t":["abc"],"d":"{\"x\":\"abc\"}","n":1}"#.utf8))
    #expect(
      RequestPreview.masked(body, "abc").text == #"{"t":["<token>"],"d":"{\"x\":\"<token>\"}","n":1}"#)
    #expect(RequestPreview.masked(body, nil) == body)
    #expect(RequestPreview.masked("/3/device/abc", "abc") == "/3/device/<token>")
  }

  @Test("of an authorization only its scheme is shown")
  func authorization() {
    #expect(RequestPreview.masked(header: "authorization: Bearer a.b.c") == "authorization: Bearer <secret>")
    #expect(RequestPreview.masked(header: "authorization: abc") == "authorization: <secret>")
    #expect(RequestPreview.masked(header: "apns-topic: com.example") == "apns-topic: com.example")
  }
}
