import Base
import Glibc
import Report

/// What the terminal behind a descriptor can show.
enum Terminal {
  /// `NO_COLOR` (no-color.org): any text in it means none.
  static var paint: Paint { Paint(isOn: Environment.value("NO_COLOR") == nil) }

  /// As the locale says; the C locale's terminals show ASCII alone.
  static var isUTF8: Bool {
    let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE") ?? Environment.value("LANG") ?? ""
    return ["UTF-8", "UTF8"].contains { locale.uppercased().contains($0) }
  }
}
