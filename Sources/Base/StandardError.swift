internal import CLinux
import Glibc

/// stderr, which log lines and lines that are redrawn in place share: a log line goes above them.
public enum StandardError {
  /// What stands at the terminal's bottom now, drawn for this width.
  private struct Pinned {
    var lines: [String] = []
    /// Cells of each, without colours.
    var widths: [Int] = []
  }

  /// Held while bytes are written: the order of writes is what it is there for.
  private static let pinned = Guarded(Pinned())

  /// Whether it is a terminal that can move its cursor.
  public static var isTerminal: Bool { isatty(2) == 1 && Environment.value("TERM") ?? "dumb" != "dumb" }

  /// Cells and rows of the terminal; 80 × 24 where it doesn't say.
  public static var size: (columns: Int, rows: Int) {
    let size = clinux_terminal_size(2)
    return (size.columns > 0 ? Int(size.columns) : 80, size.rows > 0 ? Int(size.rows) : 24)
  }

  /// Writes whole lines, each with its line end, by one write: lines of several threads never mix.
  public static func write(_ bytes: [UInt8]) {
    pinned.withLock { pinned in
      emit(pinned.lines.isEmpty ? bytes : Array(erasing(pinned).utf8) + bytes + Array(text(pinned.lines).utf8))
    }
  }

  /// Replaces what stands at the bottom; nothing: it goes away.
  /// - Parameters:
  ///   - lines: each at most a row wide.
  ///   - widths: the cells of each line.
  public static func pin(_ lines: [String], widths: [Int]) {
    pinned.withLock { pinned in
      let old = erasing(pinned)
      pinned = Pinned(lines: lines, widths: widths)
      emit(Array((old + text(lines)).utf8))
    }
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// Up to the first pinned row and everything below cleared (ECMA-48, CPL and ED). A terminal that became narrower
  /// has broken the lines anew.
  private static func erasing(_ pinned: Pinned) -> String {
    guard !pinned.lines.isEmpty else { return "" }
    let columns = size.columns
    let rows = pinned.widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    return "\u{1B}[\(rows)F\u{1B}[J"
  }

  private static func emit(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
