import Base
import Testing

@testable import Postgres

@Suite("DatabaseState")
struct PostgresDatabaseStateTests {
  private func want(_ state: inout DatabaseState<String, String>, _ waiter: String, _ id: UInt64) -> String {
    switch state.connectionWanted(by: waiter, id: id) {
    case .use(let slot): "use \(slot)"
    case .wait: "wait"
    }
  }

  private func free(_ state: inout DatabaseState<String, String>, _ slot: String) -> String {
    switch state.connectionFreed(slot) {
    case .hand(let slot, let waiter): "hand \(slot) to \(waiter)"
    case .keep: "keep"
    }
  }

  @Test("those who wait are served in the order in which they came")
  func fair() {
    var state = DatabaseState<String, String>(free: ["b", "a"])
    #expect(want(&state, "first", 1) == "use a")
    #expect(want(&state, "second", 2) == "use b")
    #expect(want(&state, "third", 3) == "wait")
    #expect(want(&state, "fourth", 4) == "wait")
    #expect(free(&state, "b") == "hand b to third")
    #expect(free(&state, "a") == "hand a to fourth")
    #expect(free(&state, "a") == "keep")
    #expect(want(&state, "fifth", 5) == "use a")
  }

  @Test("who is cancelled while waiting is passed over, once")
  func cancelled() {
    var state = DatabaseState<String, String>(free: ["a"])
    #expect(want(&state, "first", 1) == "use a")
    #expect(want(&state, "second", 2) == "wait")
    #expect(want(&state, "third", 3) == "wait")
    #expect(state.waitCancelled(id: 2) == "second")
    #expect(state.waitCancelled(id: 2) == nil)
    #expect(state.waitCancelled(id: 1) == nil)
    #expect(free(&state, "a") == "hand a to third")
  }
}

@Suite("ReconnectPause")
struct PostgresReconnectPauseTests {
  @Test("doubles from 0.2 s to 3 s, and begins anew after a success")
  func doubling() {
    let now = BootInstant(nanoseconds: 1_000_000_000_000)
    var pause = ReconnectPause()
    #expect(pause.until == BootInstant(nanoseconds: 0))
    for seconds in [0.2, 0.4, 0.8, 1.6, 3.0, 3.0] {
      pause.connectFailed(at: now, jitter: 1)
      #expect(pause.until == now.advanced(seconds: seconds))
    }
    pause.connected()
    pause.connectFailed(at: now, jitter: 1)
    #expect(pause.until == now.advanced(seconds: 0.2))
  }

  @Test("no jitter is half of it")
  func jitter() {
    let now = BootInstant(nanoseconds: 1_000_000_000_000)
    var pause = ReconnectPause()
    pause.connectFailed(at: now, jitter: 0)
    #expect(pause.until == now.advanced(seconds: 0.1))
  }
}

@Suite("PostgresText")
struct PostgresTextTests {
  @Test(
    "C37: what comes from a provider can always be stored",
    arguments: [
      (Array("plain".utf8), "plain"),
      ([], ""),
      (Array("<html>\u{01}\n\u{1F680}</html>".utf8), "<html>\u{01}\n\u{1F680}</html>"),
      ([0x61, 0x00, 0x62, 0x00], "ab"),
      ([0x00], ""),
      // A scalar cut by a limit on length; a byte that UTF-8 never has; a surrogate half.
      ([0x61, 0xF0, 0x9F, 0x9A], "a\u{FFFD}"),
      ([0xFF, 0x61], "\u{FFFD}a"),
    ] as [([UInt8], String)])
  func tidy(bytes: [UInt8], text: String) {
    #expect(PostgresText.tidy(bytes) == text)
  }

  @Test("a string loses its NULs alone")
  func string() {
    #expect(PostgresText.tidy("a\u{0}\u{1F680}\u{1}") == "a\u{1F680}\u{1}")
  }
}
