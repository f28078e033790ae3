import Testing

@testable import Transport

@Suite("InfoLine: libcurl's words") struct InfoLineTests {
  @Test(
    "lines that tell something",
    arguments: [
      ("Using Stream ID: 1 (easy handle 0x55d0c0ffee00)\n", InfoLine.stream(1)),
      ("Using Stream ID: 2147483647 (easy handle 0x1)\n", .stream(2_147_483_647)),
      ("recveived GOAWAY, error=0, last_stream=99\n", .goAway(error: 0, lastStream: 99)),
      ("received GOAWAY, error=11, last_stream=2147483647\n", .goAway(error: 11, lastStream: 2_147_483_647)),
      ("ALPN: server accepted h2\n", .http2),
      ("ALPN: server accepted http/1.1\n", .http1),
      ("ALPN: server did not agree on a protocol. Uses default.\n", .http1),
      ("Connection died, retrying a fresh connect (retry count: 1)\n", .retry),
      ("Issue another request to this URL: 'https://localhost/x'\n", .retry),
      ("REFUSED_STREAM, retrying a fresh connect\n", .refusedStream),
    ])
  func known(text: String, line: InfoLine) {
    #expect(InfoLine(Array(text.utf8)) == line)
  }

  @Test(
    "lines that tell nothing, cut ones and absurd numbers",
    arguments: [
      "", "U", "Using Stream ID: ", "Using Stream ID: x", "Using Stream ID: 99999999999",
      "recveived GOAWAY, error=", "recveived GOAWAY, error=1, last_stream=",
      "recveived GOAWAY, error=-1, last_stream=3",
      "Connection #0 to host localhost left intact\n", "ALPN: offers h2,http/1.1\n",
      "Connection died, tried 5 times before giving up\n", "We are completely uploaded and fine\n",
    ])
  func unknown(text: String) {
    #expect(InfoLine(Array(text.utf8)) == nil)
  }
}
