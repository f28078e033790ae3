import Testing

@testable import Base

@Suite struct LogTests {
  private func line(_ log: Log, _ level: Log.Level, _ text: String) -> String {
    String(decoding: log.line(level, text, at: EpochMilliseconds(1_760_000_000_123)), as: UTF8.self)
  }

  @Test("a JSON line is one object with time, level, where it belongs and the message")
  func json() throws {
    let log = Log(format: .json).with("launch", Int64(7)).with("lane", "Shop \"A\"\n").with("window", Int32(3))
    let text = line(log, .warning, "the \"provider\" said\r\n no\u{1B}[31m")
    #expect(
      text
        == #"{"ts":1760000000123,"level":"warning","launch":7,"lane":"Shop \"A\"\n","window":3,"#
        + #""msg":"the \"provider\" said\r\n no\u001b[31m"}"# + "\n")
    #expect(
      try JSONScanner.parse(Array(text.utf8.dropLast())).object?.keys == [
        "ts", "level", "launch", "lane", "window", "msg",
      ])
  }

  @Test("a line for people says where it belongs, and its level unless it merely informs")
  func people() {
    let log = Log().with("launch", 7).with("lane", "Shop")
    #expect(line(log, .info, "words") == "salvo: launch 7, lane Shop: words\n")
    #expect(line(log, .error, "words") == "salvo: error: launch 7, lane Shop: words\n")
    #expect(line(Log(), .warning, "words") == "salvo: warning: words\n")
  }

  @Test("a message that begins with its launch doesn't say it twice, another launch's does")
  func once() {
    let log = Log().with("launch", 7)
    #expect(line(log, .error, "launch 7 is cancelled") == "salvo: error: launch 7 is cancelled\n")
    #expect(line(log, .error, "launch 7: no") == "salvo: error: launch 7: no\n")
    #expect(line(log, .error, "launch 77 is cancelled") == "salvo: error: launch 7: launch 77 is cancelled\n")
  }

  @Test("whatever a provider or a customer wrote, it is one line and no order to the terminal")
  func controls() {
    let log = Log().with("lane", "a\u{9B}31mb")
    #expect(line(log, .info, "one\ntwo\r\u{1B}]0;title\u{7}\u{7F}é") == "salvo: lane a 31mb: one two  ]0;title  é\n")
  }
}
