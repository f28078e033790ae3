/// Texts that become a part of a request outside its body.
enum WireText {
  /// Visible ASCII only: a line end would begin a header of its own.
  static func isHeaderWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Letters, digits, `.`, `_`, `:`, `-`, and not the two names that lead elsewhere.
  static func isPathSegment(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
