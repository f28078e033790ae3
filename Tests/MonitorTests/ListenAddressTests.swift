import Testing

@testable import Monitor

@Suite struct ListenAddressTests {
  @Test(
    "a numeric address and a port",
    arguments: [
      ("127.0.0.1:9464", "127.0.0.1:9464", true), ("localhost:0", "127.0.0.1:0", true),
      ("[::1]:9464", "[::1]:9464", true), ("0.0.0.0:80", "0.0.0.0:80", false), ("[::]:65535", "[::]:65535", false),
      ("127.8.9.1:1", "127.8.9.1:1", true),
    ])
  func read(text: String, shown: String, isLoopback: Bool) throws {
    let address = try #require(ListenAddress(text))
    #expect(address.description == shown)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(
    "names, missing and impossible ports and half addresses are refused",
    arguments: [
      "", ":", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1x",
      "example.com:80", "127.0.0.1.5:80", "::1:80", "[::1]", "[127.0.0.1]:80", "[::1:80", "1:2:3", " 127.0.0.1:80",
    ])
  func refused(text: String) { #expect(ListenAddress(text) == nil) }
}
