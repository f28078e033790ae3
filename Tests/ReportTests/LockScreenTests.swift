import Testing

@testable import Report

@Suite("LockScreen")
struct LockScreenTests {
  private static let body = "Sale today only, come and see us in the shop around the corner before it closes at nine"

  @Test("an iPhone wraps between words, an Android phone cuts after a line")
  func platforms() {
    let apple = LockScreen(app: "Shop", title: "Hi", body: Self.body, buttons: ["Open", "Later"], isApple: true)
    #expect(
      apple.lines == [
        "+--------------------------------------------+",
        "| Shop                                       |",
        "| Hi                                         |",
        "| Sale today only, come and see us in the    |",
        "| shop around the corner before it closes at |",
        "| nine                                       |",
        "| [Open] [Later]                             |",
        "+--------------------------------------------+",
      ])
    let android = LockScreen(app: "Shop", title: nil, body: Self.body, buttons: [], isApple: false)
    #expect(
      android.lines.dropFirst().dropLast() == [
        "| Shop                                       |",
        "| Sale today only, come and see us in the s… |",
      ])
  }

  @Test("a fifth line is never shown, and wide letters take two cells")
  func limits() {
    let lines = LockScreen.wrapped(String(repeating: "word ", count: 100), lines: 4)
    #expect(lines.count == 4)
    #expect(lines.last?.hasSuffix("…") == true)
    #expect(
      LockScreen.wrapped(String(repeating: "漢", count: 30), lines: 1) == [String(repeating: "漢", count: 20) + "…"])
  }
}
